/** Query plans of API keys and accounts: indexes serve every filter and order, with 100,000 keys and 20,000 accounts. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openDatabase } from '../../platform/database/database.ts';
import { areaRole } from '../../platform/database/roles.ts';
import { createAccountReads } from '../../subgraphs/accounts/accounts/reads.ts';
import { createApiKeyReads } from '../../subgraphs/accounts/api-keys/reads.ts';
import { readKeysNearQuota, readTopKeys } from '../../subgraphs/accounts/usage/busy-keys.ts';
import type { QueryAccountsArgs, QueryApiKeysArgs } from '../../subgraphs/accounts/generated/resolvers.ts';
import type { AreaServices } from '../../subgraphs/runtime/subgraph.ts';
import { cloneDatabase, type ClonedDatabase } from '../database.ts';
import { fillTables, inEachOrder, openExplained, testFewRowsRead } from './explained.ts';

const id = (number: string): string => `('00000000-0000-4000-8000-' || lpad((${number})::text, 12, '0'))::uuid`;
/** Enough rows for a sequential scan to be noticed. */
const some = `public_id < 'sp_live_000000020000'`;
const month = `date_trunc('month', now() at time zone 'UTC')::date`;
const day = `(now() at time zone 'UTC')::date`;

let database: ClonedDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
  await fillTables(
    database,
    'accounts',
    ['account', 'api_key', 'key_use', 'subject_usage', 'quota_threshold'],
    [
      `insert into account (id, name, created_at, status)
     select ${id('i')}, md5(i::text) || ' ' || (array['Red', 'Blue', 'Green', 'Zürich', 'Old'])[1 + i % 5] || ' Eagles', now() - random() * interval '900 days',
       case when i % 1000 = 0 then 'SUSPENDED' else 'ACTIVE' end
     from generate_series(1, 20000) i`,
      // row triggers are slow; the statements below do their work
      'alter table api_key disable trigger user',
      `insert into api_key (id, public_id, name, account_id, plan_code, plan_version, scopes, hash, pepper_version, quota_subject_id, created_by,
       status, created_at, expires_at, search)
     select ${id('i')}, 'sp_live_' || lpad(i::text, 12, '0'), n.name, a.id, case when i % 500 = 0 then 'enterprise' else 'pro' end, 1,
       case when i % 1000 = 0 then '{minors:read}' when i % 2 = 0 then '{athletes:write}' else '{}' end::text[], sha256(i::text::bytea), 1,
       ${id('i')}, 'test', case when i % 1003 = 0 then 'DISABLED' else 'ACTIVE' end, now() - random() * interval '900 days',
       case when i % 7 = 0 then now() + random() * interval '900 days' end, platform.fold(concat_ws(' ', n.name, 'sp_live_' || lpad(i::text, 12, '0'), a.name))
     from generate_series(1, 100000) i join account a on a.id = ${id('1 + i % 10000')},
       lateral (select left(md5(i::text), 6) || (array[' production', ' staging', ' import'])[1 + i % 3] as name) n`,
      'alter table api_key enable trigger user',
      `insert into key_use (key_id, used_at) select id, case when random() < 0.7 then now() - random() * interval '90 days' else '-infinity' end from api_key`,
      `insert into subject_usage select uuid_send(id), ${day}, 960, 960, ${month}, 960, 960, current_date from api_key where ${some}`,
      `insert into quota_threshold select id, 'DAY', ${day}, percent, now() - random() * interval '1 hour' from api_key, unnest(array[50, 80]) percent where ${some}`,
      `insert into usage (granularity, starts_at, quota_subject_id, account_id, public_id, plan_code, area, status_class, requests, units)
     select 'DAY', ${day} at time zone 'UTC', id, account_id, public_id, 'pro', 'athletes', 2, 960, 960 from api_key where ${some}`,
    ],
  );
});
afterAll(() => database.drop());

const inDays = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString();

function explainedOf(table: string, names?: RegExp) {
  const explained = openExplained(database, 'accounts', table, names);
  // the services that reads use
  return { ...explained, services: explained.services as unknown as AreaServices };
}

describe('keys', () => {
  let explained: ReturnType<typeof explainedOf>;
  beforeAll(() => {
    explained = explainedOf('api_key');
  });
  afterAll(() => explained.close());

  const cases: QueryApiKeysArgs[] = [
    {},
    { filter: { q: 'production' } },
    { filter: { q: 'zurich' } },
    { filter: { q: '0012345' } },
    { filter: { q: 'xylophone' } },
    { filter: { q: 'zur 99' } },
    { filter: { q: 'e' } },
    { filter: { accountId: '00000000-0000-4000-8000-000000000007' } },
    { filter: { publicId: 'sp_live_000000000007' } },
    { filter: { plan: 'pro' } },
    { filter: { plan: 'enterprise' } },
    { filter: { status: ['ACTIVE'] } },
    { filter: { status: ['DISABLED'] } },
    { filter: { status: ['REVOKED'] } },
    { filter: { scope: 'athletes:write' } },
    { filter: { scope: 'minors:read' } },
    { filter: { expiresBefore: inDays(7) } },
    { filter: { expiresBefore: inDays(800) } },
  ];
  const orders = ['CREATED_ASC', 'NAME_ASC', 'NAME_DESC', 'LAST_USED_DESC', 'LAST_USED_ASC'] as const;

  testFewRowsRead(inEachOrder(cases, orders), (args) =>
    explained.reading(() => createApiKeyReads(explained.services).list({ first: 20, sort: 'CREATED_DESC', ...args })),
  );
});

describe('accounts', () => {
  let explained: ReturnType<typeof explainedOf>;
  beforeAll(() => {
    explained = explainedOf('account');
  });
  afterAll(() => explained.close());

  const cases: QueryAccountsArgs[] = [
    {},
    { filter: { q: 'zurich' } },
    { filter: { q: 'xylophone' } },
    { filter: { name: 'Red Eagles' } },
    { filter: { status: ['ACTIVE'] } },
    { filter: { status: ['SUSPENDED'] } },
  ];

  testFewRowsRead(inEachOrder(cases, ['CREATED_ASC', 'NAME_ASC', 'NAME_DESC']), (args) =>
    explained.reading(() => createAccountReads(explained.services).list({ first: 20, sort: 'CREATED_DESC', ...args })),
  );
});

describe('with 20,000 keys near their daily quota', () => {
  test('the keys with most usage are found without reading requests, and only their requests are read', async () => {
    const explained = explainedOf('usage_day', /apiKeys\.top/);
    const { scans, rows } = await explained.reading(() => readTopKeys(explained.services.database, 'DAY', 10));
    await explained.close();
    expect(scans).not.toContain('Seq Scan');
    expect(rows).toBeLessThan(100);
  });

  test('returns the requested number of keys near their quota and reads few others', async () => {
    const explained = explainedOf('subject_usage', /apiKeys\.reached/);
    const { scans, rows } = await explained.reading(() => readKeysNearQuota(explained.services.database, 20));
    await explained.close();
    expect(scans).not.toContain('Seq Scan');
    expect(rows).toBeLessThan(1_000);
    const area = openDatabase({ url: database.urlAs(areaRole('accounts')), name: 'test-near', poolSize: 1 });
    const near = await readKeysNearQuota(area, 20);
    await area.close();
    // 960 requests are far from the enterprise quota
    expect(near).toHaveLength(0);
  });
});
