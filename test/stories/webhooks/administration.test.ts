/** Administrators manage the webhook endpoints of all accounts, as their roles allow. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { AdministratorClient } from '../../administrator.ts';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createClub } from '../organizations/clubs.ts';
import { asDatabaseOwner, createEndpoint, deleteEndpoints, deliveriesOf } from './fixture.ts';
import { openReceiver, verify, type Receiver } from './receiver.ts';

let platform: TestPlatform;
let owner: Client;
let admin: AdministratorClient;
let viewer: AdministratorClient;
let receiver: Receiver;
let accountId: string;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Owner' });
  [admin, viewer] = [await platform.administrator('ADMIN'), await platform.administrator('VIEWER')];
  receiver = await openReceiver();
  const { data } = await admin.run('{ accounts(first: 1, filter: { q: "Owner" }) { nodes { id } } }');
  accountId = data.accounts.nodes[0].id;
});
afterEach(async () => {
  await deleteEndpoints(owner);
  receiver.requests.length = 0;
  receiver.respond();
});
afterAll(async () => {
  await receiver.close();
  await platform.close();
});

const createDocument = `mutation ($input: CreateWebhookEndpointInput!, $accountId: ID, $key: String) {
  createWebhookEndpoint(input: $input, accountId: $accountId, idempotencyKey: $key) { id secret scopes account { id } }
}`;

test('an administrator creates an endpoint for an account, with the scope events:read only', async () => {
  const { url } = receiver;
  const input = { url, types: ['organization.created'] };
  const { data, errors } = await admin.run(createDocument, { input, accountId, key: 'once' });
  expect(errors).toEqual([]);
  const { id, secret, scopes, account } = data.createWebhookEndpoint;
  expect({ scopes, account }).toEqual({ scopes: ['events:read'], account: { id: accountId } });
  expect((await admin.run(createDocument, { input, accountId, key: 'once' })).data.createWebhookEndpoint).toMatchObject({
    id,
    secret,
  });
  await createClub(owner, { name: 'Draft', status: 'DRAFT' });
  await platform.settled();
  const [request] = await receiver.received(1);
  if (!request) throw new Error('no request');
  verify(secret, request);
  expect(request.event).toMatchObject({ type: 'organization.created', data: { representation: { name: 'Draft' } } });
  const audit = `query ($id: ID!) { auditEntries(first: 10, filter: { area: ACCOUNTS, resourceId: $id }) {
    nodes { action actor { kind administratorId } changes { field after } } } }`;
  const { nodes } = (await viewer.run(audit, { id })).data.auditEntries;
  expect(nodes).toMatchObject([{ action: 'created', actor: { kind: 'ADMINISTRATOR', administratorId: admin.id } }]);
  expect(JSON.stringify(nodes)).not.toContain(secret.slice(11));
});

test('an update with a key of the account gives the endpoint the scopes of that key', async () => {
  const { data } = await admin.run(createDocument, { input: { url: receiver.url }, accountId });
  const { id } = data.createWebhookEndpoint;
  const { body } = await owner.patch(`/webhooks/${id}`, { description: 'Ours' }, { 'if-match': '*' });
  expect(body.scopes).toContain('webhooks:write');
});

test('an endpoint needs an active account with a key whose plan includes it', async () => {
  const input = { url: receiver.url };
  const codeOf = async (variables: object) => (await admin.run(createDocument, { input, ...variables })).errors[0]?.extensions;
  expect(await codeOf({})).toMatchObject({ code: 'validation_failed' });
  expect(await codeOf({ accountId: admin.id })).toMatchObject({ code: 'validation_failed' });
  const created = await admin.run('mutation { createAccount(input: { name: "Empty" }) { id } }');
  const { id } = created.data.createAccount;
  expect(await codeOf({ accountId: id })).toMatchObject({ code: 'conflict' });
  await admin.run('mutation ($id: ID!) { suspendAccount(id: $id) { id } }', { id });
  const { errors } = await admin.run(createDocument, { input, accountId: id });
  expect(errors[0]).toMatchObject({ message: 'The account "Empty" is suspended and cannot get webhook endpoints.' });
});

test('roles without webhooks:write and keys of other accounts create nothing for an account', async () => {
  const input = { url: receiver.url };
  for (const role of ['VIEWER', 'MODERATOR'] as const) {
    const { errors } = await (await platform.administrator(role)).run(createDocument, { input, accountId });
    expect(errors[0].extensions.code).toBe('insufficient_scope');
  }
  const other = await platform.account({ account: 'Other' });
  expect((await other.graphql(createDocument, { input, accountId })).body.errors[0].extensions.code).toBe(
    'GRAPHQL_VALIDATION_FAILED',
  );
});

test('an administrator rotates, disables, tests and retries; a viewer does not', async () => {
  const { id, secret: old } = await createEndpoint(owner, receiver, { types: ['match.finished'] });
  const act = (client: AdministratorClient, field: string) =>
    client.run(`mutation ($id: ID!) { ${field}(id: $id) { status secret } }`, { id });
  const fields = ['rotateWebhookSecret', 'testWebhookEndpoint', 'disableWebhookEndpoint', 'enableWebhookEndpoint'];
  for (const field of fields) expect((await act(viewer, field)).errors[0].extensions.code).toBe('insufficient_scope');
  const { data } = await act(admin, 'rotateWebhookSecret');
  expect(data.rotateWebhookSecret.secret).not.toBe(old);
  for (const field of fields.slice(1)) expect((await act(admin, field)).errors).toEqual([]);
  await platform.settled();
  const [delivery] = await deliveriesOf(owner, id);
  const retry = 'mutation ($id: ID!, $delivery: ID!) { retryWebhookDelivery(endpointId: $id, id: $delivery) { status } }';
  expect((await viewer.run(retry, { id, delivery: delivery?.id })).errors[0].extensions.code).toBe('insufficient_scope');
  expect((await admin.run(retry, { id, delivery: delivery?.id })).data.retryWebhookDelivery.status).toBe('PENDING');
  await platform.settled();
});

test('an administrator deletes an endpoint, which the audit log records; a viewer does not', async () => {
  const { id } = await createEndpoint(owner, receiver, { types: ['match.finished'] });
  const remove = 'mutation ($id: ID!, $ifMatch: String!) { deleteWebhookEndpoint(id: $id, ifMatch: $ifMatch) { id deleted } }';
  expect((await viewer.run(remove, { id, ifMatch: '1' })).errors[0].extensions.code).toBe('insufficient_scope');
  expect((await admin.run(remove, { id, ifMatch: '2' })).errors[0].extensions.code).toBe('precondition_failed');
  expect((await admin.run(remove, { id, ifMatch: '1' })).data.deleteWebhookEndpoint).toEqual({ id, deleted: true });
  expect((await owner.get(`/webhooks/${id}`)).status).toBe(404);
  const audit = `query ($id: ID!) { auditEntries(first: 10, filter: { area: ACCOUNTS, resourceId: $id }) {
    nodes { action actor { kind administratorId } } } }`;
  expect((await viewer.run(audit, { id })).data.auditEntries.nodes[0]).toEqual({
    action: 'deleted',
    actor: { kind: 'ADMINISTRATOR', administratorId: admin.id },
  });
});

test('the overview counts endpoints that fail and events that wait', async () => {
  const overview = async () =>
    (
      await viewer.run(
        '{ webhookOverview { failing longestFailing(first: 1) { id account { name } } disabled lag oldestSeconds } }',
      )
    ).data.webhookOverview;
  await platform.settled();
  expect(await overview()).toEqual({ failing: 0, longestFailing: [], disabled: 0, lag: 0, oldestSeconds: null });
  receiver.respond((_, response) => void response.writeHead(500).end());
  const { id } = await createEndpoint(owner, receiver, { types: ['organization.created'] });
  const { id: later } = await createEndpoint(owner, receiver, { types: ['organization.created'] });
  await createClub(owner);
  await platform.settled();
  await asDatabaseOwner(
    platform,
    "update accounts.webhook_health set failing_since = now() - interval '1 hour' where endpoint_id = $1",
    [later],
  );
  expect(await overview()).toMatchObject({ failing: 2, longestFailing: [{ id: later, account: { name: 'Owner' } }] });
  receiver.respond((_, response) => void response.writeHead(410).end());
  await asDatabaseOwner(platform, 'update accounts.webhook_delivery set next_attempt_at = now() where endpoint_id = $1', [id]);
  await createClub(owner);
  await platform.settled();
  await owner.post(`/webhooks/${later}/disable`).catch(() => undefined);
  expect(await overview()).toMatchObject({ failing: 0, disabled: expect.any(Number) });
  expect((await owner.graphql('{ webhookOverview { failing } }')).body.errors[0].extensions.code).toBe(
    'GRAPHQL_VALIDATION_FAILED',
  );
});
