/** Which subscriptions are rejected, what they cost, and when they end. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../../client.ts';
import { createClient } from '../../client.ts';
import { eventually } from '../../eventually.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { subscribe, transports, type Subscriber, type SubscriptionQuery, type Transport } from '../../subscribers.ts';
import { playLeague, type League } from '../competitions/leagues.ts';

let platform: TestPlatform;
let owner: Client & { readonly key: string };
let league: League;
let matchId = '';

const limits = { burstPerMinute: 1_000_000, perDay: 1_000_000, perMonth: 1_000_000 };

async function issue(planCode: string, scopes: readonly string[] = ['events:read'], more: object = {}) {
  const input = { accountName: `Account ${Math.random()}`, plan: planCode, scopes, ...more };
  const data = await platform.administer(
    'mutation ($input: IssueApiKeyInput!) { issueApiKey(input: $input) { key apiKey { id } } }',
    { input },
  );
  const { key, apiKey } = data['issueApiKey'] as { key: string; apiKey: { id: string } };
  return { key, id: apiKey.id, client: createClient({ ...platform, key }) };
}

beforeAll(async () => {
  platform = await openTestPlatform();
  await platform.plan('narrow', limits, true, 2);
  await platform.plan('small', { ...limits, perDay: 3 }, true, 10);
  owner = await platform.account({ account: 'Owner' });
  league = await playLeague(owner, ['Rot', 'Blau']);
  const [home, away] = league.participants;
  const participants = [
    { participantId: home, side: 'HOME' },
    { participantId: away, side: 'AWAY' },
  ];
  matchId = (await owner.post('/competitions/matches', { seasonId: league.seasonId, participants })).body.id;
  await owner.post(`/competitions/matches/${matchId}/start`);
  await platform.settled();
});
afterAll(() => platform.close());

const open: Subscriber[] = [];
afterEach(async () => {
  for (const subscriber of open.splice(0)) await subscriber.close();
});

function follow(transport: Transport, key: string | null, request?: SubscriptionQuery, retryAttempts = 0): Subscriber {
  const match = { query: 'subscription ($id: ID!) { matchUpdated(id: $id) { actions { minute } } }', variables: { id: matchId } };
  const subscriber = subscribe(transport, { url: platform.graphqlUrl, key, retryAttempts }, request ?? match);
  open.push(subscriber);
  return subscriber;
}

let minute = 0;
async function goal(): Promise<void> {
  minute += 1;
  await owner.post(`/competitions/matches/${matchId}/actions`, { type: 'GOAL', minute, participantId: league.participants[0] });
  await platform.settled();
}

/** The errors that ended a subscription. */
async function errorsOf(transport: Transport, subscriber: Subscriber) {
  const end = await subscriber.ended();
  return transport === 'graphql-sse' ? subscriber.results.at(-1).errors : end;
}

describe.each(transports)('over %s', (transport) => {
  test.each([
    [
      'two root fields',
      'subscription { a: events { id } b: events { id } }',
      'GRAPHQL_VALIDATION_FAILED',
      /only one top level field/,
    ],
    ['an introspection field', 'subscription { __typename }', 'GRAPHQL_VALIDATION_FAILED', /introspection/],
    [
      'a condition on the root field',
      'subscription ($x: Boolean = true) { events @skip(if: $x) { id } }',
      'operation_unknown',
      /@skip/,
    ],
    ['an unknown field', 'subscription { events { nothing } }', 'GRAPHQL_VALIDATION_FAILED', /nothing/],
    ['a syntax error', 'subscription {', 'GRAPHQL_PARSE_FAILED', /Syntax Error/],
    ['a query', '{ organizations { nodes { id } } }', 'BAD_REQUEST', /POST \/graphql/],
    ['a missing variable', 'subscription ($id: ID!) { matchUpdated(id: $id) { id } }', 'parameter_invalid', /\$id/],
    [
      'an argument out of bounds',
      'subscription { standingsUpdated(seasonId: "1", first: 1000) { nodes { position } } }',
      'parameter_invalid',
      /100/,
    ],
    [
      'an unknown event type',
      'subscription { events(filter: { type: ["match.begun"] }) { id } }',
      'parameter_invalid',
      /match\.begun/,
    ],
    [
      'a selection that costs too much',
      `subscription { standingsUpdated(seasonId: "1", first: 100) { nodes { season { matches(first: 100) { nodes { replays(first: 100) { nodes { id } } } } } } } }`,
      'query_too_complex',
      /points/,
    ],
  ])('%s is rejected', async (_, query, code, message) => {
    const errors = await errorsOf(transport, follow(transport, owner.key, { query }));
    expect(errors).toMatchObject([{ message: expect.stringMatching(message), extensions: { code } }]);
  });

  test('events require a key with the scope', async () => {
    const query = 'subscription { events { id } }';
    const { key } = await issue('plenty', ['competitions:write']);
    expect(await errorsOf(transport, follow(transport, null, { query }))).toMatchObject([
      { extensions: { code: 'api_key_missing' } },
    ]);
    expect(await errorsOf(transport, follow(transport, key, { query }))).toMatchObject([
      { extensions: { code: 'insufficient_scope', requiredScopes: ['events:read'] } },
    ]);
  });

  test('an account has as many concurrent subscriptions as its plan allows, and one more after one was closed', async () => {
    const { key } = await issue('narrow');
    const [first, second] = [follow(transport, key), follow(transport, key)];
    await first.received(1);
    await second.received(1);
    const end = await follow(transport, key).ended();
    if (transport === 'graphql-sse') expect(end.response.status).toBe(429);
    else expect(end).toMatchObject([{ extensions: { code: 'stream_limit_exceeded', limit: 2 } }]);
    await first.close();
    await eventually(async () => void (await follow(transport, key).received(1)));
  });

  test('a revoked key ends its subscriptions, and cannot connect again', async () => {
    const { key, id } = await issue('plenty');
    const subscriber = follow(transport, key, undefined, 1);
    await subscriber.received(1);
    await platform.administer('mutation ($id: ID!) { revokeApiKey(id: $id) { id } }', { id });
    const end = await subscriber.ended();
    if (transport === 'graphql-sse') expect(end.response.status).toBe(401);
    else expect(end).toMatchObject({ code: 4401, reason: expect.stringMatching(/^api_key_revoked/) });
  });

  test('each result after the first costs what the operation costs, and an exhausted quota ends the subscription', async () => {
    const { key, client } = await issue('small');
    const subscriber = follow(transport, key);
    await subscriber.received(1);
    const used = async (): Promise<number> => (await client.get('/usage')).body.day.used;
    expect(await used()).toBe(1);
    for (const expected of [2, 3]) {
      await goal();
      await subscriber.received(expected);
      await eventually(async () => expect(await used()).toBe(expected));
    }
    await goal();
    await subscriber.received(4);
    expect(await errorsOf(transport, subscriber)).toMatchObject([{ extensions: { code: 'quota_exceeded', plan: 'small' } }]);
  });

  test('a registered document runs by its text with a key that is restricted to registered documents', async () => {
    const text = `subscription ($id: ID!) { matchUpdated(id: $id) { ${transport === 'graphql-ws' ? 'id status' : 'status id'} } }`;
    const { key, id, client } = await issue('plenty', ['documents:write']);
    const { body } = await client.post('/registered-documents/batch', { items: [{ text }] });
    expect(body.data).toMatchObject([{ outcome: 'CREATED' }]);
    await platform.administer(
      'mutation ($id: ID!) { updateApiKey(id: $id, ifMatch: "*", input: {registeredDocumentsOnly: true}) { id } }',
      { id },
    );
    const variables = { id: matchId };
    await eventually(async () => {
      const [error] = await errorsOf(transport, follow(transport, key, { query: `${text} `, variables }));
      expect(error).toMatchObject({ extensions: { code: 'document_not_registered' } });
    });
    expect(await follow(transport, key, { query: text, variables }).received(1)).toMatchObject({
      data: { matchUpdated: { id: matchId } },
    });
  });
});
