/** Usage in Stripe: the operator connects an account with a customer, and the maintenance sends its usage. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { eventually } from '../../eventually.ts';
import { createMember } from '../../member.ts';
import { openStripe, type Fault, type Stripe } from '../../stripe.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
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

test('requests and the closing of months continue while Stripe does not accept the key', async () => {
  const client = await platform.account({ account: 'Unaffected' });
  await connect(await accountIdOf(client), 'cus_unaffected');
  await use(client, 1);
  const { secretKey } = stripe.settings;
  stripe.rotate('sk_test_another');
  await platform.maintain();
  expect(stripe.requests.at(-1)?.status).toBe(401);
  expect((await client.get('/athletes')).status).toBe(200);
  await platform.maintain();
  await platform.settled();
  stripe.rotate(secretKey);
  expect(sentTo('cus_unaffected')).toBe(0);
});

test('only administrators read and set the Stripe customer, and it has the form of one', async () => {
  const owner = await createMember(platform);
  expect(await owner.codeOf('{ member { account { stripeCustomerId } } }')).toBe('GRAPHQL_VALIDATION_FAILED');
  const set = 'mutation { updateBillingData(input: { stripeCustomerId: "cus_1" }, ifMatch: "*") { id } }';
  expect(await owner.codeOf(set)).not.toBeNull();
  await expect(connect(owner.accountId, 'acct_1')).rejects.toThrow('stripeCustomerId');
});
