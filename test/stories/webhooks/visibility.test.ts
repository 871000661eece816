/** What an account may not read never reaches its endpoints, and what is stored of deliveries does not outlive its visibility. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { AdministratorClient } from '../../administrator.ts';
import type { Client } from '../../client.ts';
import { createMember } from '../../member.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { createMinor, verifiedAccount } from '../athletes/minors-fixture.ts';
import { createAdult, createClub } from '../organizations/clubs.ts';
import { asDatabaseOwner, createEndpoint, deleteEndpoints, deliveriesOf, deliveryOf } from './fixture.ts';
import { openReceiver, type Receiver } from './receiver.ts';

let platform: TestPlatform;
let owner: Client;
let other: Client;
let moderator: AdministratorClient;
let receiver: Receiver;
beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Owner' });
  other = await platform.account({ account: 'Other' });
  moderator = await platform.administrator('MODERATOR');
  receiver = await openReceiver();
});
afterEach(async () => {
  await deleteEndpoints(other);
  receiver.requests.length = 0;
  receiver.respond();
});
afterAll(async () => {
  await receiver.close();
  await platform.close();
});

const suspend = async (id: string) => {
  const { body } = await moderator.graphql('mutation ($id: ID!) { suspendAthlete(id: $id, reason: "test") { id } }', { id });
  expect(body.errors).toBeUndefined();
};

const textsDocument = `query ($endpointId: ID!, $id: ID!) { webhookDelivery(endpointId: $endpointId, id: $id) {
  attempts { status request response }
} }`;

/** Whether any delivery exists for an endpoint, visible or not. */
const stored = (endpointId: string) =>
  asDatabaseOwner(platform, 'select id from accounts.webhook_delivery where endpoint_id = $1', [endpointId]);

test('events of private resources of others are never delivered, listed or counted', async () => {
  // wait for the events of this account, so that later ones are those of others
  await platform.settled();
  const { id } = await createEndpoint(other, receiver, { areas: ['SCOUTING', 'ORGANIZATIONS', 'ACCOUNTS'] });
  await owner.post('/scouting/shortlists', { name: 'Secret' });
  await createClub(owner, { name: 'Draft', status: 'DRAFT' });
  const club = await createClub(owner, { name: 'Public' });
  await platform.settled();
  expect(receiver.events().filter(({ type }) => type !== 'webhook_endpoint.created')).toMatchObject([
    { type: 'organization.created', resource: { id: club.id } },
  ]);
  expect((await deliveriesOf(other, id)).map(({ type }) => type)).toEqual(['organization.created', 'webhook_endpoint.created']);
  expect(await stored(id)).toHaveLength(2);
});

test('each account receives what it reads: the owner of a draft receives it, others do not', async () => {
  const mine = await openReceiver();
  try {
    await createEndpoint(owner, mine, { types: ['organization.created'] });
    await createEndpoint(other, receiver, { types: ['organization.created'] });
    const club = await createClub(owner, { name: 'Draft', status: 'DRAFT' });
    await platform.settled();
    expect(mine.events()).toMatchObject([{ data: { id: club.id, representation: { name: 'Draft', status: 'DRAFT' } } }]);
    expect(receiver.events()).toEqual([]);
  } finally {
    await deleteEndpoints(owner);
    await mine.close();
  }
});

test('a profile that was hidden between the event and its delivery is not sent', async () => {
  const { id } = await createEndpoint(other, receiver, { types: ['athlete.updated'] });
  receiver.respond((_, response) => void response.writeHead(500).end());
  const athlete = await createAdult(owner, { givenName: 'Vanessa' });
  await owner.patch(`/athletes/${athlete.id}`, { heightCm: 181 }, { 'if-match': '*' });
  await platform.settled();
  expect(JSON.stringify(receiver.events())).toContain('Vanessa');
  receiver.requests.length = 0;
  await suspend(athlete.id);
  await platform.settled();
  await asDatabaseOwner(
    platform,
    'update accounts.webhook_delivery set next_attempt_at = now() where endpoint_id = $1 and next_attempt_at is not null',
    [id],
  );
  await platform.settled();
  expect(receiver.events()).toMatchObject([{ data: { type: null, id: athlete.id, deleted: true, representation: null } }]);
  expect(JSON.stringify(receiver.requests)).not.toContain('Vanessa');
});

test.each([
  ['suspended', suspend],
  ['made private', (id: string) => owner.patch(`/athletes/${id}`, { visibility: 'PRIVATE' }, { 'if-match': '*' })],
])('the stored texts of deliveries are removed when a profile is %s', async (_, hide) => {
  const { id } = await createEndpoint(other, receiver, { types: ['athlete.updated', 'membership.created'] });
  receiver.respond(({ body }, response) => void response.writeHead(200).end(`received ${body}`));
  const [athlete, bystander] = [
    await createAdult(owner, { givenName: 'Vanessa' }),
    await createAdult(owner, { givenName: 'Zoe' }),
  ];
  for (const each of [athlete, bystander]) await owner.patch(`/athletes/${each.id}`, { heightCm: 182 }, { 'if-match': '*' });
  await platform.settled();
  const textsOf = () => asDatabaseOwner(platform, 'select request, response from accounts.webhook_attempt');
  expect(JSON.stringify(await textsOf())).toContain('Vanessa');
  // the order of deliveries of two resources is not promised
  const details = await Promise.all((await deliveriesOf(other, id)).map((each) => deliveryOf(other, id, each.id)));
  const delivery = details.find(({ attempts: [attempt] }) => attempt.request.includes('Vanessa'));
  await hide(athlete.id);
  await platform.settled();
  expect((await deliveryOf(other, id, delivery?.id ?? '')).attempts).toMatchObject([
    { status: 200, request: null, response: null },
  ]);
  expect(JSON.stringify(await textsOf())).not.toContain('Vanessa');
  expect(JSON.stringify(await textsOf())).toContain('Zoe');
});

test('an attempt that ends after its resource was hidden stores no texts', async () => {
  const { id } = await createEndpoint(other, receiver, { types: ['athlete.updated'] });
  const responses: (() => void)[] = [];
  receiver.respond((_, response) => void responses.push(() => void response.writeHead(200).end('Vanessa')));
  const athlete = await createAdult(owner, { givenName: 'Vanessa' });
  await owner.patch(`/athletes/${athlete.id}`, { heightCm: 183 }, { 'if-match': '*' });
  await receiver.received(1);
  await suspend(athlete.id);
  const applied = platform.settled();
  await new Promise((resolve) => setTimeout(resolve, 500));
  for (const respond of responses) respond();
  await applied;
  const [delivery] = await deliveriesOf(other, id);
  expect(await deliveryOf(other, id, delivery?.id ?? '')).toMatchObject({
    status: 'SUCCEEDED',
    attempts: [{ status: 200, request: null, response: null }],
  });
});

describe('a minor with the consent of a guardian', () => {
  let agency: Client & { readonly key: string };
  let academy: Client;
  beforeAll(async () => {
    const moderation = await platform.account({ account: 'Moderation', scopes: ['moderation:write'] });
    academy = await verifiedAccount(platform, moderation, 'Academy', { officer: false });
    await verifiedAccount(platform, moderation, 'Agency', { officer: true });
    agency = await platform.account({ account: 'Agency', scopes: ['minors:read', 'webhooks:write', 'events:read'] });
    await createEndpoint(agency, receiver, { types: ['athlete.updated'] });
  });

  /** Updates an athlete, and returns what arrived. */
  const updated = async (id: string, heightCm: number) => {
    await platform.settled();
    receiver.requests.length = 0;
    await academy.patch(`/athletes/${id}`, { heightCm }, { 'if-match': '*' });
    await platform.settled();
    return receiver.events();
  };

  test('is delivered with what the account may read, and nothing is stored after the consent is withdrawn', async () => {
    const id = await createMinor(academy, ['PROFILE'], { givenName: 'Juno', familyName: 'Dale' });
    expect(await updated(id, 171)).toMatchObject([{ data: { representation: { restricted: false, displayName: 'Juno Dale' } } }]);
    const texts = () => asDatabaseOwner(platform, 'select request, response from accounts.webhook_attempt');
    expect(JSON.stringify(await texts())).toContain('Juno');
    const { body: consents } = await academy.get(`/athletes/${id}/consents`);
    expect((await academy.post(`/athletes/${id}/consents/${consents.data[0].id}/withdraw`)).status).toBe(200);
    await platform.settled();
    expect(JSON.stringify(await texts())).not.toContain('Juno');
    expect(JSON.stringify(await updated(id, 172))).not.toMatch(/Juno|Dale|172/);
  });

  test('is in the stored texts for keys and members with minors:read only, also after the endpoint lost the scope', async () => {
    const id = await createMinor(academy, ['PROFILE'], { givenName: 'Juno', familyName: 'Dale' });
    await updated(id, 174);
    const [endpoint] = (await agency.get('/webhooks')).body.data;
    const [delivery] = await deliveriesOf(agency, endpoint.id);
    const attemptsOf = async (client: Client) => (await deliveryOf(client, endpoint.id, delivery?.id ?? '')).attempts;
    expect(JSON.stringify(await attemptsOf(agency))).toContain('Juno');
    const reader = await platform.account({ account: 'Agency', scopes: ['events:read'] });
    expect(await attemptsOf(reader)).toMatchObject([{ status: 204, request: null, response: null }]);
    const { me } = (await agency.graphql('{ me { account { id } } }')).body.data;
    const member = await createMember(platform, { role: 'DEVELOPER', accountId: me.account.id });
    const texts = async () =>
      (await member.run(textsDocument, { endpointId: endpoint.id, id: delivery?.id })).webhookDelivery.attempts;
    expect(await texts()).toEqual([{ status: 204, request: null, response: null }]);
    const update = 'mutation ($id: ID!) { updateWebhookEndpoint(id: $id, ifMatch: "*", input: { description: "x" }) { scopes } }';
    expect((await member.run(update, { id: endpoint.id })).updateWebhookEndpoint.scopes).not.toContain('minors:read');
    expect(await texts()).toEqual([{ status: 204, request: null, response: null }]);
    // texts of an earlier version, whose scopes are unknown
    await asDatabaseOwner(platform, 'update accounts.webhook_attempt set scopes = null');
    expect(await texts()).toEqual([{ status: 204, request: null, response: null }]);
    expect(JSON.stringify(await attemptsOf(agency))).toContain('Juno');
    await agency.patch(`/webhooks/${endpoint.id}`, { description: 'y' }, { 'if-match': '*' });
  });

  test('is in the stored texts for administrators that read minors, and each read is in the access log', async () => {
    const id = await createMinor(academy, ['PROFILE'], { givenName: 'Juno', familyName: 'Dale' });
    await updated(id, 175);
    const [endpoint] = (await agency.get('/webhooks')).body.data;
    const [delivery] = await deliveriesOf(agency, endpoint.id);
    const textsFor = async (role: 'ADMIN' | 'VIEWER') => {
      const reader = await platform.administrator(role);
      return (await reader.run(textsDocument, { endpointId: endpoint.id, id: delivery?.id })).data.webhookDelivery.attempts;
    };
    expect(JSON.stringify(await textsFor('ADMIN'))).toContain('Juno');
    expect(await textsFor('VIEWER')).toEqual([{ status: 204, request: null, response: null }]);
    const { body } = await academy.get(`/athletes/${id}/access-log`);
    const byAdministrators = body.data.filter((row: { administratorId: string | null }) => row.administratorId !== null);
    expect(byAdministrators).toMatchObject([{ parts: ['WEBHOOKS'], reads: 1 }]);
  });

  test('is restricted for an endpoint whose account has no key with minors:read any more', async () => {
    const id = await createMinor(academy, ['PROFILE'], { givenName: 'Juno', familyName: 'Dale' });
    const { nodes } = (
      await platform.administer('query { apiKeys(first: 100, filter: { scope: "minors:read" }) { nodes { id } } }')
    )['apiKeys'] as { nodes: { id: string }[] };
    for (const key of nodes) await platform.administer('mutation ($id: ID!) { revokeApiKey(id: $id) { id } }', { id: key.id });
    expect(await updated(id, 173)).toMatchObject([{ data: { representation: { restricted: true, displayName: 'J. D.' } } }]);
  });
});

test('deliveries are deleted after 30 days', async () => {
  const { id } = await createEndpoint(other, receiver, { types: ['webhook.test'] });
  for (const _ of [1, 2]) await other.post(`/webhooks/${id}/test`);
  await platform.settled();
  const [newest, oldest] = await deliveriesOf(other, id);
  await asDatabaseOwner(
    platform,
    "update accounts.webhook_delivery set created_at = now() - interval '30 days 1 minute' where id = $1",
    [oldest?.id],
  );
  await platform.maintain();
  expect(await deliveriesOf(other, id)).toMatchObject([{ id: newest?.id }]);
  expect(await asDatabaseOwner(platform, 'select from accounts.webhook_attempt where delivery_id = $1', [oldest?.id])).toEqual(
    [],
  );
});
