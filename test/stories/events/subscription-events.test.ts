/** Subscriptions to published opportunities and to events: what arrives, in which order, and what never arrives. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { subscribe, transports, type Subscriber, type SubscriptionQuery, type Transport } from '../../subscribers.ts';
import { playLeague, type League } from '../competitions/leagues.ts';
import { inDays } from '../scouting/market.ts';

let platform: TestPlatform;
let owner: Client & { readonly key: string };
let other: Client & { readonly key: string };
let league: League;
let club = '';

beforeAll(async () => {
  platform = await openTestPlatform();
  [owner, other] = [await platform.account({ account: 'Owner' }), await platform.account({ account: 'Other' })];
  league = await playLeague(owner, ['Rot', 'Blau']);
  const facts = { type: 'CLUB', name: 'FC Live', country: 'DE', sports: ['FOOTBALL'], status: 'ACTIVE' };
  club = (await owner.post('/organizations', facts)).body.id;
  await platform.settled();
});
afterAll(() => platform.close());

const open: Subscriber[] = [];
afterEach(async () => {
  for (const subscriber of open.splice(0)) await subscriber.close();
});

function follow(request: SubscriptionQuery, by: Client & { readonly key: string } = other, transport: Transport = 'graphql-sse') {
  const subscriber = subscribe(transport, { url: platform.graphqlUrl, key: by.key }, request);
  open.push(subscriber);
  return subscriber;
}

async function startedMatch(facts: object = {}): Promise<string> {
  const [home, away] = league.participants;
  const participants = [
    { participantId: home, side: 'HOME' },
    { participantId: away, side: 'AWAY' },
  ];
  const { body } = await owner.post('/competitions/matches', { seasonId: league.seasonId, participants, ...facts });
  await owner.post(`/competitions/matches/${body.id}/start`);
  await platform.settled();
  return body.id;
}

async function goal(matchId: string, minute: number): Promise<void> {
  const action = { type: 'GOAL', minute, participantId: league.participants[0] };
  const { status } = await owner.post(`/competitions/matches/${matchId}/actions`, action);
  expect(status).toBe(201);
  await platform.settled();
}

test('an opportunity arrives when it is published and matches the filter, with the organization of another area', async () => {
  const query = `subscription ($filter: OpportunityFilter) { opportunityPublished(filter: $filter) { title organization { name } } }`;
  const trials = follow({ query, variables: { filter: { type: ['TRIAL'] } } }, other, 'graphql-ws');
  const showcases = follow({ query, variables: { filter: { type: ['SHOWCASE'] } } });
  // the start of both is complete when a third one has received its first payload
  await ready();
  const facts = {
    description: 'Come and play.',
    sport: 'FOOTBALL',
    applicationDeadline: inDays(30),
    totalOpenings: 5,
    organizationId: club,
  };
  const { body: draft } = await owner.post('/opportunities', { ...facts, type: 'TRIAL', title: 'Later' });
  const atOnce = await owner.post('/opportunities', { ...facts, type: 'TRIAL', title: 'At once', status: 'PUBLISHED' });
  expect(atOnce.body).toMatchObject({ status: 'PUBLISHED' });
  await platform.settled();
  await trials.received(1);
  expect((await owner.post(`/opportunities/${draft.id}/publish`)).status).toBe(200);
  await platform.settled();
  await trials.received(2);
  expect(trials.results).toEqual(
    ['At once', 'Later'].map((title) => ({ data: { opportunityPublished: { title, organization: { name: 'FC Live' } } } })),
  );
  expect(showcases.results).toEqual([]);
});

/** Waits until subscriptions that were requested before have started. */
async function ready(): Promise<void> {
  const id = await startedMatch();
  for (const transport of transports)
    await follow(
      { query: 'subscription ($id: ID!) { matchUpdated(id: $id) { id } }', variables: { id } },
      other,
      transport,
    ).received(1);
}

test('events arrive in the order of the feed, none twice, and only those that the account can read', async () => {
  const query = `subscription ($filter: EventFilter) { events(filter: $filter) { id type sequence resource { type id } data { type id representation } } }`;
  const filter = {
    area: ['COMPETITIONS', 'SCOUTING'],
    type: ['match.created', 'match.status_changed', 'match_action.created', 'shortlist.created'],
  };
  const foreign = follow({ query, variables: { filter } });
  const own = follow({ query, variables: { filter } }, owner, 'graphql-ws');
  await ready();
  const before = own.results.length;
  const id = await startedMatch();
  await owner.post('/scouting/shortlists', { name: 'Secret' });
  for (const minute of [1, 2, 3]) await goal(id, minute);
  await own.received(before + 6);
  const types = (subscriber: Subscriber) => subscriber.results.slice(-5).map(({ data }) => data.events.type);
  await foreign.received(before + 5);
  expect(types(foreign)).toEqual([
    'match.created',
    'match.status_changed',
    ...Array.from({ length: 3 }, () => 'match_action.created'),
  ]);
  expect(own.results.filter(({ data }) => data.events.type === 'shortlist.created')).toMatchObject([
    { data: { events: { data: null } } },
  ]);
  const sequences = own.results.map(({ data }) => data.events.sequence);
  expect(sequences).toEqual([...new Set(sequences)].toSorted((one, two) => one - two));
  const { body: match } = await other.get(`/competitions/matches/${id}`);
  expect(foreign.results.at(-1).data.events.data).toEqual({ type: 'Match', id, representation: match });
});

test('a change of a private resource sends no payload to other accounts, and one to its account', async () => {
  const query = `subscription { events(filter: { type: ["shortlist.created"] }) { type } }`;
  const [foreign, own] = [follow({ query }), follow({ query }, owner)];
  await ready();
  await owner.post('/scouting/shortlists', { name: 'Also secret' });
  await platform.settled();
  await own.received(1);
  expect(foreign.results).toEqual([]);
});
