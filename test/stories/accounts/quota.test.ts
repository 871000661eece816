/** Quotas are exact: concurrent requests succeed exactly up to the limit, and a rejection consumes nothing. */
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { createClient, type ApiResponse, type Client } from '../../client.ts';
import { eventually } from '../../eventually.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { consumeQuota, repeat, remainingOf, statusCounts, untilAvailable, usageOf } from './rates.ts';

const concurrent = 500;
const left = 100;
const usedBefore = 20;
/** Only the day is exhausted; burst and month have quota left. */
const daily = { burstPerMinute: 100_000, perDay: left + usedBefore, perMonth: 100_000 };
const policy = /^"burst";q=100000;w=60, "day";q=120;w=86400, "month";q=100000;w=2(?:678400|592000|505600|419200)$/;

const from = (address: string) => ({ 'x-forwarded-for': address });
const organizations = '{ organizations(first: 1) { nodes { id } } }';

/** A quota rejection as docs/api-conventions.md describes it. */
function expectRejection({ status, headers, body }: ApiResponse, plan: string): void {
  expect(status).toBe(429);
  expect(headers.get('cache-control')).toBe('no-store');
  const problem = headers.get('content-type')?.includes('problem+json') === true;
  if (problem)
    expect(body).toMatchObject({ type: 'https://iana.org/assignments/http-problem-types#quota-exceeded', status: 429 });
  // GraphQL has the same members in the extensions of its error
  const members = problem ? body : body.errors[0].extensions;
  expect(members).toMatchObject({
    code: 'quota_exceeded',
    'violated-policies': ['day'],
    plan,
    limit: daily.perDay,
    used: daily.perDay,
  });
  const tomorrow = new Date(Math.ceil(Date.now() / 86_400_000) * 86_400_000).toISOString();
  expect(members.resetAt).toBe(tomorrow);
  const wait = (Date.parse(tomorrow) - Date.now()) / 1000;
  expect(Math.abs(Number(headers.get('retry-after')) - wait)).toBeLessThan(30);
  expect(headers.get('x-ratelimit-limit')).toBe(String(daily.perDay));
  expect(headers.get('x-ratelimit-remaining')).toBe('0');
  expect(headers.get('x-ratelimit-reset')).toBe(headers.get('retry-after'));
  expect(headers.get('ratelimit-policy')).toMatch(policy);
  expect(remainingOf(headers.get('ratelimit'))).toMatchObject({ day: 0, month: daily.perMonth - daily.perDay });
}

/** Sends concurrent requests and expects exactly the remaining ones to succeed. */
async function expectExact(send: (index: number) => Promise<ApiResponse>, plan: string): Promise<void> {
  const replies = await repeat(concurrent, untilAvailable(send));
  expect(replies.filter(({ status }) => status !== 200 && status !== 429).map(({ body }) => body)).toEqual([]);
  expect(statusCounts(replies)).toEqual({ 200: left, 429: concurrent - left });
  for (const response of replies.filter(({ status }) => status === 429)) expectRejection(response, plan);
  // each response has a different remaining value; the lowest one is exact
  const remaining = replies
    .filter(({ status }) => status === 200)
    .map(({ headers }) => remainingOf(headers.get('ratelimit'))['month'] ?? -1);
  expect(Math.min(...remaining)).toBe(daily.perMonth - daily.perDay);
}

describe('in one process', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await openTestPlatform({ freeLimits: daily });
    await platform.plan('daily', daily);
  });
  afterAll(() => platform.close());

  test.each(['REST', 'GraphQL'])(
    '500 concurrent requests of a key with 100 left: 100 succeed over %s, and the month counts 100',
    async (api) => {
      const client = await platform.account({ account: `Concurrent ${api}`, plan: 'daily' });
      await consumeQuota(usedBefore, () => client.get('/organizations'));
      expect(await usageOf(client)).toEqual({ day: usedBefore, month: usedBefore });
      await expectExact(() => (api === 'REST' ? client.get('/organizations?limit=1') : client.graphql(organizations)), 'daily');
      expect(await usageOf(client)).toEqual({ day: daily.perDay, month: daily.perDay });
    },
  );

  test('the same for an address without a key over both APIs, without effect on other addresses', async () => {
    const address = from('203.0.113.7');
    await consumeQuota(usedBefore, () => platform.anonymous.get('/organizations', address));
    await expectExact(
      (index) =>
        index % 2 === 0
          ? platform.anonymous.get('/organizations?limit=1', address)
          : platform.anonymous.graphql(organizations, {}, address),
      'free',
    );
    const neighbor = await platform.anonymous.get('/organizations', from('203.0.113.8'));
    expect(remainingOf(neighbor.headers.get('ratelimit'))).toEqual({ day: daily.perDay - 1, month: daily.perMonth - 1 });
  });

  test('IPv6 callers are counted by /64, and a forged first hop has no effect', async () => {
    const address = (index: number) => from(`198.51.100.${index}, 2001:db8:1:2:${index.toString(16)}::1`);
    const replies = await repeat(daily.perDay + 10, (index) => platform.anonymous.get('/organizations?limit=1', address(index)));
    expect(statusCounts(replies)).toEqual({ 200: daily.perDay, 429: 10 });
  });

  test('trusted proxies determine the caller with either header; other senders are ignored', async () => {
    const left = ({ headers }: ApiResponse): number => remainingOf(headers.get('ratelimit'))['day'] ?? -1;
    const requested = (headers: Record<string, string>) => platform.anonymous.get('/organizations?limit=1', headers);
    const byGraph = (headers: Record<string, string>) => platform.anonymous.graphql(organizations, {}, headers);
    expect(left(await requested(from('203.0.113.50')))).toBe(daily.perDay - 1);
    expect(left(await byGraph({ forwarded: 'for=198.51.100.1, for="203.0.113.50:4711";proto=https' }))).toBe(daily.perDay - 2);
    expect(left(await byGraph({ ...from('203.0.113.50'), forwarded: 'for=203.0.113.51' }))).toBe(daily.perDay - 3);
    expect(left(await requested({ forwarded: 'for=203.0.113.50' }))).toBe(daily.perDay - 4);

    const forgedHeaders = [{}, from('203.0.113.60'), { forwarded: 'for=203.0.113.61' }, from('203.0.113.62')];
    const paths = ['/api/v1/organizations', '/graphql?query={__typename}'];
    const responses = [];
    for (const [index, forged] of forgedHeaders.entries()) {
      const { statusCode, headers } = await getFrom('127.0.0.2', `${platform.restUrl}${paths[index % 2] ?? ''}`, forged);
      responses.push({ statusCode, day: remainingOf(String(headers['ratelimit']))['day'] });
    }
    expect(responses).toEqual([1, 2, 3, 4].map((count) => ({ statusCode: 200, day: daily.perDay - count })));
  });

  test('statements of closed months are listed newest first with pagination, and are visible to their account only', async () => {
    const client = await platform.account({ account: 'Billed', plan: 'daily' });
    const publicId = client.key.slice(0, client.key.indexOf('.'));
    const other = await platform.account({ account: 'Not billed', plan: 'daily' });
    expect((await client.get('/usage/statements')).body).toEqual({ data: [], page: { nextCursor: null, hasMore: false } });
    const now = new Date();
    const monthsAgo = (count: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count, 1)).toISOString();
    const database = new pg.Client({ connectionString: platform.database.ownerUrl });
    await database.connect();
    await database.query(
      `update accounts.plan_held h set since = $2 from accounts.api_key k where k.public_id = $1 and h.quota_subject_id = k.quota_subject_id`,
      [publicId, monthsAgo(3)],
    );
    await database.end();
    await platform.maintain();
    // in the first two hours of a month the previous one is still open
    const first = (await client.get('/usage/statements?limit=2')).body;
    const rest = (await client.get(`/usage/statements?limit=2&cursor=${first.page.nextCursor}`)).body;
    const months = [...first.data, ...rest.data].map(({ month }: { month: string }) => month);
    const open = now.getUTCDate() === 1 && now.getUTCHours() < 2;
    expect(months).toEqual([1, 2, 3].slice(open ? 1 : 0).map((count) => monthsAgo(count).slice(0, 7)));
    const [month = ''] = months.slice(-1);
    expect((await client.get(`/usage/statements/${month}`)).body).toMatchObject({
      month,
      totals: [{ amountMinor: 0, currency: 'EUR' }],
      lines: [{ plan: 'daily', planVersion: 1, publicId: publicId, price: { amountMinor: 0, currency: 'EUR' }, units: 0 }],
      requests: 0,
      lateRequests: 0,
    });
    expect((await other.get(`/usage/statements/${month}`)).status).toBe(404);
    expect((await client.get('/usage/statements/2026-13')).status).toBe(404);
    for (const past of ['1999-12', '0000-01', '0999-12'])
      expect((await client.get(`/usage/statements/${past}`)).status).toBe(404);
    expect((await platform.anonymous.get('/usage/statements')).status).toBe(401);
    expect((await usageOf(client)).day).toBe(0);
    const { accounts } = (await platform.administer(
      '{ accounts(filter: { name: "Billed" }) { nodes { statements { nodes { month } } usage(granularity: MONTH) { units } } } }',
    )) as { accounts: { nodes: readonly { statements: { nodes: readonly unknown[] } }[] } };
    expect(accounts.nodes[0]?.statements.nodes).toHaveLength(months.length);
  });
});

/** Sends a request from another address of this machine, which is not a trusted proxy. */
async function getFrom(localAddress: string, url: string, headers: Record<string, string>): Promise<IncomingMessage> {
  const request = httpRequest(url, { localAddress, headers: { 'content-type': 'application/json', ...headers } });
  request.end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response.resume();
}

describe('over two router processes', () => {
  let platform: TestPlatform;
  let routers: (key: string | null) => Client[];
  beforeAll(async () => {
    platform = await openTestPlatform({ wiring: 'separate processes', freeLimits: daily, routers: 2 });
    await platform.plan('daily', daily);
    routers = (key) => platform.routerUrls.map((graphqlUrl) => createClient({ restUrl: platform.restUrl, graphqlUrl, key }));
  });
  afterAll(() => platform.close());

  /** Alternates between both routers over GraphQL and the REST bridge. */
  const turns =
    (clients: readonly Client[], headers: Record<string, string> = {}) =>
    (index: number): Promise<ApiResponse> => {
      const [first, second] = clients;
      if (!first || !second) throw new Error('Two routers are required.');
      if (index % 3 === 0) return first.get('/organizations?limit=1', headers);
      return (index % 3 === 1 ? first : second).graphql(organizations, {}, headers);
    };

  test('500 concurrent requests of a key with 100 left: 100 succeed, and the month counts 100', async () => {
    const client = await platform.account({ account: 'Two routers', plan: 'daily' });
    await consumeQuota(usedBefore, turns(routers(client.key)));
    await expectExact(turns(routers(client.key)), 'daily');
    expect(await usageOf(client)).toEqual({ day: daily.perDay, month: daily.perDay });
  });

  test('a disabled or enabled key takes effect on both routers', async () => {
    const client = await platform.account({ account: 'Turned off', plan: 'daily' });
    const publicId = client.key.split('.')[0] ?? '';
    const find = await platform.administer('query ($id: String!) { apiKeys(filter: { publicId: $id }) { nodes { id } } }', {
      id: publicId,
    });
    const [{ id } = { id: '' }] = (find['apiKeys'] as { nodes: { id: string }[] }).nodes;
    const both = async (status: number): Promise<void> => {
      const replies = await Promise.all(routers(client.key).map((router) => router.graphql(organizations)));
      expect(replies.map((response) => response.status)).toEqual([status, status]);
    };
    await both(200);
    for (const [verb, status] of [
      ['disable', 401],
      ['enable', 200],
    ] as const) {
      await platform.administer(`mutation ($id: ID!) { ${verb}ApiKey(id: $id) { id } }`, { id });
      await eventually(() => both(status));
    }
  });

  test('the same for an address without a key', async () => {
    const address = from('203.0.113.9');
    await consumeQuota(usedBefore, turns(routers(null), address));
    await expectExact(turns(routers(null), address), 'free');
  });
});
