/** Deliveries: retries, order, failing endpoints, and endpoints that do not respond. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { eventually } from '../../eventually.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createClub } from '../organizations/clubs.ts';
import { asDatabaseOwner, createEndpoint, deleteEndpoints, deliveriesOf, deliveryOf, passTime } from './fixture.ts';
import { openReceiver, verify, type Receiver } from './receiver.ts';

let platform: TestPlatform;
let owner: Client;
let receiver: Receiver;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Owner' });
});
afterEach(async () => {
  await deleteEndpoints(owner);
  await receiver.close();
});
afterAll(() => platform.close());

/** An endpoint for tests only, which responds with a status. */
async function endpointWith(status: number, headers: Record<string, string> = {}) {
  receiver = await openReceiver();
  receiver.respond((_, response) => void response.writeHead(status, headers).end(`status ${status}`));
  return createEndpoint(owner, receiver, { types: ['organization.created', 'organization.updated'] });
}

/** Seconds until the next attempt of the only delivery. */
async function waitOf(endpointId: string): Promise<number | null> {
  const [delivery] = await deliveriesOf(owner, endpointId);
  if (!delivery) throw new Error('no delivery');
  return delivery.nextAttemptAt === null ? null : (Date.parse(delivery.nextAttemptAt) - Date.now()) / 1_000;
}

test('a failed delivery is repeated over about three days, with the same id and its own signature each time', async () => {
  const { id, secret } = await endpointWith(500);
  await createClub(owner);
  await platform.settled();
  const waits: (number | null)[] = [];
  for (let attempt = 1; attempt <= 10; attempt += 1) {
    waits.push(await waitOf(id));
    await passTime(platform, id);
  }
  const hour = 3_600;
  const expected = [5, 300, 1_800, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour];
  expect(waits.at(-1)).toBeNull();
  for (const [index, seconds] of expected.entries()) {
    expect(waits[index]).toBeGreaterThan(seconds * 0.9 - 3);
    expect(waits[index]).toBeLessThan(seconds * 1.1 + 1);
  }
  expect(receiver.requests).toHaveLength(10);
  for (const request of receiver.requests) verify(secret, request);
  expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  const [delivery] = await deliveriesOf(owner, id, '&status=FAILED');
  expect(delivery).toMatchObject({ status: 'FAILED', attemptCount: 10, nextAttemptAt: null });
  const { attempts } = await deliveryOf(owner, id, delivery?.id ?? '');
  expect(attempts[9]).toMatchObject({
    number: 10,
    status: 500,
    error: 'STATUS',
    detail: 'The endpoint responded with the status 500.',
    response: 'status 500',
  });
  expect((await owner.get(`/webhooks/${id}`)).body.failingSince).toEqual(expect.any(String));
  receiver.respond();
  expect((await owner.post(`/webhooks/${id}/deliveries/${delivery?.id}/retry`)).body).toMatchObject({ status: 'PENDING' });
  await platform.settled();
  expect(await deliveryOf(owner, id, delivery?.id ?? '')).toMatchObject({ status: 'SUCCEEDED', attemptCount: 11 });
  expect((await owner.get(`/webhooks/${id}`)).body).toMatchObject({ failingSince: null, lastSuccessAt: expect.any(String) });
});

test.each([
  ['in seconds', '7200', 7_200],
  ['as a date', new Date(Date.now() + 3_600_000).toUTCString(), 3_600],
  ['above a day', '999999', 86_400],
  ['below the pause', '1', 5],
  ['invalid', 'soon', 5],
])('Retry-After %s sets the next attempt', async (_, retryAfter, seconds) => {
  const { id } = await endpointWith(503, { 'retry-after': retryAfter });
  await createClub(owner);
  await platform.settled();
  expect(await waitOf(id)).toBeGreaterThan(seconds * 0.9 - 3);
  expect(await waitOf(id)).toBeLessThan(seconds * 1.1 + 1);
});

test('the status 410 disables an endpoint at once, and its account is notified by an event', async () => {
  const { id } = await endpointWith(410);
  await createClub(owner);
  await platform.settled();
  await eventually(async () => {
    expect((await owner.get(`/webhooks/${id}`)).body).toMatchObject({ status: 'DISABLED', disabledReason: 'GONE' });
  });
  await platform.settled();
  const { body } = await owner.get(`/events?type=webhook_endpoint.disabled&resourceId=${id}`);
  expect(body.data).toHaveLength(1);
  expect(await deliveriesOf(owner, id)).toMatchObject([{ status: 'FAILED', attemptCount: 1, nextAttemptAt: null }]);
});

test('five days without a success disable an endpoint; one success in between does not', async () => {
  const { id } = await endpointWith(500);
  const fail = async (days: number) => {
    await asDatabaseOwner(
      platform,
      "update accounts.webhook_health set failing_since = now() - $2 * interval '1 day' where endpoint_id = $1",
      [id, days],
    );
    await createClub(owner);
    await platform.settled();
  };
  await fail(0);
  await fail(4.9);
  expect((await owner.get(`/webhooks/${id}`)).body).toMatchObject({ status: 'ENABLED' });
  receiver.respond();
  await fail(5.1);
  expect((await owner.get(`/webhooks/${id}`)).body).toMatchObject({ status: 'ENABLED', failingSince: null });
  receiver.respond((_, response) => void response.writeHead(500).end());
  await fail(0);
  await fail(5.1);
  await eventually(async () => {
    expect((await owner.get(`/webhooks/${id}`)).body).toMatchObject({ status: 'DISABLED', disabledReason: 'FAILING' });
  });
  expect((await owner.post(`/webhooks/${id}/enable`)).body).toMatchObject({ status: 'ENABLED', failingSince: null });
});

test('redirects are not followed, and connections that fail have an error for people', async () => {
  const { id } = await endpointWith(302, { location: 'http://127.0.0.1:1/' });
  const unreachable = await createEndpoint(owner, { url: 'http://127.0.0.1:1/' }, { types: ['organization.created'] });
  await createClub(owner);
  await platform.settled();
  const attemptsOf = async (endpointId: string) => {
    const [delivery] = await deliveriesOf(owner, endpointId);
    return (await deliveryOf(owner, endpointId, delivery?.id ?? '')).attempts;
  };
  expect(await attemptsOf(id)).toMatchObject([{ status: 302, error: 'STATUS' }]);
  expect(await attemptsOf(unreachable.id)).toMatchObject([
    { status: null, error: 'CONNECT', detail: expect.any(String), response: null },
  ]);
});

test('first attempts are in the order of the events of a resource, and a repeated attempt holds none back', async () => {
  const { id } = await endpointWith(204);
  const seen: string[] = [];
  receiver.respond(({ event }, response) => {
    seen.push(`start ${event.resource.version}`);
    // the earlier the event, the slower its response
    setTimeout(
      () => {
        seen.push(`end ${event.resource.version}`);
        response.writeHead(event.resource.version === 2 ? 500 : 204).end();
      },
      event.resource.version === 1 ? 150 : 10,
    );
  });
  const club = await createClub(owner, { name: 'One' });
  for (const name of ['Two', 'Three', 'Four']) await owner.patch(`/organizations/${club.id}`, { name }, { 'if-match': '*' });
  await platform.settled();
  const versions = [1, 2, 3, 4];
  expect(seen).toEqual(versions.flatMap((version) => [`start ${version}`, `end ${version}`]));
  expect((await deliveriesOf(owner, id)).filter(({ status }) => status === 'PENDING')).toHaveLength(1);
});

test('an endpoint that hangs delays none of 50 others', async () => {
  const { id } = await endpointWith(204);
  receiver.respond(() => undefined);
  const fast = await openReceiver();
  try {
    await Promise.all(Array.from({ length: 50 }, () => createEndpoint(owner, fast, { types: ['organization.created'] })));
    const clubs = 20;
    for (let index = 0; index < clubs; index += 1) await createClub(owner, { name: `Club ${index}` });
    await fast.received(50 * clubs);
    expect(fast.requests).toHaveLength(50 * clubs);
    expect(receiver.requests.length).toBeLessThanOrEqual(10);
    // the first call of the hanging endpoint has not reached its time limit yet
    expect(await deliveriesOf(owner, id)).toEqual([]);
  } finally {
    await fast.close();
    await receiver.close();
  }
});
