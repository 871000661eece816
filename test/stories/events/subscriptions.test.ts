/** GraphQL subscriptions with the reference clients: what subscribers receive, and what they never receive. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { subscribe, transports, type Subscriber, type SubscriptionQuery, type Transport } from '../../subscribers.ts';
import { playLeague, type League } from '../competitions/leagues.ts';

let platform: TestPlatform;
let owner: Client & { readonly key: string };
let other: Client & { readonly key: string };
let league: League;

beforeAll(async () => {
  platform = await openTestPlatform();
  [owner, other] = [await platform.account({ account: 'Owner' }), await platform.account({ account: 'Other' })];
  league = await playLeague(owner, ['Rot', 'Blau']);
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

const score = /* GraphQL */ `
  subscription score($id: ID!) {
    matchUpdated(id: $id) {
      id
      status
      season {
        competition {
          name
        }
      }
      participants {
        side
        participant {
          team {
            name
          }
        }
      }
      actions {
        type
        minute
      }
    }
  }
`;

describe.each(transports)('over %s', (transport) => {
  test('a subscriber receives the current state of a match, then each later state, with fields of several areas', async () => {
    const id = await startedMatch();
    const subscriber = follow({ query: score, variables: { id } }, other, transport);
    expect(await subscriber.received(1)).toEqual({
      data: {
        matchUpdated: {
          id,
          status: 'IN_PLAY',
          season: { competition: { name: 'Landesliga' } },
          participants: [
            { side: 'HOME', participant: { team: { name: 'Rot' } } },
            { side: 'AWAY', participant: { team: { name: 'Blau' } } },
          ],
          actions: [],
        },
      },
    });
    await goal(id, 7);
    const { data } = await subscriber.received(2);
    expect(data.matchUpdated.actions).toEqual([{ type: 'GOAL', minute: 7 }]);
    await owner.post(`/competitions/matches/${id}/finish`);
    await platform.settled();
    expect((await subscriber.received(3)).data.matchUpdated.status).toBe('FINISHED');
  });

  test('a match that does not exist and a match that is not visible are the same error', async () => {
    const draft = await playLeague(owner, ['Gelb', 'Grau'], { status: 'DRAFT' });
    const [home, away] = draft.participants;
    const { body } = await owner.post('/competitions/matches', {
      seasonId: draft.seasonId,
      participants: [{ participantId: home }, { participantId: away }],
    });
    await platform.settled();
    const ends = [];
    for (const id of [body.id, '00000000-0000-4000-8000-000000000000']) {
      const subscriber = follow(
        { query: 'subscription ($id: ID!) { m: matchUpdated(id: $id) { id } }', variables: { id } },
        other,
        transport,
      );
      const end = await subscriber.ended();
      ends.push(transport === 'graphql-sse' ? subscriber.results : [{ errors: end }]);
    }
    expect(ends[0]).toEqual([{ errors: [{ message: expect.any(String), path: ['m'], extensions: { code: 'not_found' } }] }]);
    expect(ends[0]).toEqual(ends[1]);
    const own = follow(
      { query: 'subscription ($id: ID!) { matchUpdated(id: $id) { id } }', variables: { id: body.id } },
      owner,
      transport,
    );
    expect(await own.received(1)).toEqual({ data: { matchUpdated: { id: body.id } } });
  });
});

test('fifty subscribers of an account cause one execution per change, and receive the same payload', async () => {
  const id = await startedMatch();
  const subscribers: Subscriber[] = [];
  /** The statements of areas for a change with this many subscribers. */
  async function statementsWith(count: number): Promise<string[]> {
    while (subscribers.length < count)
      subscribers.push(
        follow({ query: score, variables: { id } }, other, subscribers.length % 5 === 0 ? 'graphql-ws' : 'graphql-sse'),
      );
    for (const subscriber of subscribers) await subscriber.received(1);
    const before = subscribers.map(({ results }) => results.length);
    platform.statements();
    await goal(id, count);
    for (const [index, subscriber] of subscribers.entries()) await subscriber.received((before[index] ?? 0) + 1);
    // the router reads the states of the areas at any time, and the worker of webhooks follows the feed
    return platform
      .statements('projections')
      .filter((name) => name !== 'changeState.read' && !name.startsWith('webhooks.'))
      .toSorted();
  }
  const [none, one, fifty] = [await statementsWith(0), await statementsWith(1), await statementsWith(50)];
  expect(one.length).toBeGreaterThan(none.length);
  expect(fifty).toEqual(one);
  for (const { results } of subscribers) expect(results.at(-1)).toEqual(subscribers[0]?.results.at(-1));
});

test('a change that the selection does not show causes no payload', async () => {
  const id = await startedMatch();
  const subscriber = follow({ query: 'subscription ($id: ID!) { matchUpdated(id: $id) { status } }', variables: { id } });
  await subscriber.received(1);
  await goal(id, 3);
  await owner.post(`/competitions/matches/${id}/finish`);
  await platform.settled();
  await subscriber.received(2);
  expect(subscriber.results.map(({ data }) => data.matchUpdated.status)).toEqual(['IN_PLAY', 'FINISHED']);
});

test('a deleted match ends its subscription with an error', async () => {
  const [home, away] = league.participants;
  const participants = [{ participantId: home }, { participantId: away }];
  const { body } = await owner.post('/competitions/matches', { seasonId: league.seasonId, participants });
  await platform.settled();
  const subscriber = follow({ query: 'subscription ($id: ID!) { matchUpdated(id: $id) { id } }', variables: { id: body.id } });
  await subscriber.received(1);
  await owner.delete(`/competitions/matches/${body.id}`, { 'if-match': '*' });
  await platform.settled();
  expect(await subscriber.ended()).toBe('COMPLETE');
  expect(subscriber.results.at(-1).errors).toMatchObject([{ extensions: { code: 'not_found' } }]);
});

test('the rows of the rankings of a season follow its results', async () => {
  const query = `subscription ($id: ID!) { standingsUpdated(seasonId: $id, first: 10) { nodes { position points participant { name } } } }`;
  const subscriber = follow({ query, variables: { id: league.seasonId } });
  await subscriber.received(1);
  const id = await startedMatch();
  await owner.post(`/competitions/matches/${id}/finish`);
  const [home, away] = league.participants;
  const result = {
    participants: [
      { participantId: home, score: 2 },
      { participantId: away, score: 0 },
    ],
  };
  await owner.send(`/competitions/matches/${id}/result`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'if-none-match': '*' },
    body: JSON.stringify(result),
  });
  await owner.post(`/competitions/matches/${id}/result/certify`);
  await platform.settled();
  const { data } = await subscriber.received(2);
  expect(data.standingsUpdated.nodes[0]).toMatchObject({ position: 1, points: 3 });
});
