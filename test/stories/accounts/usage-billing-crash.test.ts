/** A worker that is killed while it sends usage to Stripe: another one finishes, and Stripe counts everything once. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../../eventually.ts';
import { openStripe, type Stripe } from '../../stripe.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { asDatabaseOwner } from '../webhooks/fixture.ts';
import { repeat, usageOf } from './rates.ts';

let platform: TestPlatform;
let stripe: Stripe;
beforeAll(async () => {
  stripe = await openStripe();
  platform = await openTestPlatform({ isolated: true, wiring: 'separate processes', stripe: stripe.settings });
});
afterAll(async () => {
  await platform.close();
  await stripe.close();
});

test('a worker that is killed between sending and recording loses no unit and repeats none', async () => {
  const { processes } = platform;
  if (processes === null) throw new Error('Separate processes are required.');
  const client = await platform.account({ account: 'Connected' });
  await processes.stop('worker');
  await repeat(5, () => client.get('/athletes'));
  await asDatabaseOwner(
    platform,
    `update accounts.account set stripe_customer_id = 'cus_1' where id = (select account_id from accounts.api_key where public_id = $1)`,
    [client.key.slice(0, client.key.indexOf('.'))],
  );
  const recorded = async (): Promise<number> => {
    const [row] = await asDatabaseOwner(
      platform,
      `select coalesce(sum(units), 0)::int as units from accounts.usage where granularity = 'DAY' and public_id = $1`,
      [client.key.slice(0, client.key.indexOf('.'))],
    );
    // cast: the statement returns one row
    return (row as { units: number }).units;
  };
  await eventually(async () => expect(await recorded()).toBe((await usageOf(client)).month));

  let hangs = true;
  const hanging = new Promise<void>((resolve) => stripe.onHanging(resolve));
  stripe.fail(() => (hangs ? 'HANGING' : null));
  await processes.start('worker');
  await hanging;
  await processes.stop('worker', 'SIGKILL');
  hangs = false;
  expect(stripe.events()).toHaveLength(1);
  await processes.start('worker');
  await eventually(async () => {
    const rows = await asDatabaseOwner(platform, 'select units from accounts.meter_event where sent_at is not null');
    expect(rows).toHaveLength(1);
  });
  expect(stripe.requests.length).toBeGreaterThan(1);
  expect(stripe.events().map(({ value }) => value)).toEqual([await recorded()]);
});
