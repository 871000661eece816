/** Usage in Stripe: the operator connects an account with a customer, and the maintenance sends its usage. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AdministratorClient } from '../../administrator.ts';
import type { Client } from '../../client.ts';
import { eventually } from '../../eventually.ts';
import { createMember } from '../../member.ts';
import { openStripe, type Fault, type Stripe } from '../../stripe.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { issueTestKey } from '../test-mode/test-key.ts';
import { asDatabaseOwner } from '../webhooks/fixture.ts';
import { usageOf } from './rates.ts';

let platform: TestPlatform;
let stripe: Stripe;
beforeAll(async () => {
  stripe = await openStripe();
  platform = await openTestPlatform({ stripe: stripe.settings });
});
afterAll(async () => {
  await platform.close();
  await stripe.close();
});

async function accountIdOf({ key }: { key: string }): Promise<string> {
  const rows = await asDatabaseOwner(platform, 'select account_id as id from accounts.api_key where public_id = $1', [
    key.slice(0, key.indexOf('.')),
  ]);
  // cast: the key is of an account
  return (rows[0] as { id: string }).id;
}

const connect = (id: string, stripeCustomerId: string | null) =>
  platform.administer(
    'mutation ($id: ID!, $input: UpdateAccountInput!) { updateAccount(id: $id, input: $input, ifMatch: "*") { stripeCustomerId } }',
    { id, input: { stripeCustomerId } },
  );

const sentTo = (customer: string): number => Object.values(stripe.unitsOf(customer)).reduce((sum, units) => sum + units, 0);

/** Makes requests until the usage of the account is recorded. */
async function use(client: Client, requests: number): Promise<void> {
  for (let index = 0; index < requests; index += 1) expect((await client.get('/athletes')).status).toBe(200);
  await platform.flushUsage();
}

test('the usage of a connected account equals the units in Stripe, also after errors between them', async () => {
  const client = await platform.account({ account: 'Connected' });
  const id = await accountIdOf(client);
  await use(client, 2);
  await platform.maintain();
  expect(stripe.requests).toHaveLength(0);

  expect((await connect(id, 'cus_connected')).updateAccount).toEqual({ stripeCustomerId: 'cus_connected' });
  await platform.maintain();
  expect(sentTo('cus_connected')).toBe(2);
  await platform.maintain();
  expect(stripe.requests).toHaveLength(1);

  await use(client, 3);
  const queue: Fault[] = ['DROPPED_AFTER'];
  stripe.fail(() => queue.shift() ?? null);
  await platform.maintain();
  // the pause before the next attempt
  const count = stripe.requests.length;
  await platform.maintain();
  expect(stripe.requests).toHaveLength(count);
  await use(client, 1);
  await eventually(async () => {
    await platform.maintain();
    expect(sentTo('cus_connected')).toBe(6);
  });
  expect(sentTo('cus_connected')).toBe((await usageOf(client)).month);
});

test('the usage of test keys is not sent', async () => {
  const tested = await issueTestKey(platform, 'Tested');
  const live = await platform.account({ account: 'Tested' });
  await connect(await accountIdOf(live), 'cus_tested');
  await use(tested, 3);
  await use(live, 1);
  await platform.maintain();
  expect(sentTo('cus_tested')).toBe(1);
});

test('a rate limit is respected', async () => {
  const client = await platform.account({ account: 'Limited' });
  await connect(await accountIdOf(client), 'cus_limited');
  await use(client, 1);
  const queue: Fault[] = ['RATE_LIMIT'];
  stripe.fail(() => queue.shift() ?? null);
  await platform.maintain();
  const limitedAtMs = performance.now();
  await eventually(async () => {
    await platform.maintain();
    expect(sentTo('cus_limited')).toBe(1);
  });
  expect(performance.now() - limitedAtMs).toBeGreaterThan(1_000);
});

test('only administrators read and set the Stripe customer, and it has the form of one', async () => {
  const owner = await createMember(platform);
  expect(await owner.codeOf('{ member { account { stripeCustomerId } } }')).toBe('GRAPHQL_VALIDATION_FAILED');
  const set = 'mutation { updateBillingData(input: { stripeCustomerId: "cus_1" }, ifMatch: "*") { id } }';
  expect(await owner.codeOf(set)).toBe('GRAPHQL_VALIDATION_FAILED');
  expect(await owner.codeOf('{ meterEvents { nodes { id } } }')).toBe('GRAPHQL_VALIDATION_FAILED');
  const administrator = await platform.administrator();
  const update = `mutation ($id: ID!, $customer: String) {
    updateAccount(id: $id, input: { stripeCustomerId: $customer }, ifMatch: "*") { stripeCustomerId }
  }`;
  const { errors } = await administrator.run(update, { id: owner.accountId, customer: 'acct_1' });
  expect(errors[0]?.extensions.errors).toMatchObject([{ code: 'format', parameter: 'updateAccount.input.stripeCustomerId' }]);
  const { data } = await administrator.run(update, { id: owner.accountId, customer: 'cus_1' });
  expect(data.updateAccount).toEqual({ stripeCustomerId: 'cus_1' });
  const viewer = await platform.administrator('VIEWER');
  expect((await viewer.run(update, { id: owner.accountId, customer: null })).errors).toHaveLength(1);
});

const list = `query ($filter: MeterEventFilter) {
  meterEvents(filter: $filter) { nodes { id version accountId customerId units status rejection sentAt } }
}`;
const settle = `mutation ($id: ID!, $outcome: MeterEventOutcome!) {
  settleMeterEvent(id: $id, outcome: $outcome, reason: "Compared") { version status }
}`;

describe('administrators', () => {
  let administrator: AdministratorClient;
  let id: string;
  beforeAll(async () => {
    administrator = await platform.administrator();
    const client = await platform.account({ account: 'Rejected' });
    id = await accountIdOf(client);
    await connect(id, 'cus_rejected');
    stripe.rejectedCustomers.add('cus_rejected');
    await use(client, 2);
    await platform.maintain();
  });

  const nodes = async (filter: object) => (await administrator.run(list, { filter })).data.meterEvents.nodes;

  test('read which usage Stripe has, and why it rejected the other', async () => {
    expect(await nodes({ status: ['REJECTED'] })).toMatchObject([
      {
        accountId: id,
        customerId: 'cus_rejected',
        units: 2,
        sentAt: null,
        rejection: "Status 400: No such customer: 'cus_rejected'",
      },
    ]);
    const { data } = await administrator.run('{ health { name kind status detail } }');
    expect(data.health).toContainEqual({
      name: 'stripe',
      kind: 'BILLING',
      status: 'DEGRADED',
      detail: 'Meter events: 1 rejected',
    });
    expect(JSON.stringify(data)).not.toContain(stripe.settings.secretKey);
  });

  test('have a rejected event sent again, or settle it', async () => {
    const [event] = await nodes({ accountId: id });
    const retried = await administrator.run(settle, { id: event.id, outcome: 'MISSING' });
    expect(retried.data.settleMeterEvent).toEqual({ version: 2, status: 'WAITING' });
    expect((await administrator.run(settle, { id: event.id, outcome: 'COUNTED' })).errors[0].extensions.code).toBe('conflict');
    stripe.rejectedCustomers.clear();
    await platform.maintain();
    expect(sentTo('cus_rejected')).toBe(2);
    expect(await nodes({ status: ['SENT'], accountId: id })).toMatchObject([{ version: 2, rejection: null }]);
  });

  test('decide on an event whose outcome stays unknown; without the role they cannot', async () => {
    const client = await platform.account({ account: 'Unknown' });
    const accountId = await accountIdOf(client);
    await connect(accountId, 'cus_unknown');
    await use(client, 1);
    stripe.fail(() => 'DROPPED_AFTER');
    await platform.maintain();
    stripe.fail();
    await asDatabaseOwner(
      platform,
      `update accounts.meter_event set unknown_since = now() - interval '1 day', next_attempt_at = now() where account_id = $1`,
      [accountId],
    );
    const [event] = await nodes({ accountId, status: ['UNKNOWN'] });
    const viewer = await platform.administrator('VIEWER');
    expect((await viewer.run(settle, { id: event.id, outcome: 'COUNTED' })).errors[0].extensions.code).toBe('insufficient_scope');
    const { data } = await administrator.run(settle, { id: event.id, outcome: 'COUNTED' });
    expect(data.settleMeterEvent).toEqual({ version: 2, status: 'SENT' });
    await use(client, 2);
    await eventually(async () => {
      await platform.maintain();
      expect(sentTo('cus_unknown')).toBe(3);
    });
    const audit = `query ($filter: AuditFilter) { auditEntries(filter: $filter) { nodes { action reason } } }`;
    const entries = await administrator.run(audit, { filter: { resourceId: event.id } });
    expect(entries.data.auditEntries.nodes).toEqual([{ action: 'settled', reason: 'Compared' }]);
  });
});

test('a key that Stripe does not accept affects nothing else', async () => {
  const client = await platform.account({ account: 'Unaffected' });
  await connect(await accountIdOf(client), 'cus_unaffected');
  await use(client, 1);
  stripe.rotate('sk_test_another');
  await platform.maintain();
  expect(stripe.requests.at(-1)?.status).toBe(401);
  expect((await client.get('/athletes')).status).toBe(200);
  await platform.settled();
  const count = stripe.requests.length;
  await platform.maintain();
  expect(stripe.requests).toHaveLength(count);
  expect(sentTo('cus_unaffected')).toBe(0);
});
