/** Calls between separate processes: allowed callers, the ports of the router, and consistency across routers. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createEntryPointClient } from '../../../platform/http/entry-point-client.ts';
import { createGraphClient, type GraphClient } from '../../../platform/http/graph-client.ts';
import { issueTicket } from '../../../platform/security/ticket.ts';
import { accountViewer, ANONYMOUS, SYSTEM } from '../../../schema/viewer.ts';
import { eventually } from '../../eventually.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { remainingOf, usageOf } from '../accounts/rates.ts';
import { openAssistant } from '../assistants/assistant.ts';
import { verifiedAccount } from '../athletes/minors-fixture.ts';
import { bornFor, createAthlete } from '../athletes/people.ts';
import { countAppearances, createVisibleMinor } from '../opportunities/minor-appearances.ts';
import { createAdult } from '../organizations/clubs.ts';
import { foundBy, letIntervalsPass, saveSearch } from '../scouting/searchers.ts';

let platform: TestPlatform;
const opened: GraphClient[] = [];
beforeAll(async () => {
  platform = await openTestPlatform({ wiring: 'separate processes', routers: 2 });
});
afterAll(async () => {
  for (const client of opened) await client.close();
  await platform.close();
});

const keyOf = (purpose: string): Buffer => platform.database.secrets.derive(purpose);
const internalUrl = (): string => platform.internalUrl ?? '';

/** The graph for a caller that signs with the key of `signedAs`. */
function graphOf(caller: string, ticket: string | null, signedAs = caller) {
  const client = createGraphClient({ url: internalUrl(), caller, key: keyOf(`edge/${signedAs}-router`) });
  opened.push(client);
  return client.as(ticket, 'test');
}
const ticketFor = (area: string) => issueTicket(keyOf('ticket'), area, ANONYMOUS);
const query = '{ organizations(first: 1) { nodes { id } } }';
const rejected = { code: 'upstream_unavailable' };

describe('a call back into the graph', () => {
  test('is allowed for an area with its ticket, and for the worker', async () => {
    expect(await graphOf('athletes', ticketFor('athletes'))(query)).toMatchObject({ organizations: { nodes: [] } });
    expect(await graphOf('worker', null)(query)).toMatchObject({ organizations: { nodes: [] } });
  });

  test('is rejected without a ticket or with the ticket of another area', async () => {
    await expect(graphOf('athletes', null)(query)).rejects.toMatchObject(rejected);
    await expect(graphOf('athletes', JSON.stringify(SYSTEM))(query)).rejects.toMatchObject(rejected);
    await expect(graphOf('athletes', ticketFor('scouting'))(query)).rejects.toMatchObject(rejected);
  });

  test('is rejected for an area that pretends to be the worker or another area', async () => {
    await expect(graphOf('worker', null, 'athletes')(query)).rejects.toMatchObject(rejected);
    await expect(graphOf('scouting', ticketFor('scouting'), 'athletes')(query)).rejects.toMatchObject(rejected);
    await expect(graphOf('nobody', ticketFor('nobody'), 'athletes')(query)).rejects.toMatchObject(rejected);
  });

  test('returns the health of all areas and the recent requests of the REST process to administrators', async () => {
    const key = await platform.account({ account: 'Other process' });
    expect((await key.get('/athletes?limit=1')).status).toBe(200);
    const viewer = await platform.administrator('VIEWER');
    const { data, errors } = await viewer.run('{ health { name status } }');
    expect(errors).toEqual([]);
    expect(data.health.filter(({ status }: { status: string }) => status === 'DOWN')).toEqual([]);
    const publicId = key.key.slice(0, key.key.indexOf('.'));
    const document = `{ apiKeys(filter: { publicId: "${publicId}" }) { nodes { recentRequests { operation status } } } }`;
    // routers report usage every few seconds
    await eventually(async () =>
      expect((await viewer.run(document)).data.apiKeys.nodes[0].recentRequests).toEqual([
        { operation: 'listAthletes', status: 200 },
      ]),
    );
  });

  test('cannot run mutations', async () => {
    const change =
      'mutation { createOrganization(input: { name: "Mine", type: CLUB, country: "DE", sports: [FOOTBALL] }) { id } }';
    for (const graph of [graphOf('worker', null), graphOf('athletes', ticketFor('athletes'))])
      await expect(graph(change)).rejects.toMatchObject({ code: 'operation_unknown' });
  });

  test('a write can read data of another area', async () => {
    const owner = await platform.account();
    const { body } = await owner.post('/organizations', {
      name: 'Acme FC',
      type: 'CLUB',
      country: 'DE',
      sports: ['FOOTBALL'],
      status: 'ACTIVE',
    });
    const created = await owner.post('/competitions', {
      name: 'Cup',
      sport: 'FOOTBALL',
      type: 'CUP',
      organizerId: body.id,
    });
    expect(created.body).toMatchObject({ name: 'Cup', organizer: { id: body.id } });
  });
});

test('the worker reads events as the system, and as an account what this account may read', async () => {
  const [owner, other] = [await platform.account({ account: 'Owner' }), await platform.account({ account: 'Other' })];
  const { body: list } = await owner.post('/scouting/shortlists', { name: 'Secret' });
  const client = createGraphClient({ url: internalUrl(), caller: 'worker', key: keyOf('edge/worker-router') });
  opened.push(client);
  const feed = client.asViewer(SYSTEM, 'test');
  const created = { id: '', accountId: '' };
  await eventually(async () => {
    const { feedEvents } = await feed<{ feedEvents: { events: { id: string; resourceId: string; accountId: string }[] } }>(
      '{ feedEvents(after: 0, first: 1000) { events { id resourceId accountId } } }',
    );
    const found = feedEvents.events.find(({ resourceId }) => resourceId === list.id);
    expect(found).toBeDefined();
    Object.assign(created, found);
  });
  const as = (accountId: string) => client.asViewer(accountViewer(accountId, ['events:read']), 'test');
  const byId = 'query ($ids: [ID!]!) { eventsByIds(ids: $ids) { type } }';
  const ids = [created.id];
  expect(await as(created.accountId)(byId, { ids })).toEqual({ eventsByIds: [{ type: 'shortlist.created' }] });
  const { body: me } = await other.get('/me');
  expect(await as(me.account.id)(byId, { ids })).toEqual({ eventsByIds: [null] });
  const denied = { code: 'insufficient_scope' };
  await expect(as(created.accountId)('{ feedEvents(first: 1) { lastSequence } }')).rejects.toMatchObject(denied);
});

test('a list of events with a minor, whose area calls the router for it, is not stored', async () => {
  const owner = await platform.account({ account: 'Events of a minor' });
  const { id } = await createAthlete(owner, { dateOfBirth: bornFor(15, 100) });
  await eventually(async () => {
    const { body, headers } = await owner.get(`/events?resourceId=${id}`);
    expect(body.data).toMatchObject([{ data: { representation: { id } } }]);
    expect(headers.get('cache-control')).toBe('private, no-store');
  });
});

describe('the ports of the router', () => {
  test('the public port has no internal routes and lists no dependencies', async () => {
    for (const path of ['/internal/execute', '/internal/settle', '/internal/graph/worker'])
      expect((await fetch(platform.graphqlUrl + path, { method: 'POST' })).status).toBe(404);
    expect(await (await fetch(`${platform.graphqlUrl}/ready`)).json()).toEqual({ status: 'ready' });
    expect(await (await fetch(`${platform.restUrl}/ready`)).json()).toEqual({ status: 'ready' });
  });

  test('the internal port serves no GraphQL and lists its dependencies', async () => {
    expect((await fetch(`${internalUrl()}/graphql?query={__typename}`)).status).toBe(404);
    expect(await (await fetch(`${internalUrl()}/ready`)).json()).toEqual({
      status: 'ready',
      dependencies: { database: 'ready' },
    });
  });

  test('an area cannot call the entry point of the REST bridge', async () => {
    const entryPoint = createEntryPointClient({
      url: internalUrl(),
      key: keyOf('edge/athletes-router'),
      isMutation: () => false,
    });
    const caller = { credentials: [], address: '203.0.113.1', host: 'localhost', requestId: 'r', traceparent: null };
    const response = await entryPoint.execute({
      operation: 'listOrganizations',
      input: { document: 'listOrganizations', variables: {} },
      caller,
    });
    expect(response.errors[0]?.extensions.code).toBe('upstream_unavailable');
    await entryPoint.close();
  });
});

describe('a minor with a guardian’s consent', () => {
  test('is hidden on every router after the withdrawal, and when the account’s consents become invalid', async () => {
    const moderator = await platform.account({ account: 'Moderation', scopes: ['moderation:write'] });
    const academy = await verifiedAccount(platform, moderator, 'Academy', { officer: false });
    await verifiedAccount(platform, moderator, 'Agency', { officer: true });
    const { key } = await platform.account({ account: 'Agency', scopes: ['minors:read'] });
    const [withdrawn, recounted] = [await createVisibleMinor(academy), await createVisibleMinor(academy)];
    const all = (count: number) => platform.routerUrls.map(() => count);
    // Anonymous callers read the minor by id, twice in the list, on the team sheet, and over REST. Keys with
    // minors:read also read the statistics.
    expect(await countAppearances(platform, null, withdrawn)).toEqual(all(5));
    expect(await countAppearances(platform, key, withdrawn)).toEqual(all(6));
    const { body } = await academy.get(`/athletes/${withdrawn.id}/consents`);
    await academy.post(`/athletes/${withdrawn.id}/consents/${body.data[0].id}/withdraw`, {});
    // the other one is in the list
    for (const reader of [null, key]) expect(await countAppearances(platform, reader, withdrawn)).toEqual(all(1));
    await moderator.post(`/organizations/${academy.organizationId}/suspend`, { reason: 'Test' });
    await eventually(async () => {
      for (const reader of [null, key]) expect(await countAppearances(platform, reader, recounted)).toEqual(all(0));
    });
  });
});

test('an erasure finishes within seconds, without the hourly maintenance', async () => {
  const owner = await platform.account({ account: 'Erasing' });
  const { id } = await createAdult(owner);
  expect((await owner.post(`/athletes/${id}/erase`, {})).body).toMatchObject({ status: 'ERASURE_REQUESTED' });
  await eventually(async () => expect(await owner.get(`/athletes/${id}`)).toMatchObject({ status: 410 }));
});

test('a 304 of a REST process is free with a valid key, and its headers show it', async () => {
  await platform.plan('revalidating', { burstPerMinute: 1_000, perDay: 100, perMonth: 1_000 });
  const client = await platform.account({ account: 'Revalidating', plan: 'revalidating' });
  const { headers } = await client.get('/organizations');
  const again = await client.get('/organizations', { 'if-none-match': headers.get('etag') ?? '' });
  expect(again.status).toBe(304);
  expect(remainingOf(again.headers.get('ratelimit'))).toEqual({ day: 99, month: 999 });
  await eventually(async () => expect(await usageOf(client)).toEqual({ day: 1, month: 1 }));
});

test('tools of a REST process cost what their routes cost, and messages that read nothing cost no quota', async () => {
  const account = await platform.account({ account: 'Assistant between processes' });
  const assistant = await openAssistant(platform.restUrl, { headers: { 'x-api-key': account.key } });
  const before = (await usageOf(account)).day;
  expect((await assistant.client.listTools()).tools.length).toBeGreaterThan(10);
  expect((await usageOf(account)).day).toBe(before);
  const { content } = await assistant.call('listPlans', { limit: 2 });
  expect(content).toEqual((await account.get('/plans?limit=2')).body);
  await assistant.call('listOrganizations', { limit: 1 });
  await assistant.close();
  // the call, the route, and the second call
  await eventually(async () => expect((await usageOf(account)).day).toBe(before + 3));
});

test('a saved search is run by the worker, as its account', async () => {
  const [scout, agent] = [await platform.account({ account: 'Searching' }), await platform.account({ account: 'Searched' })];
  const search = await saveSearch(scout, { athletes: { q: 'Zoranek' } });
  const mine = await saveSearch(scout, { athletes: { q: 'Zoranek', mine: true } });
  const { id } = await createAdult(agent, { displayName: 'Zoranek Public' });
  const own = await createAdult(scout, { displayName: 'Zoranek Own', visibility: 'PRIVATE' });
  await createAdult(agent, { displayName: 'Zoranek Hidden', visibility: 'PRIVATE' });
  await eventually(async () => {
    await letIntervalsPass(platform);
    expect([await foundBy(scout, search), await foundBy(scout, mine)]).toEqual([[id], [own.id]]);
  });
});

test('a burst of requests of one key waits for its turn, and no request is rejected', async () => {
  const key = await platform.account({ account: 'Burst' });
  const read = async (): Promise<number> => (await key.get('/organizations?limit=1')).status;
  const statuses = await Promise.all(Array.from({ length: 150 }, read));
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
});
