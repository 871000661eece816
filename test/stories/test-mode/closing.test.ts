/** When test data closes: streams that wait do not keep it open, and pending webhook deliveries do. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { sandboxUrl } from '../../../wiring/sandboxes/database.ts';
import { eventually } from '../../eventually.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { openSource } from '../events/event-source.ts';
import { asDatabaseOwner, createEndpoint, passTime } from '../webhooks/fixture.ts';
import { openReceiver, type Receiver } from '../webhooks/receiver.ts';
import { club, issueTestKey } from './test-key.ts';

let receiver: Receiver;
let platform: TestPlatform;
beforeAll(async () => {
  receiver = await openReceiver();
});
afterEach(() => platform.close());
afterAll(() => receiver.close());

/** Makes the next attempts of an endpoint in test data due now: after a second failed attempt, the next one is minutes later. */
async function passTimeOfTestData(accountName: string, endpointId: string): Promise<void> {
  const [account] = await asDatabaseOwner(platform, 'select id from accounts.account where name = $1', [accountName]);
  const { href: ownerUrl } = sandboxUrl(platform.database.ownerUrl, (account as { id: string }).id);
  await passTime({ database: { ownerUrl }, settled: () => platform.settled() }, endpointId);
}

/** Whether the test data of an account has connections to the database server. */
async function isOpen(accountName: string): Promise<boolean> {
  const rows = await asDatabaseOwner(
    platform,
    `select from accounts.account a join pg_stat_activity s on s.datname = current_database() || '_test_' || replace(a.id::text, '-', '')
     where a.name = $1 limit 1`,
    [accountName],
  );
  return rows.length > 0;
}

test('a stream that waits does not keep test data open, and continues when it opens again', async () => {
  platform = await openTestPlatform({ sandboxes: { idleMs: 1_000 } });
  const one = await issueTestKey(platform, 'One');
  const type = 'organization.created';
  const source = await openSource(platform, one.key, { query: `?type=${type}`, types: [type] });
  expect(await isOpen('One')).toBe(true);
  await eventually(async () => expect(await isOpen('One')).toBe(false));
  expect([source.opened(), source.failures]).toEqual([1, []]);
  expect((await one.post('/organizations', club('Late FC'))).status).toBe(201);
  await source.until((events) => events.length === 1, 10_000);
  expect([source.opened(), source.failures]).toEqual([1, []]);
  source.close();
});

test('test data with pending webhook deliveries is not closed for that of another account', async () => {
  platform = await openTestPlatform({ sandboxes: { openMax: 1 } });
  const [one, two] = [await issueTestKey(platform, 'One'), await issueTestKey(platform, 'Two')];
  receiver.respond((_, response) => void response.writeHead(500).end());
  const { id } = await createEndpoint(one, receiver, { types: ['organization.created'] });
  await one.post('/organizations', club('Webhook FC'));
  await receiver.received(1);
  await platform.settled();
  expect(await two.get('/organizations')).toMatchObject({ status: 503, body: { code: 'overloaded' } });
  expect(await isOpen('One')).toBe(true);
  await one.delete(`/webhooks/${id}`, { 'if-match': '*' });
  await eventually(async () => expect((await two.get('/organizations')).status).toBe(200));
});

test.each([
  ['some time after its last request', { openMax: 1, sendMs: 1_000 }, false],
  ['some time after it opened, also while it has requests', { openMax: 1, idleMs: 3_000 }, true],
])('pending webhook deliveries keep no place of another account: %s', async (_, sandboxes, hasRequests) => {
  platform = await openTestPlatform({ sandboxes });
  receiver.requests.length = 0;
  receiver.respond((_request, response) => void response.writeHead(500).end());
  const [one, two] = [await issueTestKey(platform, 'One'), await issueTestKey(platform, 'Two')];
  const { id } = await createEndpoint(one, receiver, { types: ['organization.created'] });
  await one.post('/organizations', club('Webhook FC'));
  await receiver.received(1);
  await eventually(async () => {
    if (hasRequests) await one.get('/organizations');
    expect((await two.get('/organizations')).status).toBe(200);
  }, 20_000);
  // the deliveries continue when the test data opens again
  const sent = receiver.requests.length;
  receiver.respond();
  await eventually(async () => expect((await one.get('/organizations')).status).toBe(200));
  await passTimeOfTestData('One', id);
  await receiver.received(sent + 1);
});
