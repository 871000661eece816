/** Databases of sandboxes: copies of one template per version, and deleted when they were not opened for long. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { sandboxRole } from '../../platform/database/roles.ts';
import { createLog } from '../../platform/log.ts';
import { dropSandboxDatabase, prepareSandboxDatabase, sandboxUrl } from '../../wiring/sandboxes/database.ts';
import { dropUnusedSandboxes } from '../../wiring/sandboxes/unused-databases.ts';
import { sandboxOwnerUrl } from '../../wiring/database-urls.ts';
import { eventually } from '../eventually.ts';
import { cloneDatabase, type ClonedDatabase } from '../database.ts';

let clone: ClonedDatabase;
let server: pg.Client;
beforeAll(async () => {
  clone = await cloneDatabase();
  server = new pg.Client({ connectionString: clone.ownerUrl });
  await server.connect();
});
afterAll(async () => {
  await server.end();
  await clone.drop();
});

const databases = async (): Promise<string[]> => {
  const { rows } = await server.query<{ name: string }>(
    'select datname as name from pg_database where starts_with(datname, $1)',
    [`${new URL(clone.ownerUrl).pathname.slice(1)}_test_`],
  );
  return rows.map(({ name }) => name).sort();
};
const keptDays = { written: 30, empty: 1 };
const nameOf = (id: string): string => sandboxUrl(clone.ownerUrl, id).pathname.slice(1);

test('sandboxes are copies of one template, also when several open at once, and the unused ones are deleted', async () => {
  const options = { ownerUrl: clone.urlAs(sandboxRole), log: createLog({ name: 'test', level: 'silent' }) };
  const ids = [randomUUID(), randomUUID(), randomUUID()];
  const open = (id: string) => prepareSandboxDatabase(id, options);
  await Promise.all([...ids, ...ids].map(open));
  const [template] = (await databases()).filter((name) => !ids.map(nameOf).includes(name));
  expect(template).toMatch(/_test_[0-9a-f]{12}$/);
  expect(await databases()).toEqual([...ids.map(nameOf), template].sort());

  const [old = '', dropped = '', kept = ''] = ids;
  const sandbox = new pg.Client({ connectionString: sandboxUrl(clone.ownerUrl, old).href });
  await sandbox.connect();
  expect((await sandbox.query('select id from accounts.account')).rows).toEqual([{ id: old }]);
  await server.query(`comment on database "${nameOf(old)}" is '2020-01-01T00:00:00Z'`);
  await sandbox.query(`insert into organizations.unused_image (id, remove_at) values ('emblem-unused', now())`);
  // open sandboxes are in use
  const removed: string[] = [];
  const removeImages = (images: readonly string[]) => Promise.resolve(void removed.push(...images));
  expect(await dropUnusedSandboxes(options.ownerUrl, keptDays, removeImages)).toEqual([]);
  await sandbox.end();
  expect(await dropSandboxDatabase(dropped, options)).toEqual([]);
  expect(await dropSandboxDatabase(dropped, options)).toEqual([]);
  // a sandbox is the only list of its images
  const unavailable = () => Promise.reject(new Error('The store is unavailable.'));
  await expect(dropUnusedSandboxes(options.ownerUrl, keptDays, unavailable)).rejects.toThrow('The store is unavailable.');
  expect(await dropUnusedSandboxes(options.ownerUrl, keptDays, removeImages)).toEqual([nameOf(old)]);
  expect(removed).toEqual(['emblem-unused']);
  expect(await databases()).toEqual([nameOf(kept), template].sort());
});

test('a sandbox without a write is deleted a day after it was opened, and one with a write is kept for longer', async () => {
  const options = { ownerUrl: clone.urlAs(sandboxRole), log: createLog({ name: 'test', level: 'silent' }) };
  const [empty, written, today] = [randomUUID(), randomUUID(), randomUUID()];
  for (const id of [empty, written, today]) await prepareSandboxDatabase(id, options);
  const sandbox = new pg.Client({ connectionString: sandboxUrl(clone.ownerUrl, written).href });
  await sandbox.connect();
  await sandbox.query(
    `insert into organizations.outbox (type, resource_type, resource_id, version)
     values ('organization.created', 'organization', gen_random_uuid(), 1)`,
  );
  await sandbox.end();
  const before = await databases();
  const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000).toISOString();
  // a template is older than its sandboxes
  for (const name of before.filter((each) => each !== nameOf(today)))
    await server.query(`comment on database "${name}" is '${twoDaysAgo}'`);
  const remove = () => dropUnusedSandboxes(options.ownerUrl, keptDays, () => Promise.resolve());
  const dropped: string[] = [];
  await eventually(async () => {
    dropped.push(...(await remove()));
    expect(dropped).toContain(nameOf(empty));
  });
  expect(await databases()).toEqual(before.filter((name) => !dropped.includes(name)));
  expect(await databases()).toEqual(expect.arrayContaining([nameOf(written), nameOf(today)]));
  expect(dropped.filter((name) => !/_[0-9a-f]{32}$/.test(name))).toEqual([]);
});

test('a connection that is lost while a sandbox opens fails that request only', async () => {
  const options = { ownerUrl: clone.urlAs(sandboxRole), log: createLog({ name: 'test', level: 'silent' }) };
  const account = randomUUID();
  const { href } = await prepareSandboxDatabase(account, options);
  const holder = new pg.Client({ connectionString: href });
  await holder.connect();
  await holder.query('select pg_advisory_lock(7105114100)');
  const opening = prepareSandboxDatabase(account, options).catch((error: unknown) => error);
  const terminate = `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = 'migrate'`;
  await eventually(async () => expect((await server.query(terminate, [nameOf(account)])).rowCount).toBe(1));
  expect(await opening).toBeInstanceOf(Error);
  await holder.end();
  await prepareSandboxDatabase(account, options);
});

test('behind a connection pooler, databases are created on the server itself', () => {
  const direct = 'postgresql://owner@server/talent';
  const hostOf = (source: Record<string, string>, url: string): string =>
    new URL(sandboxOwnerUrl(source, url, clone.secrets)).host;
  expect(hostOf({ DATABASE_DIRECT_URL: direct }, 'postgresql://owner@pooler/talent')).toBe('server');
  expect(hostOf({}, direct)).toBe('server');
});

test('a name that PostgreSQL would cut is rejected', () => {
  expect(() => sandboxUrl('postgresql://host/a_name_with_more_than_25_characters', randomUUID())).toThrow(
    'The name of the database is too long for test mode',
  );
});
