/** The event feed: what each account reads, in one order, without gaps. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { bornFor, facts } from '../athletes/people.ts';
import { playLeague, type League } from '../competitions/leagues.ts';

let platform: TestPlatform;
let owner: Client;
let other: Client;
beforeAll(async () => {
  platform = await openTestPlatform();
  [owner, other] = [await platform.account({ account: 'Owner' }), await platform.account({ account: 'Other' })];
});
afterAll(() => platform.close());

interface FeedEvent {
  readonly id: string;
  readonly type: string;
  readonly sequence: number;
  readonly timestamp: string;
  readonly resource: { readonly type: string; readonly id: string; readonly version: number };
  readonly data: {
    readonly type: string | null;
    readonly id: string;
    readonly deleted: boolean;
    readonly representation: Readonly<Record<string, unknown>> | null;
  } | null;
}

/** All events of the feed, read page by page. */
async function readAll(client: Client, query = '', limit = 100): Promise<FeedEvent[]> {
  await platform.settled();
  const events: FeedEvent[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const after: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { status, body } = await client.get(`/events?limit=${limit}${query}${after}`);
    expect(status).toBe(200);
    events.push(...body.data);
    cursor = body.page.nextCursor;
  }
  return events;
}

const of = (events: readonly FeedEvent[], id: string) =>
  events.filter(({ resource, data }) => resource.id === id || data?.id === id);

async function finishedMatch(league: League) {
  const [home, away] = league.participants;
  const { body } = await owner.post('/competitions/matches', {
    seasonId: league.seasonId,
    participants: [
      { participantId: home, side: 'HOME' },
      { participantId: away, side: 'AWAY' },
    ],
  });
  await owner.post(`/competitions/matches/${body.id}/start`);
  const action = await owner.post(`/competitions/matches/${body.id}/actions`, { type: 'GOAL', minute: 3, participantId: home });
  await owner.post(`/competitions/matches/${body.id}/finish`);
  const result = {
    participants: [
      { participantId: home, score: 1 },
      { participantId: away, score: 0 },
    ],
  };
  const recorded = await owner.send(`/competitions/matches/${body.id}/result`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'if-none-match': '*' },
    body: JSON.stringify(result),
  });
  expect(recorded.body).toMatchObject({ status: 'PROVISIONAL' });
  await owner.post(`/competitions/matches/${body.id}/result/certify`);
  return { matchId: String(body.id), actionId: String(action.body.id) };
}

test('every account reads the events of public resources, with the representation that GET returns to it', async () => {
  const league = await playLeague(owner, ['Rot', 'Blau']);
  const { matchId, actionId } = await finishedMatch(league);
  const events = of(await readAll(other), matchId);
  expect(events.map(({ type }) => type)).toEqual([
    'match.created',
    'match.status_changed',
    'match_action.created',
    'match.finished',
    'result.recorded',
    'result.certified',
  ]);
  expect(events[2]).toMatchObject({
    resource: { type: 'match_action', id: actionId, version: 1 },
    data: { type: 'Match', id: matchId },
  });
  const { body: match } = await other.get(`/competitions/matches/${matchId}`);
  for (const { data } of events) expect(data).toEqual({ type: 'Match', id: matchId, deleted: false, representation: match });
});

test('sequences increase over all areas, pages have no gap and no duplicate, and a filter does not change the order', async () => {
  const whole = await readAll(owner);
  expect(whole.map(({ sequence }) => sequence)).toEqual(whole.map(({ sequence }) => sequence).toSorted((one, two) => one - two));
  expect((await readAll(owner, '', 7)).map(({ id }) => id)).toEqual(whole.map(({ id }) => id));
  const matches = await readAll(owner, '&area=COMPETITIONS&sport=FOOTBALL&type=match.finished,match.created');
  expect(matches.map(({ id }) => id)).toEqual(
    whole.filter(({ type }) => ['match.finished', 'match.created'].includes(type)).map(({ id }) => id),
  );
  expect(await readAll(owner, '&sport=TENNIS')).toEqual([]);
  // parts of a match or season have its sport
  const parts = await readAll(
    owner,
    '&sport=FOOTBALL&type=match_action.created,result.certified,participant.created,standings.updated',
  );
  expect(new Set(parts.map(({ type }) => type)).size).toBe(4);
});

test('after the last event, resumeCursor returns those that happen later', async () => {
  await platform.settled();
  let cursor = '';
  for (let hasMore = true; hasMore;) {
    const { body } = await owner.get(`/events?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    [cursor, hasMore] = [body.page.resumeCursor, body.page.hasMore];
  }
  const next = () => owner.get(`/events?cursor=${encodeURIComponent(cursor)}`);
  expect((await next()).body).toMatchObject({ data: [], page: { hasMore: false, nextCursor: null, resumeCursor: cursor } });
  const { body: club } = await owner.post('/organizations', {
    type: 'CLUB',
    name: 'Later',
    country: 'DE',
    sports: ['FOOTBALL'],
    status: 'ACTIVE',
  });
  await platform.settled();
  expect((await next()).body.data.map(({ type, resource }: FeedEvent) => [type, resource.id])).toEqual([
    ['organization.created', club.id],
  ]);
});

test('private resources: only their account reads their events, and without data', async () => {
  const { body: list } = await owner.post('/scouting/shortlists', { name: 'Secret' });
  expect(of(await readAll(owner), list.id)).toMatchObject([{ type: 'shortlist.created', data: null }]);
  expect(of(await readAll(other), list.id)).toEqual([]);
});

test('a draft is visible to its account only; hiding a public resource tells others to delete their copy', async () => {
  const { body: draft } = await owner.post('/athletes', facts({ displayName: 'Draft Person' }));
  expect(of(await readAll(owner), draft.id)).toHaveLength(1);
  expect(of(await readAll(other), draft.id)).toEqual([]);

  const { body: athlete } = await owner.post(
    '/athletes',
    facts({ displayName: 'Public Person', dateOfBirth: bornFor(25, 3), status: 'ACTIVE' }),
  );
  expect(of(await readAll(other), athlete.id)).toMatchObject([{ data: { representation: { displayName: 'Public Person' } } }]);
  await owner.patch(`/athletes/${athlete.id}`, { visibility: 'PRIVATE' }, { 'if-match': '*' });
  const hidden = of(await readAll(other), athlete.id);
  expect(hidden.map(({ data }) => data)).toEqual(
    hidden.map(() => ({ type: null, id: athlete.id, deleted: true, representation: null })),
  );
  expect(hidden.length).toBeGreaterThan(0);
  expect(JSON.stringify(hidden)).not.toContain('Public Person');
  const own = of(await readAll(owner), athlete.id).length;
  // changes of the hidden profile are not visible to others
  await owner.patch(`/athletes/${athlete.id}`, { heightCm: 181 }, { 'if-match': '*' });
  expect(of(await readAll(other), athlete.id)).toHaveLength(hidden.length);
  expect(of(await readAll(owner), athlete.id)).toHaveLength(own + 1);
});

test('a minor without consent appears in the feed of its account only', async () => {
  const { body: minor } = await owner.post('/athletes', facts({ displayName: 'Young Person', dateOfBirth: '2012-05-05' }));
  expect(of(await readAll(owner), minor.id)).toHaveLength(1);
  expect(of(await readAll(other), minor.id)).toEqual([]);
});

test('the feed requires a key with events:read, rejects unknown types with a suggestion, and invalid cursors', async () => {
  expect((await platform.anonymous.get('/events')).status).toBe(401);
  const without = await platform.account({ scopes: [] });
  expect((await without.get('/events')).body).toMatchObject({ status: 403, code: 'insufficient_scope' });
  const unknown = await owner.get('/events?type=match.finish');
  expect(unknown.body).toMatchObject({ status: 400, code: 'parameter_invalid', errors: [{ parameter: 'type' }] });
  expect(unknown.body.detail).toContain('Did you mean "match.finished"?');
  expect((await owner.get('/events?limit=1&cursor=abc')).body).toMatchObject({ status: 400, code: 'cursor_invalid' });
});

test('all types are described', async () => {
  const { body } = await platform.anonymous.get('/event-types');
  expect(body.data.find(({ type }: { type: string }) => type === 'match.finished')).toEqual({
    type: 'match.finished',
    description: 'A match finished',
    area: 'COMPETITIONS',
    resource: 'match',
    visibility: 'PUBLIC',
    scope: 'events:read',
    hasSport: true,
    schemaUrl: '/api/v1/openapi.json#/components/schemas/MatchEvent',
  });
});

test('GraphQL reads the same events', async () => {
  const { body } = await owner.graphql(
    '{ events(first: 100, filter: { type: ["match.finished"] }) { nodes { type resource { id } data { type representation } } pageInfo { hasNextPage } } }',
  );
  expect(body.errors).toBeUndefined();
  expect(body.data.events.nodes).toMatchObject([
    { type: 'match.finished', data: { type: 'Match', representation: { status: 'FINISHED' } } },
  ]);
});
