/** Databases of sandboxes: copies of one template per version, and deleted when they were not opened for long. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { createLog } from '../../platform/log.ts';
import { dropSandboxDatabase, dropUnusedSandboxes, prepareSandboxDatabase, sandboxUrl } from '../../wiring/sandboxes/database.ts';
import { sandboxOwnerUrl } from '../../wiring/environment.ts';
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
const nameOf = (id: string): string => sandboxUrl(clone.ownerUrl, id).pathname.slice(1);

test('sandboxes are copies of one template, also when several open at once, and the unused ones are deleted', async () => {
  const options = { ownerUrl: clone.ownerUrl, secrets: clone.secrets, log: createLog({ name: 'test', level: 'silent' }) };
  const ids = [randomUUID(), randomUUID(), randomUUID()];
  const open = (id: string) => prepareSandboxDatabase({ id, name: `Account ${id}` }, options);
  await Promise.all([...ids, ...ids].map(open));
  const [template] = (await databases()).filter((name) => !ids.map(nameOf).includes(name));
  expect(template).toMatch(/_test_[0-9a-f]{12}$/);
  expect(await databases()).toEqual([...ids.map(nameOf), template].sort());

  const [old = '', dropped = '', kept = ''] = ids;
  const sandbox = new pg.Client({ connectionString: sandboxUrl(clone.ownerUrl, old).href });
  await sandbox.connect();
  expect((await sandbox.query('select name from accounts.account')).rows).toEqual([{ name: `Account ${old}` }]);
  await server.query(`comment on database "${nameOf(old)}" is '2020-01-01T00:00:00Z'`);
  // open sandboxes are in use
  expect(await dropUnusedSandboxes(clone.ownerUrl, 30)).toEqual([]);
  await sandbox.end();
  await dropSandboxDatabase(dropped, options);
  expect(await dropUnusedSandboxes(clone.ownerUrl, 30)).toEqual([nameOf(old)]);
  expect(await databases()).toEqual([nameOf(kept), template].sort());
}, 120_000);

test('a connection that is lost while a sandbox opens fails that request only', async () => {
  const options = { ownerUrl: clone.ownerUrl, secrets: clone.secrets, log: createLog({ name: 'test', level: 'silent' }) };
  const account = { id: randomUUID(), name: 'Interrupted' };
  const { href } = await prepareSandboxDatabase(account, options);
  const holder = new pg.Client({ connectionString: href });
  await holder.connect();
  await holder.query('select pg_advisory_lock(7105114100)');
  const opening = prepareSandboxDatabase(account, options).catch((error: unknown) => error);
  const terminate = `select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and application_name = 'migrate'`;
  await eventually(async () => expect((await server.query(terminate, [nameOf(account.id)])).rowCount).toBe(1));
  expect(await opening).toBeInstanceOf(Error);
  await holder.end();
  await prepareSandboxDatabase(account, options);
}, 60_000);

test('behind a connection pooler, databases are created on the server itself', () => {
  const direct = 'postgresql://owner@server/talent';
  expect(sandboxOwnerUrl({ DATABASE_DIRECT_URL: direct }, 'postgresql://owner@pooler/talent')).toBe(direct);
  expect(sandboxOwnerUrl({}, direct)).toBe(direct);
});

test('a name that PostgreSQL would cut is rejected', () => {
  expect(() => sandboxUrl('postgresql://host/a_name_with_more_than_25_characters', randomUUID())).toThrow(
    'The name of the database is too long for test mode',
  );
});
