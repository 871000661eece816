/** Test mode in the portal: members read and write the test data of their own account, and nothing else. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createMember, type MemberClient } from '../../member.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { club, issueTestKey, type KeyedClient } from './test-key.ts';

let platform: TestPlatform;
let tested: KeyedClient;
let accountId: string;
let owner: MemberClient;
let other: MemberClient;
beforeAll(async () => {
  platform = await openTestPlatform();
  tested = await issueTestKey(platform, 'Portal tests');
  accountId = (await tested.get('/me')).body.account.id;
  [owner, other] = [await createMember(platform, { accountId }), await createMember(platform)];
  expect((await tested.post('/organizations', club('Tested'))).status).toBe(201);
  await platform.settled();
});
afterAll(() => platform.close());

const inTest = { 'x-data-mode': 'TEST' };
const eventTypes = `{ eventLog(first: 20) { nodes { id type } } }`;
const create = `mutation ($url: String!) { createWebhookEndpoint(input: { url: $url, types: ["organization.created"] }) { id secret scopes } }`;
const endpoints = '{ webhookEndpoints(first: 10) { nodes { id url } } }';

test('a member reads the events of the test data only in test mode', async () => {
  const { body } = await owner.graphql(eventTypes, {}, inTest);
  const [event] = body.data.eventLog.nodes;
  expect(event).toMatchObject({ type: 'organization.created' });
  const one = 'query ($id: ID!) { event(id: $id) { id data { representation } } }';
  const read = await owner.graphql(one, { id: event.id }, inTest);
  expect(JSON.stringify(read.body.data.event)).toContain('Tested');
  const live = await owner.run(eventTypes);
  expect(live.eventLog.nodes.filter(({ type }: { type: string }) => type.startsWith('organization'))).toEqual([]);
  expect((await owner.run(one, { id: event.id })).event).toBeNull();
});

test('a member of an account without write access in its plan manages webhooks of the test data', async () => {
  const url = 'https://hooks.example.com/test';
  expect(await owner.codeOf(create, { url })).toBe('write_not_in_plan');
  const created = await owner.graphql(create, { url }, inTest);
  expect(created.body.data.createWebhookEndpoint).toMatchObject({ secret: expect.stringMatching(/^whsec_/) });
  const { id } = created.body.data.createWebhookEndpoint;
  expect((await owner.graphql(endpoints, {}, inTest)).body.data.webhookEndpoints.nodes).toEqual([{ id, url }]);
  // a test key of the account has the same webhook endpoints
  expect((await tested.get('/webhooks')).body.data).toMatchObject([{ id, url }]);
  expect((await owner.run(endpoints)).webhookEndpoints.nodes).toEqual([]);
});

test('a member cannot reach the test data of another account', async () => {
  expect((await other.graphql(eventTypes, {}, inTest)).body.data.eventLog.nodes).toEqual([]);
  const { body } = await other.graphql(eventTypes, {}, { ...inTest, 'x-account-id': accountId });
  expect(body.errors?.[0]?.extensions.code ?? body.code).toBe('account_unavailable');
  const named = await other.graphql(eventTypes, {}, { 'x-data-mode': accountId });
  expect(named.body.errors?.[0]?.extensions.code ?? named.body.code).toBe('parameter_invalid');
});

test('a viewer reads test data and changes none', async () => {
  const viewer = await createMember(platform, { accountId, role: 'VIEWER' });
  const { nodes } = (await viewer.graphql(eventTypes, {}, inTest)).body.data.eventLog;
  expect(nodes).toContainEqual(expect.objectContaining({ type: 'organization.created' }));
  for (const document of [
    'mutation { deleteTestData { deleted } }',
    `mutation { createWebhookEndpoint(input: { url: "https://hooks.example.com/viewer" }) { id } }`,
  ]) {
    const { body } = await viewer.graphql(document, {}, inTest);
    expect(body.errors[0].extensions.code).toBe('insufficient_scope');
  }
});

test('keys, members and the plan are those of the account in test mode', async () => {
  const document = '{ member { testMode scopes account { id name } plan { code } } }';
  const { body } = await owner.graphql(document, {}, inTest);
  expect(body.data.member).toMatchObject({ testMode: true, account: { id: accountId, name: 'Portal tests' } });
  expect(body.data.member.scopes).toContain('webhooks:write');
  expect((await owner.run(document)).member.scopes).not.toContain('webhooks:write');
  const keys = await owner.graphql('{ ownKeys { nodes { mode } } accountMembers { id } }', {}, inTest);
  expect(keys.body.data).toMatchObject({ ownKeys: { nodes: [{ mode: 'TEST' }] }, accountMembers: expect.any(Array) });
  expect(keys.body.data.accountMembers.length).toBeGreaterThan(0);
});
