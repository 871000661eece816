/** Test mode: requests with a test key read and write the test data of its account, and nothing else. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createEndpoint } from '../webhooks/fixture.ts';
import { openReceiver, type Receiver } from '../webhooks/receiver.ts';
import { club, issueTestKey } from './test-key.ts';

let platform: TestPlatform;
let live: Client;
let one: Client;
let sameAccount: Client;
let other: Client;
let receiver: Receiver;

beforeAll(async () => {
  platform = await openTestPlatform();
  live = await platform.account({ account: 'One' });
  [one, sameAccount, other] = [
    await issueTestKey(platform, 'One'),
    await issueTestKey(platform, 'One'),
    await issueTestKey(platform, 'Two'),
  ];
  receiver = await openReceiver();
});
afterAll(async () => {
  await receiver.close();
  await platform.close();
});

const namesOf = async (client: Client, query = ''): Promise<string[]> =>
  (await client.get(`/organizations?limit=100${query}`)).body.data.map(({ name }: { name: string }) => name);

test('writes are visible to test keys of the account only, and test keys see no other data', async () => {
  expect((await live.post('/organizations', club('Live FC'))).status).toBe(201);
  const { status, body } = await one.post('/organizations', club('Test FC'));
  expect(status).toBe(201);
  await platform.settled();
  expect(await namesOf(one)).toEqual(['Test FC']);
  expect(await namesOf(sameAccount)).toEqual(['Test FC']);
  expect(await namesOf(other)).toEqual([]);
  expect(await namesOf(live)).toEqual(['Live FC']);
  expect(await namesOf(live, '&mine=true')).toEqual(['Live FC']);
  expect(await namesOf(platform.anonymous)).toEqual(['Live FC']);
  for (const client of [live, other, platform.anonymous])
    expect((await client.get(`/organizations/${body.id}`)).status).toBe(404);
  const search = (client: Client) =>
    client.graphql('{ organizations(first: 10) { nodes { name } } search(q: "Test") { nodes { __typename } } }');
  expect((await search(one)).body.data).toMatchObject({ organizations: { nodes: [{ name: 'Test FC' }] } });
  expect((await search(live)).body.data).toMatchObject({ organizations: { nodes: [{ name: 'Live FC' }] } });
});

test('the background work of test data is not part of the request that opened it', async () => {
  platform.statements();
  expect((await one.post('/organizations', club('Background FC'))).status).toBe(201);
  await platform.settled();
  const background = platform.statements('projections').filter((name) => name.startsWith('relay.'));
  expect(background).not.toEqual([]);
  expect((await one.post('/organizations', club('Other Background FC'))).status).toBe(201);
  await platform.settled();
  expect(platform.statements('requests').filter((name) => /^(?:relay|webhooks)\./.test(name))).toEqual([]);
});

test('a test key reads its account, plan and usage', async () => {
  const { body } = await one.get('/me');
  expect(body).toMatchObject({ account: { name: 'One' }, key: { mode: 'TEST' }, plan: { code: 'free' } });
  expect((await one.get('/usage')).status).toBe(200);
  expect((await one.get('/plans')).body.data.length).toBeGreaterThan(1);
});

test('an operation that needs the platform and test data is rejected with an explanation', async () => {
  const { body } = await one.graphql('{ me { account { name } } webhookEndpoints { nodes { id } } }');
  expect(body.errors[0].message).toBe(
    'In test mode, select me in another operation than webhookEndpoints: test data is separate from accounts and plans.',
  );
});

test('events and webhooks of test data are marked', async () => {
  const liveReceiver = await openReceiver();
  await createEndpoint(live, liveReceiver, { types: ['organization.created'] });
  await createEndpoint(one, receiver, { types: ['organization.created'] });
  const { body: created } = await one.post('/organizations', club('Webhook FC'));
  await receiver.received(1);
  expect(JSON.parse(receiver.requests[0]?.body ?? '')).toMatchObject({
    mode: 'TEST',
    type: 'organization.created',
    data: { id: created.id },
  });
  const { body } = await one.get('/events?type=organization.created&limit=100');
  expect(body.data.map(({ mode, data }: { mode: string; data: { id: string } }) => [mode, data.id])).toContainEqual([
    'TEST',
    created.id,
  ]);
  expect((await live.get('/events?limit=100')).body.data.every(({ mode }: { mode: string }) => mode === 'LIVE')).toBe(true);
  await live.post('/organizations', club('Live Webhook FC'));
  await liveReceiver.received(1);
  await platform.settled();
  expect(liveReceiver.requests).toHaveLength(1);
  expect(receiver.requests).toHaveLength(1);
  await liveReceiver.close();
});

test('test data is deleted on request, without that of other accounts and without keys', async () => {
  await other.post('/organizations', club('Other FC'));
  expect((await live.delete('/test-data')).body).toMatchObject({ code: 'conflict', status: 409 });
  expect(await one.delete('/test-data')).toMatchObject({ status: 200, body: { deleted: true } });
  expect(await namesOf(one)).toEqual([]);
  expect((await one.get('/webhooks')).body.data).toEqual([]);
  expect(await namesOf(other)).toEqual(['Other FC']);
  expect(await namesOf(live)).toContain('Live FC');
  expect((await one.post('/organizations', club('New FC'))).status).toBe(201);
  expect(await namesOf(one)).toEqual(['New FC']);
});

test('a key without a scope that writes test data does not delete it, as the OpenAPI document states', async () => {
  const three = await issueTestKey(platform, 'Three');
  await three.post('/organizations', club('Kept FC'));
  for (const scopes of [[], ['events:read', 'requests:read'], ['documents:write']]) {
    const restricted = await issueTestKey(platform, 'Three', 'free', scopes);
    expect(await restricted.delete('/test-data')).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } });
  }
  expect(await namesOf(three)).toEqual(['Kept FC']);
  const writer = await issueTestKey(platform, 'Three', 'free', ['athletes:write']);
  expect((await writer.delete('/test-data')).status).toBe(200);
  expect(await namesOf(three)).toEqual([]);
  const { body } = await platform.anonymous.get('/openapi.json');
  expect(body.paths['/test-data'].delete['x-required-scopes']).toEqual([
    'athletes:write or competitions:write or opportunities:write or organizations:write or scouting:write or webhooks:write',
  ]);
});
