/** The rules of the two transports: WebSocket messages, and headers and methods over HTTP. */
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { WebSocket } from 'ws';
import type { Client } from '../../client.ts';
import { eventually } from '../../eventually.ts';
import { openTestPlatform, type TestPlatform } from '../../test-platform.ts';
import { playLeague } from '../competitions/leagues.ts';

let platform: TestPlatform;
let owner: Client & { readonly key: string };
let matchId = '';

beforeAll(async () => {
  platform = await openTestPlatform();
  owner = await platform.account({ account: 'Owner' });
  const league = await playLeague(owner, ['Rot', 'Blau']);
  const [home, away] = league.participants;
  const participants = [
    { participantId: home, side: 'HOME' },
    { participantId: away, side: 'AWAY' },
  ];
  matchId = (await owner.post('/competitions/matches', { seasonId: league.seasonId, participants })).body.id;
  await platform.settled();
});
afterAll(() => platform.close());

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
