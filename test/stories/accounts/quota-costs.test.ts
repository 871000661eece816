/** The quota costs of requests, free requests, and the quota headers of all responses. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { eventually } from '../../eventually.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { repeat, remainingOf, statusCounts, usageOf } from './rates.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await openTestPlatform();
  await platform.plan('roomy', { burstPerMinute: 100_000, perDay: 1000, perMonth: 10_000 });
  await platform.plan('monthly', { burstPerMinute: 100_000, perDay: 1000, perMonth: 5 });
  await platform.plan('bursty', { burstPerMinute: 5, perDay: 1000, perMonth: 1000 });
  await platform.plan('narrow', { burstPerMinute: 100_000, perDay: 5, perMonth: 10_000 });
});
afterAll(() => platform.close());

test('an exhausted month rejects requests and is named in the error', async () => {
  const client = await platform.account({ account: 'Month', plan: 'monthly' });
  const responses = await repeat(9, () => client.get('/organizations'));
  expect(statusCounts(responses)).toEqual({ 200: 5, 429: 4 });
  expect(responses.find(({ status }) => status === 429)?.body).toMatchObject({
    code: 'quota_exceeded',
    'violated-policies': ['month'],
    limit: 5,
    used: 5,
  });
  expect(await usageOf(client)).toEqual({ day: 5, month: 5 });
});

test('an exhausted burst returns rate_limited with a waiting time and consumes no day or month quota', async () => {
  const client = await platform.account({ account: 'Burst', plan: 'bursty' });
  const responses = await repeat(40, () => client.get('/organizations'));
  const rejected = responses.filter(({ status }) => status === 429);
  const passed = responses.length - rejected.length;
  expect(passed).toBeGreaterThanOrEqual(5);
  expect(passed).toBeLessThanOrEqual(6);
  for (const { body, headers } of rejected) {
    expect(body).toMatchObject({ code: 'rate_limited', 'violated-policies': ['burst'], limit: 5 });
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(remainingOf(headers.get('ratelimit'))).toEqual({ burst: 0, day: 1000 - passed, month: 1000 - passed });
  }
});

test('every counted response has quota headers, including errors of the REST bridge', async () => {
  const client = await platform.account({ account: 'Headers', plan: 'roomy' });
  const paths = [
    '/organizations',
    '/organizations?limit=0',
    '/organizations?nonsense=1',
    '/nowhere',
    '/athletes/not-an-id',
    '/plans',
  ];
  let remaining = 1000;
  for (const path of paths) {
    const response = await client.get(path);
    remaining -= 1;
    expect({ path, ...remainingOf(response.headers.get('ratelimit')) }).toEqual({
      path,
      day: remaining,
      month: remaining + 9000,
    });
    expect(response.headers.get('ratelimit-policy')).toContain('"day";q=1000;w=86400');
    expect(response.headers.get('x-ratelimit-remaining')).toBe(String(remaining));
  }
  const malformed = await client.send('/organizations', {
    method: 'POST',
    body: '{',
    headers: { 'content-type': 'application/json' },
  });
  expect(malformed.status).toBe(400);
  const method = await client.send('/organizations', { method: 'PUT' });
  expect(method.status).toBe(405);
  expect(remainingOf(method.headers.get('ratelimit'))['day']).toBe(remaining - 2);
  const graph = await client.graphql('{ nonsense }');
  expect(graph.body.errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
  expect(remainingOf(graph.headers.get('ratelimit'))['day']).toBe(remaining - 3);
});

test('requests that docs/api-conventions.md lists as free cost nothing: /me, /usage, OPTIONS, documents, 401, 403 and 429', async () => {
  const client = await platform.account({ account: 'Free', plan: 'roomy', scopes: [] });
  const before = await usageOf(client);
  await client.get('/me');
  expect((await client.get('/usage?granularity=hour')).status).toBe(400);
  await client.send('/organizations', { method: 'OPTIONS' });
  const free = ['/api/v1', '/api/v1/openapi.json', '/docs', '/docs/problems', '/.well-known/api-catalog', '/health', '/ready'];
  for (const path of free) expect({ path, status: (await client.get(path)).status }).toEqual({ path, status: 200 });
  const denied = await client.post('/organizations', { type: 'CLUB', name: 'x', country: 'DE', sports: ['FOOTBALL'] });
  expect(denied.status).toBe(403);
  expect((await client.get('/organizations', { 'x-api-key': 'sp_live_nonsense' })).status).toBe(401);
  expect(await usageOf(client)).toEqual(before);
  expect(before).toEqual({ day: 0, month: 0 });
});

test('/plans counts but is never rejected; /me and /usage work with an exhausted quota', async () => {
  const client = await platform.account({ account: 'Spent', plan: 'monthly' });
  await repeat(6, () => client.get('/organizations'));
  expect((await client.get('/organizations')).status).toBe(429);
  for (const path of ['/plans?limit=0', '/usage?of=all', '/me?field=key']) expect((await client.get(path)).status).toBe(400);
  expect(await usageOf(client)).toEqual({ day: 6, month: 6 });
  for (const path of ['/plans', '/me']) expect((await client.get(path)).status).toBe(200);
});

test('a batch costs a tenth of its items, a replay one, a large page its estimate', async () => {
  const client = await platform.account({ account: 'Costs', plan: 'roomy' });
  const items = Array.from({ length: 25 }, (_, index) => ({
    type: 'UNIVERSITY',
    name: `College ${index}`,
    country: 'US',
    sports: [],
    externalIds: [{ scheme: 'TEST', value: `cost-${index}` }],
  }));
  expect((await client.post('/organizations/batch', { items }, { 'idempotency-key': 'cost' })).body.summary.created).toBe(25);
  expect(await usageOf(client)).toEqual({ day: 3, month: 3 });
  const [item] = items;
  await client.post('/organizations', { ...item, externalIds: [] }, { 'idempotency-key': 'one' });
  await client.post('/organizations', { ...item, externalIds: [] }, { 'idempotency-key': 'one' });
  expect(await usageOf(client)).toEqual({ day: 5, month: 5 });
  const wide = '{ organizations(first: 100) { nodes { teams(first: 5) { nodes { id } } } } }';
  expect((await client.graphql(wide)).status).toBe(200);
  expect((await usageOf(client)).day).toBeGreaterThan(6);
});

test('a batch that exceeds the quota is rejected as a whole and costs one request; smaller ones still pass', async () => {
  const client = await platform.account({ account: 'Too expensive', plan: 'monthly' });
  const items = Array.from({ length: 60 }, (_, index) => ({
    externalIds: [{ scheme: 'TEST', value: `expensive-${index}` }],
    type: 'UNIVERSITY',
    name: 'x',
    country: 'US',
    sports: [],
  }));
  const rejected = await client.post('/organizations/batch', { items });
  expect(rejected.status).toBe(429);
  expect(rejected.body).toMatchObject({ code: 'quota_exceeded', limit: 5, used: 1 });
  expect(await usageOf(client)).toEqual({ day: 1, month: 1 });
  expect((await client.get('/organizations?mine=true')).body.data).toEqual([]);
});

test('without counters both APIs read but do not write, and reads are counted afterwards', async () => {
  const client = await platform.account({ account: 'Away' });
  const club = { type: 'CLUB', name: 'Away', country: 'DE', sports: ['FOOTBALL'] };
  const { body: created } = await client.post('/organizations', club);
  const create = 'mutation ($input: CreateOrganizationInput!) { createOrganization(input: $input) { id } }';
  const owner = new pg.Client({ connectionString: platform.database.ownerUrl });
  await owner.connect();
  const counters = async (verb: string, to: string): Promise<void> => {
    for (const name of ['quota_take_many', 'quota_owe'])
      await owner.query(`${verb} execute on function accounts.${name} ${to} talent_router`);
  };
  await counters('revoke', 'from');
  const writes = await Promise.all([
    client.post('/organizations', club),
    client.post('/organizations/batch', { items: [club] }),
    client.post('/organizations/batch', { items: Array(25).fill(club) }),
    client.send(`/organizations/${created.id}`, {
      method: 'PATCH',
      body: '{"name":"Written"}',
      headers: { 'content-type': 'application/merge-patch+json', 'if-match': '*' },
    }),
    client.send(`/organizations/${created.id}`, { method: 'DELETE', headers: { 'if-match': '*' } }),
    client.graphql(create, { input: club }),
  ]);
  for (const { status, body } of writes) {
    expect({ status, code: body.code ?? body.errors[0].extensions.code }).toEqual({ status: 503, code: 'upstream_unavailable' });
  }
  const read = await client.get('/organizations?mine=true');
  expect(read.body.data).toMatchObject([{ id: created.id, name: 'Away' }]);
  // one percent of the daily quota
  expect(remainingOf(read.headers.get('ratelimit'))['day']).toBeLessThan(10_000_000);
  expect((await client.graphql('{ organizations { nodes { id } } }')).status).toBe(200);
  await counters('grant', 'to');
  await owner.end();
  await eventually(async () => expect((await client.post('/organizations', { ...club, name: 'Back' })).status).toBe(201));
  // writes before and after, and two reads; a 503 costs nothing unless its refund came too late
  expect((await usageOf(client)).day).toBeGreaterThanOrEqual(4);
});

describe('expensive requests', () => {
  const colleges = (count: number, scheme: string) =>
    Array.from({ length: count }, (_, index) => ({
      type: 'UNIVERSITY',
      name: `College ${index}`,
      country: 'US',
      sports: [],
      externalIds: [{ scheme, value: `c-${index}` }],
    }));
  const upsert = 'mutation ($items: [CreateOrganizationInput!]!) { upsertOrganizations(items: $items) { summary { created } } }';

  test('a batch of 25 costs 3 units over REST and GraphQL', async () => {
    const client = await platform.account({ account: 'Batches', plan: 'roomy' });
    expect((await client.post('/organizations/batch', { items: colleges(25, 'REST') })).body.summary.created).toBe(25);
    expect((await usageOf(client)).day).toBe(3);
    const { body } = await client.graphql(upsert, { items: colleges(25, 'GRAPHQL') });
    expect(body).toEqual({ data: { upsertOrganizations: { summary: { created: 25 } } } });
    expect((await usageOf(client)).day).toBe(6);
  });

  test('a batch that exceeds the quota is rejected before any write, with a waiting time', async () => {
    const client = await platform.account({ account: 'Narrow', plan: 'narrow' });
    const { status, headers, body } = await client.graphql(upsert, { items: colleges(200, 'NARROW') });
    expect({ status, code: body.errors[0].extensions.code }).toEqual({ status: 429, code: 'quota_exceeded' });
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await client.get('/organizations?mine=true')).body.data).toEqual([]);
  });

  test('every mutation of a document is counted', async () => {
    const client = await platform.account({ account: 'Writes', plan: 'roomy' });
    const create = (alias: string) =>
      `${alias}: createOrganization(input: { type: UNIVERSITY, name: "${alias}", country: "US", sports: [] }) { id }`;
    const { body } = await client.graphql(`mutation { ${['a', 'b', 'c'].map(create).join(' ')} }`);
    expect(Object.keys(body.data)).toEqual(['a', 'b', 'c']);
    expect((await usageOf(client)).day).toBe(3);
  });

  test('lists with only pageInfo selected cost their size', async () => {
    const client = await platform.account({ account: 'Lists', plan: 'roomy' });
    const lists = (count: number) =>
      `{ ${Array.from({ length: count }, (_, index) => `a${index}: athletes(first: 100) { pageInfo { hasMore } }`).join(' ')} }`;
    expect((await client.graphql(lists(5))).status).toBe(200);
    expect((await usageOf(client)).day).toBe(5);
    const { status, body } = await client.graphql(lists(21));
    expect({ status, code: body.errors[0].extensions.code }).toEqual({ status: 400, code: 'query_too_complex' });
    expect(body.errors[0].message).toContain('20 root fields and lists');
    expect((await usageOf(client)).day).toBe(6);
  });

  test('nested lists without `first` in the outer list cost its maximum size', async () => {
    const client = await platform.account({ account: 'Attending', plan: 'roomy' });
    const send = (within: string) =>
      client.graphql(`query ($id: ID!) { opportunity(id: $id) { attendingOrganizations { id ${within} } } }`, {
        id: '00000000-0000-4000-8000-000000000000',
      });
    await send('name');
    expect((await usageOf(client)).day).toBe(1);
    await send('teams(first: 100) { nodes { id } }');
    expect((await usageOf(client)).day).toBe(102);
    const { status, body } = await send('teams(first: 100) { nodes { members(first: 20) { nodes { id } } } }');
    expect({ status, code: body.errors[0].extensions.code }).toEqual({ status: 400, code: 'query_too_complex' });
  });
});
