/** Plans and their versions, and the reads of a key: `me` and `usage`. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ANONYMOUS, type Viewer } from '../../../schema/viewer.ts';
import { openTestArea, type TestArea } from './test-area.ts';

let area: TestArea;
beforeAll(async () => {
  area = await openTestArea();
});
afterAll(() => area.close());

const create = `mutation ($input: CreatePlanInput!, $key: String) { createPlan(input: $input, idempotencyKey: $key) { id code version } }`;
const change = `mutation ($code: String!, $input: ChangePlanInput!, $ifMatch: String!) {
  changePlan(code: $code, input: $input, ifMatch: $ifMatch) { id version name limits { perDay } } }`;
const planOf = (code: string, limits: object = {}) => ({
  code,
  name: code,
  price: { amountMinor: 100, currency: 'EUR' },
  limits: { burstPerMinute: 100, perDay: 50, perMonth: 60, ...limits },
  writes: true,
});

function viewerOf(admitted: Awaited<ReturnType<TestArea['admit']>>): Viewer {
  if (admitted.kind !== 'ADMITTED') throw new Error(admitted.problem.message);
  return admitted.viewer;
}

test('all callers can list the plans, cheapest first, with pagination', async () => {
  const page = `query ($after: String) { plans(first: 3, after: $after) {
    nodes { code version price { amountMinor currency } limits { burstPerMinute perDay perMonth } writes webhooks streams status }
    pageInfo { nextCursor hasMore } } }`;
  const first = await area.run(page, {}, ANONYMOUS);
  expect(first.data.plans.nodes.map(({ code }) => code)).toEqual(['free', 'starter', 'pro']);
  expect(first.data.plans.nodes[2]).toEqual({
    code: 'pro',
    version: 1,
    price: { amountMinor: 14900, currency: 'EUR' },
    limits: { burstPerMinute: 900, perDay: 100000, perMonth: 1500000 },
    writes: true,
    webhooks: 10,
    streams: 50,
    status: 'ACTIVE',
  });
  const second = await area.run(page, { after: first.data.plans.pageInfo.nextCursor }, ANONYMOUS);
  expect(second.data.plans).toMatchObject({ nodes: [{ code: 'enterprise' }], pageInfo: { hasMore: false, nextCursor: null } });
  expect((await area.run('{ plan(code: "gold") { code } }', {}, ANONYMOUS)).data.plan).toBeNull();
});

test('a changed plan is a new version, and keys keep their version until they are moved', async () => {
  const created = await area.run(create, { input: planOf('local') });
  const { key, apiKey } = await area.issue({ plan: 'local' });
  const viewer = viewerOf(await area.admit(key));
  const changed = await area.run(change, {
    code: 'local',
    input: { limits: { burstPerMinute: 100, perDay: 70, perMonth: 80 } },
    ifMatch: '1',
  });
  expect(changed.data.changePlan).toEqual({ id: created.data.createPlan.id, version: 2, name: 'local', limits: { perDay: 70 } });
  const currentPlan = '{ me { plan { version status } limits { perDay } } }';
  expect((await area.run(currentPlan, {}, viewer)).data.me).toEqual({
    plan: { version: 1, status: 'RETIRED' },
    limits: { perDay: 50 },
  });
  await area.run(`mutation ($id: ID!) { moveApiKey(id: $id, plan: "local") { id } }`, {
    id: apiKey.id,
  });
  expect((await area.run(currentPlan, {}, viewer)).data.me).toEqual({
    plan: { version: 2, status: 'ACTIVE' },
    limits: { perDay: 70 },
  });
  const versions = await area.run('{ planVersions(code: "local") { version status } }');
  expect(versions.data.planVersions).toEqual([
    { version: 2, status: 'ACTIVE' },
    { version: 1, status: 'RETIRED' },
  ]);
});

test('one of twenty concurrent changes of a version succeeds; a change without effect creates no version', async () => {
  await area.run(create, { input: planOf('raced') });
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, index) => area.run(change, { code: 'raced', input: { name: `n${index}` }, ifMatch: '1' })),
  );
  expect(responses.filter(({ codes }) => codes.length === 0)).toHaveLength(1);
  for (const { codes } of responses.filter((response) => response.codes.length > 0))
    expect(['precondition_failed', 'not_found']).toContain(codes[0]);
  const winner = responses.find(({ codes }) => codes.length === 0)?.data.changePlan.name;
  const same = await area.run(change, { code: 'raced', input: { name: winner }, ifMatch: '*' });
  expect(same.data.changePlan.version).toBe(2);
  const cleared = await area.run(change, { code: 'raced', input: { name: null }, ifMatch: '*' });
  expect(cleared.codes).toEqual(['validation_failed']);
});

test('a plan code is unique; a repeated Idempotency-Key returns the first response', async () => {
  const input = planOf('once');
  const first = await area.run(create, { input, key: 'k1' });
  expect((await area.run(create, { input, key: 'k1' })).data).toEqual(first.data);
  expect((await area.run(create, { input })).codes).toEqual(['conflict']);
  expect((await area.run(create, { input: planOf('twice'), key: 'k1' })).codes).toEqual(['idempotency_key_reused']);
});

test('a key reads its account, scopes and plan', async () => {
  const { key, apiKey } = await area.issue({
    name: 'site',
    scopes: ['events:read'],
    allowedCidrs: ['203.0.113.0/24'],
    expiresAt: '2099-01-01T00:00:00Z',
  });
  const viewer = viewerOf(await area.admit(key));
  const { data } = await area.run(
    '{ me { account { name } key { publicId name scopes allowedCidrs expiresAt status } plan { code } } }',
    {},
    viewer,
  );
  expect(data.me).toEqual({
    account: { name: 'Acme FC' },
    key: {
      publicId: apiKey.publicId,
      name: 'site',
      scopes: ['events:read'],
      allowedCidrs: ['203.0.113.0/24'],
      expiresAt: '2099-01-01T00:00:00.000Z',
      status: 'ACTIVE',
    },
    plan: { code: 'pro' },
  });
  expect((await area.run('{ me { key { name } } }', {}, ANONYMOUS)).codes).toEqual(['api_key_missing']);
  expect((await area.run('{ usage { day { used } } }', {}, ANONYMOUS)).codes).toEqual(['api_key_missing']);
});

test('usage returns the counters of admission without charging', async () => {
  await area.run(create, { input: planOf('small') });
  const { key } = await area.issue({ plan: 'small' });
  const usage = '{ usage { day { startsOn used limit remaining resetAt } month { startsOn used limit remaining resetAt } } }';
  const viewer = viewerOf(await area.admit(key));
  await Promise.all([area.admit(key), area.admit(key)]);
  for (let time = 0; time < 2; time += 1) {
    const { data } = await area.run(usage, {}, viewer);
    expect(data.usage).toMatchObject({
      day: { used: 3, limit: 50, remaining: 47 },
      month: { used: 3, limit: 60, remaining: 57 },
    });
    const { day, month } = data.usage;
    expect(Date.parse(day.resetAt) - Date.parse(day.startsOn)).toBe(86_400_000);
    expect(day.startsOn.slice(0, 8)).toBe(month.startsOn.slice(0, 8));
    expect(month.startsOn).toMatch(/-01$/);
    expect(month.resetAt).toMatch(/-01T00:00:00.000Z$/);
  }
});
