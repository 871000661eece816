/** Webhook endpoints: accounts create, change, test, disable and delete them, and their secrets. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createClub } from '../organizations/clubs.ts';
import { asDatabaseOwner, createEndpoint, deleteEndpoints, deliveriesOf, deliveryOf } from './fixture.ts';
import { openReceiver, verify, type Receiver } from './receiver.ts';

let platform: TestPlatform;
let owner: Client & { readonly key: string };
let other: Client;
let receiver: Receiver;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Owner' });
  other = await platform.account({ account: 'Other' });
  receiver = await openReceiver();
});
afterEach(async () => {
  await deleteEndpoints(owner);
  await deleteEndpoints(other);
  receiver.requests.length = 0;
});
afterAll(async () => {
  await receiver.close();
  await platform.close();
});

test('an endpoint receives the events of the feed, signed as Standard Webhooks describes', async () => {
  const { secret } = await createEndpoint(owner, receiver, { types: ['organization.created'] });
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const club = await createClub(owner);
  await platform.settled();
  const [request] = await receiver.received(1);
  if (!request) throw new Error('no request');
  verify(secret, request);
  const { body: feed } = await owner.get(`/events?type=organization.created&resourceId=${club.id}`);
  expect(JSON.parse(request.body)).toEqual(feed.data[0]);
  expect(request.body).toBe(JSON.stringify(feed.data[0]));
  expect(request.headers).toMatchObject({
    'webhook-id': feed.data[0].id,
    'content-type': 'application/json',
    'user-agent': expect.stringMatching(/^talent-platform-webhooks/),
  });
  const altered = request.body.replace('"apiVersion":1', '"apiVersion":2');
  expect(() => verify(secret, { ...request, body: altered })).toThrow('No matching signature found');
  expect(() => verify(`whsec_${Buffer.alloc(32).toString('base64')}`, request)).toThrow('No matching signature found');
});

test('the secret is in the response of the creation only, also when that request is repeated, and the database has no plain text', async () => {
  const repeat = () => owner.post('/webhooks', { url: receiver.url }, { 'idempotency-key': 'once' });
  const [first, second] = [await repeat(), await repeat()];
  expect(first.headers.get('location')).toMatch(new RegExp(`/webhooks/${first.body.id}$`));
  expect(second.headers.get('idempotent-replayed')).toBe('true');
  expect(second.body).toEqual(first.body);
  const { body } = await owner.get(`/webhooks/${first.body.id}`);
  expect(body).not.toHaveProperty('secret');
  expect(body).toMatchObject({
    url: receiver.url,
    description: null,
    types: [],
    status: 'ENABLED',
    disabledReason: null,
    failingSince: null,
    secrets: [{ prefix: first.body.secret.slice(0, 10), expiresAt: null }],
  });
  const rows = await asDatabaseOwner(
    platform,
    `select s::text from accounts.webhook_secret s union all select h::text from accounts.history h
     union all select encode(encrypted, 'escape') from accounts.webhook_secret`,
  );
  expect(JSON.stringify(rows)).not.toContain(first.body.secret.slice(11));
});

test('after a rotation, deliveries have the signatures of both secrets for 24 hours', async () => {
  const { id, secret: old } = await createEndpoint(owner, receiver);
  const { body } = await owner.post(`/webhooks/${id}/rotate-secret`);
  expect(body.secret).not.toBe(old);
  expect(body.secrets).toMatchObject([
    { prefix: body.secret.slice(0, 10), expiresAt: null },
    { prefix: old.slice(0, 10), expiresAt: expect.any(String) },
  ]);
  const sendTest = async () => {
    receiver.requests.length = 0;
    await owner.post(`/webhooks/${id}/test`);
    await platform.settled();
    const [request] =
      receiver.events('webhook.test').length > 0 ? receiver.requests.filter(({ event }) => event.type === 'webhook.test') : [];
    if (!request) throw new Error('no test arrived');
    return request;
  };
  const both = await sendTest();
  verify(old, both);
  verify(body.secret, both);
  await asDatabaseOwner(
    platform,
    "update accounts.webhook_secret set expires_at = now() - interval '1 second' where expires_at is not null",
  );
  const one = await sendTest();
  verify(body.secret, one);
  expect(() => verify(old, one)).toThrow();
});

test('a test event reaches this endpoint only, once, and is a delivery', async () => {
  const { id } = await createEndpoint(owner, receiver, { types: ['match.finished'] });
  await createEndpoint(other, receiver, { types: ['match.finished'] });
  expect((await owner.post(`/webhooks/${id}/test`)).status).toBe(200);
  await platform.settled();
  expect(receiver.events()).toMatchObject([
    { type: 'webhook.test', sequence: 0, resource: { type: 'webhook_endpoint', id }, data: null },
  ]);
  const [delivery] = await deliveriesOf(owner, id);
  expect(delivery).toMatchObject({ type: 'webhook.test', status: 'SUCCEEDED', attemptCount: 1, nextAttemptAt: null });
  const { attempts } = await deliveryOf(owner, id, delivery?.id ?? '');
  expect(attempts).toMatchObject([
    { number: 1, status: 204, error: null, detail: null, request: receiver.requests[0]?.body, response: '' },
  ]);
  expect(attempts[0].durationMs).toBeGreaterThanOrEqual(0);
});

test('an endpoint is updated with a merge patch and If-Match, and gets the scopes of the key', async () => {
  const { id, version } = await createEndpoint(owner, receiver, {
    types: ['match.finished'],
    sports: ['FOOTBALL'],
    areas: ['COMPETITIONS'],
  });
  const { status, body } = await owner.patch(
    `/webhooks/${id}`,
    { types: null, description: 'Scores' },
    { 'if-match': `${version}` },
  );
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { version: version + 1, types: [], sports: ['FOOTBALL'], areas: ['COMPETITIONS'], description: 'Scores' },
  });
  expect(body.scopes).toContain('webhooks:write');
  expect((await owner.patch(`/webhooks/${id}`, { types: [] }, { 'if-match': `${version}` })).status).toBe(412);
  expect((await owner.patch(`/webhooks/${id}`, {})).status).toBe(428);
  expect((await owner.patch(`/webhooks/${id}`, { url: null }, { 'if-match': '*' })).status).toBe(422);
});

test('unknown types and URLs that may not be called are rejected with what to change', async () => {
  const { status, body } = await owner.post('/webhooks', { url: 'ftp://example.com', types: ['match.finishd', 'match.created'] });
  expect(status).toBe(422);
  expect(body.errors).toMatchObject([
    { pointer: '/url', code: 'invalid_url' },
    { pointer: '/types/0', code: 'unknown_value', detail: expect.stringContaining('match.finished') },
  ]);
});

test('a disabled endpoint receives nothing; after it is enabled, a replay sends the events since then with their ids', async () => {
  const { id } = await createEndpoint(owner, receiver, { types: ['organization.created'] });
  const since = new Date().toISOString();
  expect((await owner.post(`/webhooks/${id}/disable`)).body).toMatchObject({ status: 'DISABLED', disabledReason: 'OWNER' });
  expect((await owner.post(`/webhooks/${id}/disable`)).body).toMatchObject({ code: 'invalid_transition' });
  expect((await owner.post(`/webhooks/${id}/test`)).body).toMatchObject({ code: 'conflict' });
  const club = await createClub(owner);
  await platform.settled();
  expect(receiver.requests).toEqual([]);
  expect((await owner.post(`/webhooks/${id}/enable`)).body).toMatchObject({
    status: 'ENABLED',
    disabledReason: null,
    disabledAt: null,
  });
  expect((await owner.post(`/webhooks/${id}/replay`, { since })).status).toBe(200);
  await platform.settled();
  expect((await owner.post(`/webhooks/${id}/replay`, { since, types: ['organization.created'] })).status).toBe(200);
  await platform.settled();
  const { body: feed } = await owner.get(`/events?type=organization.created&resourceId=${club.id}`);
  expect(receiver.events().map((event) => event.id)).toEqual([feed.data[0].id, feed.data[0].id]);
  expect(receiver.requests.map(({ headers }) => headers['webhook-id'])).toEqual([feed.data[0].id, feed.data[0].id]);
  expect((await deliveriesOf(owner, id)).map((delivery) => delivery.eventId)).toEqual([feed.data[0].id, feed.data[0].id]);
});

test('a replay is bounded by the retention of events', async () => {
  const { id } = await createEndpoint(owner, receiver);
  const since = new Date(Date.now() - 31 * 86_400_000).toISOString();
  expect((await owner.post(`/webhooks/${id}/replay`, { since })).body).toMatchObject({ errors: [{ pointer: '/since' }] });
  const now = new Date().toISOString();
  expect((await owner.post(`/webhooks/${id}/replay`, { since: now, until: now })).body).toMatchObject({
    errors: [{ pointer: '/until' }],
  });
});

test('endpoints and deliveries of another account do not exist; administrators read all', async () => {
  const { id } = await createEndpoint(owner, receiver, { types: ['match.finished'] });
  await owner.post(`/webhooks/${id}/test`);
  await platform.settled();
  const [delivery] = await deliveriesOf(owner, id);
  expect((await other.get('/webhooks')).body.data).toEqual([]);
  const paths = [`/webhooks/${id}`, `/webhooks/${id}/deliveries`, `/webhooks/${id}/deliveries/${delivery?.id}`];
  for (const path of paths) expect((await other.get(path)).status).toBe(404);
  for (const action of ['disable', 'enable', 'rotate-secret', 'test', `deliveries/${delivery?.id}/retry`])
    expect((await other.post(`/webhooks/${id}/${action}`)).status).toBe(404);
  expect((await other.post(`/webhooks/${id}/replay`, { since: new Date().toISOString() })).status).toBe(404);
  expect((await other.patch(`/webhooks/${id}`, { types: [] }, { 'if-match': '*' })).status).toBe(404);
  expect((await other.delete(`/webhooks/${id}`, { 'if-match': '*' })).status).toBe(404);
  const viewer = await platform.administrator('VIEWER');
  const { body } = await viewer.graphql(
    'query ($id: ID!) { webhookEndpoints(first: 100) { nodes { id account { name } } } webhookDeliveries(endpointId: $id) { nodes { attempts { status } } } }',
    { id },
  );
  expect(body.data.webhookEndpoints.nodes).toContainEqual({ id, account: { name: 'Owner' } });
  expect(body.data.webhookDeliveries.nodes).toEqual([{ attempts: [{ status: 204 }] }]);
});

test('keys need webhooks:write for writes, and it or events:read for reads', async () => {
  const reader = await platform.account({ account: 'Owner', scopes: ['events:read'] });
  const stranger = await platform.account({ account: 'Owner', scopes: ['scouting:read'] });
  expect((await reader.get('/webhooks')).status).toBe(200);
  expect((await reader.post('/webhooks', { url: receiver.url })).body).toMatchObject({ code: 'insufficient_scope' });
  expect((await stranger.get('/webhooks')).body).toMatchObject({ code: 'insufficient_scope' });
  expect((await platform.anonymous.get('/webhooks')).status).toBe(401);
});

test('changes of endpoints are events of the account, and a deleted endpoint has no deliveries', async () => {
  const { id } = await createEndpoint(owner, receiver);
  await owner.post(`/webhooks/${id}/test`);
  await owner.post(`/webhooks/${id}/disable`);
  await owner.delete(`/webhooks/${id}`, { 'if-match': '*' });
  await platform.settled();
  const { body } = await owner.get(`/events?resourceId=${id}&limit=100`);
  expect(body.data.map(({ type }: { type: string }) => type)).toEqual([
    'webhook_endpoint.created',
    'webhook_endpoint.disabled',
    'webhook_endpoint.deleted',
  ]);
  expect((await other.get(`/events?resourceId=${id}`)).body.data).toEqual([]);
  await platform.maintain();
  expect(await asDatabaseOwner(platform, 'select id from accounts.webhook_delivery where endpoint_id = $1', [id])).toEqual([]);
});
