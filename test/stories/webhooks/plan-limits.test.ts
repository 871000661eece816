/** The number of webhook endpoints that a plan includes. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createEndpoint } from './fixture.ts';

let platform: TestPlatform;
let owner: Client;
const receiver = { url: 'http://127.0.0.1:9/' };
const limits = { burstPerMinute: 1_000_000, perDay: 1_000_000_000, perMonth: 1_000_000_000 };

beforeAll(async () => {
  platform = await openTestPlatform();
  for (const [code, webhooks] of [
    ['three', 3],
    ['one', 1],
    ['none', 0],
  ] as const) {
    const input = { code, name: code, price: { amountMinor: 0, currency: 'EUR' }, limits, writes: true, webhooks };
    await platform.administer('mutation ($input: CreatePlanInput!) { createPlan(input: $input) { code } }', { input });
  }
  owner = await platform.account({ account: 'Owner', plan: 'three' });
});
afterAll(() => platform.close());

const accountId = async (): Promise<string> => (await owner.get('/me')).body.account.id;

async function moveTo(plan: string): Promise<void> {
  await platform.administer('mutation ($id: ID!, $plan: String!) { moveAccount(id: $id, plan: $plan, when: NOW) { id } }', {
    id: await accountId(),
    plan,
  });
  await platform.settled();
}

/** Reasons of the endpoints, oldest first; null for enabled ones. */
const reasons = async (): Promise<(string | null)[]> =>
  (await owner.get('/webhooks?limit=100')).body.data
    .map(({ disabledReason }: { disabledReason: string | null }) => disabledReason)
    .reverse();

test('an account cannot enable more endpoints than its plan includes, also with concurrent requests', async () => {
  const created = await Promise.all(Array.from({ length: 6 }, () => owner.post('/webhooks', receiver)));
  expect(created.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409]);
  expect(created.find(({ status }) => status === 409)?.body).toMatchObject({
    code: 'conflict',
    detail: 'Your plan includes 3 webhook endpoints, and 3 are enabled. Disable or delete one, or change to a plan with more.',
  });
  const [first] = (await owner.get('/webhooks')).body.data;
  await owner.post(`/webhooks/${first.id}/disable`);
  const { id } = await createEndpoint(owner, receiver);
  expect((await owner.post(`/webhooks/${first.id}/enable`)).body).toMatchObject({ code: 'conflict' });
  await owner.delete(`/webhooks/${id}`, { 'if-match': '*' });
  expect((await owner.post(`/webhooks/${first.id}/enable`)).status).toBe(200);
});

test('a smaller plan disables the newest endpoints; a larger one lets the account enable them again', async () => {
  await moveTo('one');
  expect(await reasons()).toEqual([null, 'PLAN', 'PLAN']);
  const [newest] = (await owner.get('/webhooks')).body.data;
  const { body: events } = await owner.get(`/events?type=webhook_endpoint.disabled&resourceId=${newest.id}`);
  expect(events.data.at(-1).resource.version).toBe(newest.version);
  expect((await owner.post(`/webhooks/${newest.id}/enable`)).body).toMatchObject({ code: 'conflict' });
  await moveTo('three');
  expect((await owner.post(`/webhooks/${newest.id}/enable`)).body).toMatchObject({ status: 'ENABLED' });
  expect(await reasons()).toEqual([null, 'PLAN', null]);
});

test('a contract overrides the number of the plan', async () => {
  const contract = { accountId: await accountId(), plan: 'three', input: { webhooks: 4 } };
  await platform.administer(
    'mutation ($accountId: ID!, $plan: String!, $input: ContractInput!) { setContract(accountId: $accountId, plan: $plan, input: $input) { id } }',
    contract,
  );
  for (const _ of [3, 4]) await createEndpoint(owner, receiver);
  expect((await owner.post('/webhooks', receiver)).body).toMatchObject({ code: 'conflict' });
});

test('a plan without endpoints says so, and an account without a valid key has none', async () => {
  const none = await platform.account({ account: 'None', plan: 'none' });
  expect((await none.post('/webhooks', receiver)).body).toMatchObject({
    code: 'conflict',
    detail:
      'No valid key of your account has a plan that includes webhook endpoints. Create a key, or change to a plan that includes them.',
  });
  await platform.administer('mutation ($id: ID!) { suspendAccount(id: $id, reason: "test") { id } }', { id: await accountId() });
  await platform.settled();
  const admin = await platform.administrator();
  const { body } = await admin.graphql('{ webhookEndpoints(first: 100, filter: { status: ENABLED }) { nodes { id } } }');
  expect(body.data.webhookEndpoints.nodes).toEqual([]);
});
