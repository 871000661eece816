/** What migrations of accounts make of the keys that are there. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { openDatabase, sql } from '../../platform/database.ts';
import { migrate } from '../../platform/migrate.ts';
import { openSecrets } from '../../platform/secrets.ts';
import { root } from '../architecture/source.ts';

const url = new URL(process.env.TEST_DATABASE_URL ?? '');
const server = openDatabase({ url: url.href, name: 'test-server', poolSize: 1 });
url.pathname = '/accounts_migrations_test';
const own = join(root, 'subgraphs', 'accounts', 'migrations');
const run = (directory: string) =>
  migrate({
    ownerUrl: url.href,
    areas: [{ schema: 'accounts', directories: [join(root, 'platform', 'migrations'), directory] }],
    secrets: openSecrets(process.env.TEST_SECRET ?? ''),
    log: pino({ level: 'silent' }),
  });
let room: string;

beforeAll(async () => {
  room = await mkdtemp(join(tmpdir(), 'accounts-'));
  await server.query(sql`/* test.create */ create database accounts_migrations_test`);
});
afterAll(async () => {
  await server.query(sql`/* test.drop */ drop database accounts_migrations_test with (force)`);
  await server.close();
  await rm(room, { recursive: true });
});

test('keys from before lineages held plans hold theirs since they were issued, until they end', async () => {
  const before = join(room, 'accounts', 'migrations');
  await mkdir(before, { recursive: true });
  for (const file of await readdir(own)) if (file < '0006') await cp(join(own, file), join(before, file));
  await run(before);
  const database = openDatabase({ url: url.href, name: 'test-owner', poolSize: 1 });
  try {
    await database.query(
      sql`/* test.accounts */ insert into accounts.account (name, status) values ('Open', 'ACTIVE'), ('Over', 'CLOSED')`,
    );
    await database.query(sql`/* test.keys */
      insert into accounts.api_key (public_id, name, account_id, plan_code, plan_version, hash, pepper_version, created_by, status, expires_at, revoked_at)
      select 'sp_live_' || repeat(k.letter, 12), k.name, a.id, 'pro', 1, sha256(k.letter::bytea), 1, 'test', k.status, k.ends, k.revoked
      from accounts.account a join (values
        ('a', 'lives', 'Open', 'ACTIVE', null::timestamptz, null::timestamptz),
        ('b', 'expires', 'Open', 'DISABLED', '2099-01-01'::timestamptz, null),
        ('c', 'was revoked', 'Open', 'REVOKED', null, now()),
        ('d', 'of a closed account', 'Over', 'ACTIVE', null, null)
      ) k (letter, name, account, status, ends, revoked) on k.account = a.name`);
    await run(own);
    const held = await database.query(sql`/* test.held */
      select k.name, h.plan_code as plan, h.since = k.created_at as issued, h.until = k.expires_at as expiry, h.until is null as open
      from accounts.plan_held h join accounts.api_key k using (quota_subject_id) order by k.public_id`);
    expect(held).toEqual([
      { name: 'lives', plan: 'pro', issued: true, expiry: null, open: true },
      { name: 'expires', plan: 'pro', issued: true, expiry: true, open: false },
      { name: 'was revoked', plan: 'pro', issued: true, expiry: null, open: false },
      { name: 'of a closed account', plan: 'pro', issued: true, expiry: null, open: false },
    ]);
  } finally {
    await database.close();
  }
});
