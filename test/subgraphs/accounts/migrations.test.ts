/** Effects of the accounts migrations on existing keys and users. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { openDatabase, sql } from '../../../platform/database/database.ts';
import { migrate } from '../../../platform/database/migrate.ts';
import { openSecrets } from '../../../platform/security/secrets.ts';
import { root } from '../../architecture/source.ts';

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
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'accounts-'));
  await server.query(sql`/* test.create */ create database accounts_migrations_test`);
});
afterAll(async () => {
  await server.query(sql`/* test.drop */ drop database accounts_migrations_test with (force)`);
  await server.close();
  await rm(folder, { recursive: true });
});

test('keys without a plan history get one from their issue to their end', async () => {
  const before = join(folder, 'accounts', 'migrations');
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
        ('a', 'active', 'Open', 'ACTIVE', null::timestamptz, null::timestamptz),
        ('b', 'expires', 'Open', 'DISABLED', '2099-01-01'::timestamptz, null),
        ('c', 'was revoked', 'Open', 'REVOKED', null, now()),
        ('d', 'of a closed account', 'Over', 'ACTIVE', null, null)
      ) k (letter, name, account, status, ends, revoked) on k.account = a.name`);
    await run(own);
    const blocked = await database.query(sql`/* test.held */
      select k.name, h.plan_code as plan, h.since = k.created_at as issued, h.until = k.expires_at as expiry, h.until is null as open
      from accounts.plan_held h join accounts.api_key k using (quota_subject_id) order by k.public_id`);
    expect(blocked).toEqual([
      { name: 'active', plan: 'pro', issued: true, expiry: null, open: true },
      { name: 'expires', plan: 'pro', issued: true, expiry: true, open: false },
      { name: 'was revoked', plan: 'pro', issued: true, expiry: null, open: false },
      { name: 'of a closed account', plan: 'pro', issued: true, expiry: null, open: false },
    ]);
  } finally {
    await database.close();
  }
});

test('existing keys become searchable by account and keep their last use, and existing usage is totaled', async () => {
  const before = join(folder, 'later', 'accounts', 'migrations');
  await mkdir(before, { recursive: true });
  for (const file of await readdir(own)) if (file < '0012') await cp(join(own, file), join(before, file));
  await server.query(sql`/* test.drop */ drop database accounts_migrations_test with (force)`);
  await server.query(sql`/* test.create */ create database accounts_migrations_test`);
  await run(before);
  const database = openDatabase({ url: url.href, name: 'test-owner', poolSize: 1 });
  try {
    await database.query(sql`/* test.key */
      with account as (insert into accounts.account (name) values ('Écurie') returning id)
      insert into accounts.api_key (public_id, name, account_id, plan_code, plan_version, hash, pepper_version, created_by, last_used_at)
      select 'sp_live_' || repeat(letter, 12), letter, id, 'pro', 1, sha256(letter::bytea), 1, 'test', used
      from account, (values ('a', '2026-11-01'::timestamptz), ('b', null)) k (letter, used)`);
    await database.query(sql`/* test.usage */
      insert into accounts.usage (granularity, starts_at, public_id, area, status_class, requests, units)
      select 'DAY', '2026-11-01', key, area, 2, 3, 2 from unnest(array['a', 'b', null]) key, unnest(array['athletes', null]) area`);
    await run(own);
    const keys = await database.query(sql`/* test.keys */
      select k.search, extract(epoch from nullif(u.used_at, '-infinity'))::int as used
      from accounts.api_key k join accounts.key_use u on u.key_id = k.id order by k.public_id`);
    expect(keys).toEqual([
      { search: 'a sp_live_aaaaaaaaaaaa ecurie', used: Date.parse('2026-11-01T00:00:00Z') / 1000 },
      { search: 'b sp_live_bbbbbbbbbbbb ecurie', used: null },
    ]);
    const totals = await database.query(sql`/* test.totals */
      select granularity, area, requests, units from accounts.usage_total order by area nulls last`);
    expect(totals).toEqual([
      { granularity: 'DAY', area: 'athletes', requests: 9, units: 6 },
      { granularity: 'DAY', area: null, requests: 9, units: 6 },
    ]);
    await database.query(
      sql`/* test.prune */ update accounts.usage_total set starts_at = now() - interval '401 days' where area is null`,
    );
    await database.query(sql`/* test.prune */ select accounts.prune_usage(0, 100)`);
    expect(await database.query(sql`/* test.left */ select area from accounts.usage_total`)).toEqual([{ area: 'athletes' }]);
  } finally {
    await database.close();
  }
});

test('email addresses get the form NFC, unless another person has that form', async () => {
  await run(own);
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    await client.query('set search_path = accounts, platform');
    const addresses = ['zoe\u0301@example.com', 'rene\u0301@example.com', 'Ren\u00e9@example.com', 'ada@example.com'];
    await client.query(
      `insert into portal_user (name, email, password_hash) select 'Person', email, 'x' from unnest($1::text[]) as email`,
      [addresses],
    );
    await client.query(await readFile(join(own, '0034-email-form.sql'), 'utf8'));
    const { rows } = await client.query<{ email: string }>('select email from portal_user order by id');
    expect(rows.map(({ email }) => email)).toEqual(['zo\u00e9@example.com', ...addresses.slice(1)]);
  } finally {
    await client.end();
  }
});
