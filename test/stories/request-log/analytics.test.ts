/** Analytics of requests from rollups: totals, percentiles, groups, errors, and the previous range. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import type { AdministratorClient } from '../../administrator.ts';
import type { ApiResponse, Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';

let platform: TestPlatform;
let owner: Client & { readonly key: string };
let administrator: AdministratorClient;
let database: pg.Client;

beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Analytics' });
  administrator = await platform.administrator('VIEWER');
  database = new pg.Client({ connectionString: platform.database.ownerUrl });
  await database.connect();
  for (let count = 0; count < 3; count += 1) await owner.get('/athletes?limit=1');
  await owner.get('/athletes?sprot=FOOTBALL');
  await owner.graphql('query Clubs { organizations(first: 1) { nodes { id } } }');
  await owner.graphql('{ organizations(first: 1) { nodes { id } } nothing }', {}, { accept: 'application/json' });
  await platform.flushUsage();
});
afterAll(async () => {
  await database.end();
  await platform.close();
});

async function analytics(query = ''): Promise<ApiResponse['body']> {
  const { status, body } = await owner.get(`/requests/analytics${query}`);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
}

const named = ({ groups }: ApiResponse['body']) =>
  Object.fromEntries(
    groups.map(({ name, summary }: { name: string | null; summary: { requests: number; errors: number } }) => [
      String(name),
      [summary.requests, summary.errors],
    ]),
  );

test('groups requests by operation, area, key and outcome', async () => {
  const byOperation = await analytics();
  expect(byOperation.total).toMatchObject({ requests: 6, errors: 2, errorRate: 2 / 6 });
  expect(byOperation.total.p50Ms).toBeLessThanOrEqual(byOperation.total.p95Ms);
  expect(byOperation.total.p95Ms).toBeLessThanOrEqual(byOperation.total.p99Ms);
  expect(named(byOperation)).toEqual({ 'GET /api/v1/athletes': [4, 1], Clubs: [1, 0], null: [1, 1] });
  expect(byOperation.groups[0]).toMatchObject({ api: 'REST', previous: null });
  expect(named(await analytics('?by=AREA'))).toEqual({ athletes: [4, 1], organizations: [1, 0], null: [1, 1] });
  expect(named(await analytics('?by=STATUS'))).toEqual({ SUCCESS: [5, 1], CLIENT_ERROR: [1, 1] });
  expect(named(await analytics('?by=KEY'))).toEqual({ [owner.key.split('.', 1)[0] ?? '']: [6, 2] });
  expect(
    byOperation.series.reduce((sum: number, { summary }: { summary: { requests: number } }) => sum + summary.requests, 0),
  ).toBe(6);
  expect(byOperation.errors).toEqual([
    { code: 'GRAPHQL_VALIDATION_FAILED', requests: 1, previous: 0 },
    { code: 'unknown_parameter', requests: 1, previous: 0 },
  ]);
});

test('administrators read all accounts, or one', async () => {
  const query = `query ($id: ID, $by: RequestDimension!) {
    requestAnalytics(accountId: $id, by: $by) { total { requests } groups { name } errors { code requests } series { startsAt } } }`;
  const { account } = (await owner.get('/me')).body;
  await platform.flushUsage();
  const all = (await administrator.run(query, { by: 'OPERATION' })).data.requestAnalytics;
  const own = (await administrator.run(query, { by: 'OPERATION', id: account.id })).data.requestAnalytics;
  expect(all.total.requests).toBeGreaterThanOrEqual(own.total.requests);
  expect(own.groups).toContainEqual({ name: 'Clubs' });
  expect(all.groups).not.toContainEqual({ name: 'Clubs' });
  expect(all.groups).toContainEqual({ name: 'GET /api/v1/athletes' });
  const withoutAccount = await administrator.run(query, { by: 'KEY' });
  expect(withoutAccount.errors[0].extensions).toMatchObject({ code: 'parameter_invalid', errors: [{ parameter: 'by' }] });
});

test('compares with the previous range of the same length', async () => {
  await platform.flushUsage();
  for (const table of ['request_operation', 'request_error'])
    await database.query(`update accounts.${table} set starts_at = starts_at - interval '24 hours'`);
  const after = await analytics();
  expect(after.total.requests).toBe(0);
  expect(after.groups).toEqual([]);
  expect(after.previous.requests).toBeGreaterThanOrEqual(6);
  const wide = await analytics(`?since=${new Date(Date.now() - 40 * 3_600_000).toISOString()}`);
  expect(wide.total.requests).toBe(after.previous.requests);
  expect(wide.previous.requests).toBe(0);
  const daily = await analytics(`?since=${new Date(Date.now() - 80 * 86_400_000).toISOString()}`);
  expect(daily.previous).toBeNull();
  expect(daily.series).toHaveLength(1);
  expect(daily.series[0].startsAt).toMatch(/T00:00:00/);
});

test('rejects ranges that are empty or not retained', async () => {
  for (const [query, parameter] of [
    ['?since=2020-01-01T00:00:00Z', 'since'],
    [`?since=${new Date(Date.now() + 86_400_000).toISOString()}`, 'since'],
  ])
    expect((await owner.get(`/requests/analytics${query}`)).body).toMatchObject({ status: 400, errors: [{ parameter }] });
});
