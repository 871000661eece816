/** Which subscriptions are rejected, what they cost, and when they end. */
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
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

describe('a WebSocket', () => {
  const sockets: WebSocket[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.terminate();
  });

  async function connect(
    protocol = 'graphql-transport-ws',
    path = '/graphql/ws',
    headers: Record<string, string> = {},
  ): Promise<WebSocket> {
    const socket = new WebSocket(`${platform.graphqlUrl.replace('http', 'ws')}${path}`, protocol, { headers });
    sockets.push(socket);
    await once(socket, 'open');
    return socket;
  }
  const closed = async (socket: WebSocket): Promise<number> => Number((await once(socket, 'close'))[0]);
  const init = JSON.stringify({ type: 'connection_init' });
  const start = JSON.stringify({
    id: '1',
    type: 'subscribe',
    payload: { query: `subscription { matchUpdated(id: "${matchId}") { id } }` },
  });

  test.each([
    ['subscribes before connection_init', [start], 4401],
    ['sends connection_init twice', [init, init], 4429],
    ['sends a text that is not JSON', ['hello'], 4400],
    ['sends more than 256 KiB', ['x'.repeat(256 * 1024 + 1)], 1009],
    ['sends more than 20,000 values', [`[${'1,'.repeat(20_000)}1]`], 1009],
  ])('that %s is closed', async (_, messages, code) => {
    const socket = await connect();
    for (const message of messages) socket.send(message);
    expect(await closed(socket)).toBe(code);
  });

  test('that uses the id of an open subscription again is closed', async () => {
    const socket = await connect();
    socket.send(init);
    await once(socket, 'message');
    for (let count = 0; count < 2; count += 1)
      socket.send(
        JSON.stringify({
          id: '1',
          type: 'subscribe',
          payload: { query: `subscription { matchUpdated(id: "${matchId}") { id } }` },
        }),
      );
    expect(await closed(socket)).toBe(4409);
  });

  test('accepts a key in the header of the upgrade request, answers pings, and rejects two different keys', async () => {
    const socket = await connect('graphql-transport-ws', '/graphql/ws', { 'x-api-key': owner.key });
    const messages: unknown[] = [];
    socket.on('message', (data) => messages.push(JSON.parse((data as Buffer).toString())));
    socket.send(JSON.stringify({ type: 'ping', payload: { at: 1 } }));
    socket.send(init);
    await eventually(() =>
      Promise.resolve(expect(messages).toEqual([{ type: 'pong', payload: { at: 1 } }, { type: 'connection_ack' }])),
    );
    const ambiguous = await connect('graphql-transport-ws', '/graphql/ws', { 'x-api-key': owner.key });
    ambiguous.send(JSON.stringify({ type: 'connection_init', payload: { Authorization: 'Bearer other' } }));
    expect(await closed(ambiguous)).toBe(4401);
  });

  test.each([
    ['another path', 'graphql-transport-ws', '/graphql/other', 404],
    ['another subprotocol', 'graphql-ws', '/graphql/ws', 400],
    ['an unknown host', 'graphql-transport-ws', '/graphql/ws', 404],
  ])('to %s is rejected', async (name, protocol, path, status) => {
    const headers = name === 'an unknown host' ? { host: 'unknown.talent.test' } : {};
    const socket = new WebSocket(`${platform.graphqlUrl.replace('http', 'ws')}${path}`, protocol, { headers });
    sockets.push(socket);
    const [error] = await once(socket, 'error');
    expect(String(error)).toContain(String(status));
  });
});

describe('over HTTP', () => {
  const query = () => `subscription { matchUpdated(id: "${matchId}") { id } }`;

  test('the stream has the headers of the API, and starts with an event', async () => {
    const controller = new AbortController();
    const response = await fetch(`${platform.graphqlUrl}/graphql/stream?query=${encodeURIComponent(query())}`, {
      headers: { 'x-api-key': owner.key, origin: 'https://example.org' },
      signal: controller.signal,
    });
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      ratelimit: expect.stringContaining('"day"'),
    });
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(Buffer.from(first?.value ?? []).toString()).toBe(
      `event: next\ndata: {"data":{"matchUpdated":{"id":"${matchId}"}}}\n\n`,
    );
    controller.abort();
  });

  test.each([
    [
      'a simple request of another site',
      () => ({ method: 'POST', body: 'x', headers: { 'content-type': 'text/plain' } }),
      [400, 415],
    ],
    ['GET without a header that needs a preflight', () => ({}), [400]],
    ['an unknown key', () => ({ headers: { 'x-api-key': 'tp_unknown.secret' } }), [401]],
    ['another method', () => ({ method: 'PUT' }), [405]],
  ])('%s is rejected', async (_, request, statuses) => {
    const response = await fetch(`${platform.graphqlUrl}/graphql/stream?query=${encodeURIComponent(query())}`, request());
    expect(statuses).toContain(response.status);
    expect(response.headers.get('content-type')).toMatch(/json/);
  });

  test('a GET of the WebSocket path without an upgrade is rejected', async () => {
    const response = await fetch(`${platform.graphqlUrl}/graphql/ws`, { headers: { 'x-api-key': owner.key } });
    expect(response.status).toBe(400);
  });

  test('a subscription to POST /graphql names the paths for subscriptions', async () => {
    const { body } = await owner.graphql(query());
    expect(body.errors).toMatchObject([
      { message: expect.stringContaining('/graphql/stream'), extensions: { code: 'operation_unknown' } },
    ]);
  });
});
