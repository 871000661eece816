/** Subscriptions with third-party clients on the whole platform: Apollo Client, urql, and reconnection of the reference clients. */
import { ApolloClient, gql, HttpLink, InMemoryCache } from '@apollo/client/core';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client as UrqlClient, fetchExchange, subscriptionExchange } from '@urql/core';
import { createClient as createEventClient } from 'graphql-sse';
import { createClient as createSocketClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { eventually as eventuallyWithin } from './eventually.ts';
import type { Client } from './client.ts';
import { subscribe, transports } from './subscribers.ts';
import { openTestPlatform, wirings, type TestPlatform } from './test-platform.ts';
import { playLeague, type League } from './stories/competitions/leagues.ts';

/** Separate processes of a busy machine take longer. */
const eventually = (check: () => Promise<void>): Promise<void> => eventuallyWithin(check, 60_000);

const text = /* GraphQL */ `
  subscription actions($id: ID!) {
    matchUpdated(id: $id) {
      id
      participants {
        participant {
          team {
            name
          }
        }
      }
      actions {
        minute
      }
    }
  }
`;

describe.each(wirings)('in %s', (wiring) => {
  let platform: TestPlatform;
  let owner: Client & { readonly key: string };
  let league: League;
  let id = '';
  let minute = 0;

  beforeAll(async () => {
    platform = await openTestPlatform({ isolated: true, wiring });
    owner = await platform.account({ account: 'Owner' });
    league = await playLeague(owner, ['Rot', 'Blau']);
    const [home, away] = league.participants;
    const participants = [
      { participantId: home, side: 'HOME' },
      { participantId: away, side: 'AWAY' },
    ];
    id = (await owner.post('/competitions/matches', { seasonId: league.seasonId, participants })).body.id;
    await owner.post(`/competitions/matches/${id}/start`);
    await platform.settled();
  });
  afterAll(() => platform.close());

  /** Records a goal, and returns its minute. */
  async function goal(): Promise<number> {
    minute += 1;
    const action = { type: 'GOAL', minute, participantId: league.participants[0] };
    expect((await owner.post(`/competitions/matches/${id}/actions`, action)).status).toBe(201);
    await platform.settled();
    return minute;
  }

  const last = (data: { matchUpdated?: { actions?: readonly { minute: number }[] } } | null | undefined) =>
    data?.matchUpdated?.actions?.at(-1)?.minute ?? null;

  const socketClient = () =>
    createSocketClient({
      url: `${platform.graphqlUrl.replace('http', 'ws')}/graphql/ws`,
      webSocketImpl: WebSocket,
      connectionParams: { 'x-api-key': owner.key },
    });

  test('Apollo Client follows a match over WebSocket', async () => {
    const client = socketClient();
    const apollo = new ApolloClient({ link: new GraphQLWsLink(client), cache: new InMemoryCache() });
    const minutes: (number | null)[] = [];
    const subscription = apollo
      .subscribe({ query: gql(text), variables: { id } })
      .subscribe(({ data }) => void minutes.push(last(data as never)));
    await eventually(() => Promise.resolve(expect(minutes).toHaveLength(1)));
    const scored = await goal();
    await eventually(() => Promise.resolve(expect(minutes.at(-1)).toBe(scored)));
    // a subscription updates the cache of queries
    const query = gql('query ($id: ID!) { match(id: $id) { id actions { minute } } }');
    apollo.setLink(new HttpLink({ uri: `${platform.graphqlUrl}/graphql` }));
    const { data } = await apollo.query({ query, variables: { id }, fetchPolicy: 'cache-first' });
    expect(data).toMatchObject({ match: { id } });
    subscription.unsubscribe();
    await client.dispose();
  });

  test('urql follows a match over both transports', async () => {
    const events = createEventClient({ url: `${platform.graphqlUrl}/graphql/stream`, headers: { 'x-api-key': owner.key } });
    const sockets = socketClient();
    const received: (number | null)[][] = [[], []];
    const stops = [events, sockets].map((client, index) => {
      const urql = new UrqlClient({
        url: `${platform.graphqlUrl}/graphql`,
        preferGetMethod: false,
        exchanges: [
          fetchExchange,
          subscriptionExchange({
            forwardSubscription: ({ query = '', variables }) => ({
              subscribe: (sink) => ({ unsubscribe: client.subscribe({ query, variables: { ...variables } }, sink as never) }),
            }),
          }),
        ],
      });
      return urql.subscription(text, { id }).subscribe(({ data }) => void received[index]?.push(last(data)));
    });
    await eventually(() => Promise.resolve(expect(received.map(({ length }) => length)).toEqual([1, 1])));
    const scored = await goal();
    await eventually(() => Promise.resolve(expect(received.map((each) => each.at(-1))).toEqual([scored, scored])));
    for (const { unsubscribe } of stops) unsubscribe();
    events.dispose();
    await sockets.dispose();
  });

  if (wiring === 'separate processes')
    test.each(transports)(
      'a subscriber over %s connects again after a restart of the router, and receives the current state',
      async (transport) => {
        const subscriber = subscribe(
          transport,
          { url: platform.graphqlUrl, key: owner.key, retryAttempts: 300 },
          { query: text, variables: { id } },
        );
        await subscriber.received(1);
        const before = subscriber.results.length;
        await platform.processes?.stop('router', 'SIGTERM');
        await platform.processes?.start('router');
        await subscriber.received(before + 1, 60_000);
        const scored = await goal();
        await eventually(() => Promise.resolve(expect(last(subscriber.results.at(-1).data)).toBe(scored)));
        expect(subscriber.end).toBeUndefined();
        await subscriber.close();
      },
    );
  else
    test.each(transports)('a process that stops ends subscriptions over %s so that clients connect again', async (transport) => {
      const own = await openTestPlatform({ isolated: true });
      const filter = { query: 'subscription { opportunityPublished { id } }' };
      const client = subscribe(transport, { url: own.graphqlUrl, key: null }, filter);
      await eventually(() => Promise.resolve(expect(own.statements('projections')).toContain('events.after')));
      await own.close();
      const end = await client.ended();
      if (transport === 'graphql-ws') expect(end).toMatchObject({ code: 1001 });
      else expect(String(end)).toMatch(/NetworkError|closed/);
    });
});
