/** The event of a closed month reaches the webhook endpoint of the account, once and signed. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { asDatabaseOwner, createEndpoint, deliveriesOf } from '../webhooks/fixture.ts';
import { openReceiver, verify, type Receiver } from '../webhooks/receiver.ts';

let platform: TestPlatform;
let receiver: Receiver;
beforeAll(async () => {
  [platform, receiver] = await Promise.all([openTestPlatform({ isolated: true }), openReceiver()]);
});
afterAll(async () => {
  await receiver.close();
  await platform.close();
});

const now = new Date();
const monthsAgo = (count: number): string =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - count, 1)).toISOString().slice(0, 7);
// in the first two hours of a month the previous one is still open
const month = monthsAgo(now.getUTCDate() === 1 && now.getUTCHours() < 2 ? 2 : 1);

/** An account whose key had its plan since the start of the month. */
async function customer(account: string) {
  const client = await platform.account({ account, plan: 'starter', scopes: ['events:read', 'webhooks:write'] });
  await asDatabaseOwner(
    platform,
    `update accounts.plan_held h set since = $2 from accounts.api_key k
     where k.public_id = $1 and h.quota_subject_id = k.quota_subject_id`,
    [client.key.slice(0, client.key.indexOf('.')), `${month}-01T00:00:00Z`],
  );
  return client;
}

test('an account receives one signed statement.closed when its month closes, however often the maintenance runs', async () => {
  const client = await customer('Customer');
  const other = await customer('Other customer');
  const path = `${receiver.url}/customer`;
  const { id, secret } = await createEndpoint(client, { url: path }, { types: ['statement.closed'] });
  await createEndpoint(other, { url: `${receiver.url}/other` }, { types: ['statement.closed'] });

  await Promise.all([platform.maintain(), platform.maintain()]);
  await platform.settled();
  await platform.maintain();
  await platform.settled();

  const requests = receiver.requests.filter((request) => request.path.endsWith('/customer'));
  expect(requests).toHaveLength(1);
  const [request] = requests;
  if (request === undefined) throw new Error('no request arrived');
  verify(secret, request);
  expect(() => verify(secret, { ...request, body: `${request.body} ` })).toThrow();
  const statement = (await client.get(`/usage/statements/${month}`)).body;
  expect(request.event).toMatchObject({
    type: 'statement.closed',
    resource: { type: 'statement', id: statement.id, version: 1 },
  });
  expect(request.headers['webhook-id']).toBe(request.event.id);
  const { data } = (await client.get('/events?type=statement.closed')).body;
  expect(data).toMatchObject([{ id: request.event.id }]);
  expect(await deliveriesOf(client, id)).toMatchObject([
    { eventId: request.event.id, type: 'statement.closed', status: 'SUCCEEDED', attemptCount: 1 },
  ]);
  expect(receiver.requests.filter(({ path: each }) => each.endsWith('/other'))).toHaveLength(1);
});
