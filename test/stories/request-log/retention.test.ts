/** Retention of the request log: whole days are dropped, by the plan of the key, and partitions exist ahead. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let platform: TestPlatform;
let database: pg.Client;
let short: Client;
let long: Client;

beforeAll(async () => {
  // the partitions of this file are a change of the schema
  platform = await openTestPlatform({ isolated: true });
  database = new pg.Client({ connectionString: platform.database.ownerUrl });
  await database.connect();
  const limits = { burstPerMinute: 1_000_000, perDay: 1_000_000, perMonth: 1_000_000 };
  const price = { amountMinor: 0, currency: 'EUR' };
  const input = { code: 'thirty', name: 'Thirty', price, limits, writes: true, requestLogDays: 30 };
  await platform.administer('mutation ($input: CreatePlanInput!) { createPlan(input: $input) { requestLogDays } }', { input });
  short = await platform.account({ account: 'Short' });
  long = await platform.account({ account: 'Long', plan: 'thirty' });
});
afterAll(async () => {
  await database.end();
  await platform.close();
});

const daysOf = async (): Promise<number[]> => {
  const { rows } = await database.query<{ days: number }>(
    'select retention_days::int as days from accounts.request_log order by retention_days',
  );
  return rows.map(({ days }) => days);
};

const partitions = async (): Promise<string[]> => {
  const { rows } = await database.query<{ name: string }>(
    `select relname as name from pg_class where relname ~ '^request_log_(7|30)_[0-9]{8}$' and relkind = 'r' order by 1`,
  );
  return rows.map(({ name }) => name);
};

const move = (days: number) => database.query(`update accounts.request_log set at = at - interval '${days} days'`);
const dayOf = (daysAhead: number): string =>
  new Date(Date.now() + daysAhead * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');

async function logBoth(): Promise<void> {
  await short.get('/organizations');
  await long.get('/organizations');
  await platform.flushUsage();
}

test('rows of 7 days are deleted after a week and rows of 30 days after a month, without a partition too', async () => {
  await logBoth();
  expect(await daysOf()).toEqual([7, 30]);
  await move(6);
  await platform.maintain();
  expect(await daysOf()).toEqual([7, 30]);
  await move(2);
  await platform.maintain();
  expect(await daysOf()).toEqual([30]);
  await move(21);
  await platform.maintain();
  expect(await daysOf()).toEqual([30]);
  await move(2);
  await platform.maintain();
  expect(await daysOf()).toEqual([]);
});

test('partitions exist for the next days, and a partition is dropped once all its rows are too old', async () => {
  const ahead = await partitions();
  for (const days of [7, 30]) for (const day of [0, 1, 2, 3]) expect(ahead).toContain(`request_log_${days}_${dayOf(day)}`);
  await logBoth();
  for (const days of [7, 9, 32])
    await database.query(`select accounts.create_request_partitions((now() at time zone 'UTC')::date - ${days})`);
  expect(await partitions()).toHaveLength(ahead.length + 6);
  await move(9);
  const { rows } = await database.query<{ name: string }>(
    'select tableoid::regclass::text as name from accounts.request_log order by 1',
  );
  expect(rows.map(({ name }) => name)).toEqual([`accounts.request_log_30_${dayOf(-9)}`, `accounts.request_log_7_${dayOf(-9)}`]);
  await platform.maintain();
  expect(await daysOf()).toEqual([30]);
  const left = await partitions();
  expect(left.filter((name) => !ahead.includes(name))).toEqual(
    [`request_log_30_${dayOf(-7)}`, `request_log_30_${dayOf(-9)}`, `request_log_7_${dayOf(-7)}`].toSorted(),
  );
});

test('rollups by operation are deleted after 90 days', async () => {
  await database.query(`update accounts.request_operation set starts_at = starts_at - interval '89 days'`);
  await platform.maintain();
  const count = async () => (await database.query('select from accounts.request_operation')).rowCount;
  expect(await count()).toBeGreaterThan(0);
  await database.query(`update accounts.request_operation set starts_at = starts_at - interval '2 days'`);
  await platform.maintain();
  expect(await count()).toBe(0);
});

test('only 7 and 30 days are allowed', async () => {
  const input = { code: 'eight', name: 'Eight', price: { amountMinor: 0, currency: 'EUR' }, writes: true, requestLogDays: 8 };
  const limits = { burstPerMinute: 1, perDay: 1, perMonth: 1 };
  const create = platform.administer('mutation ($input: CreatePlanInput!) { createPlan(input: $input) { id } }', {
    input: { ...input, limits },
  });
  await expect(create).rejects.toThrow(/requestLogDays/);
});
