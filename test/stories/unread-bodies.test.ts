/** A body is read only for somebody who may send it: the rest are answered, and counted, before. */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../client.ts';
import { openWorld, type World } from '../world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
  await world.plan('small', { burstPerMinute: 100, perDay: 20, perMonth: 100 });
});
afterAll(() => world.close());

/** Sends the head of a request whose body never comes; the status line of the answer, or nothing when it is hung up on first. */
function promise(headers: Record<string, string>, hangUpAfterMs: number): Promise<string> {
  const { hostname, port } = new URL(world.restUrl);
  const lines = Object.entries({ host: 'x', 'content-type': 'application/json', 'content-length': '100000', ...headers });
  const { promise: told, resolve } = Promise.withResolvers<string>();
  const socket = connect(Number(port), hostname, () => {
    socket.write(`POST /api/v1/athletes HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n{"a"`);
  });
  const hangUp = (text: string): void => {
    socket.destroy();
    resolve(text);
  };
  socket.on('data', (bytes) => hangUp(bytes.toString().split('\r\n', 1)[0] ?? ''));
  setTimeout(() => hangUp(''), hangUpAfterMs);
  return told;
}

const remaining = async (client: Client): Promise<number> =>
  Number((await client.get('/usage')).headers.get('x-ratelimit-remaining'));

describe('before its body is there, a write', () => {
  test('of somebody without a key is 401', async () => {
    expect(await promise({}, 5_000)).toContain(' 401 ');
  });

  test('of somebody without the scope is 403', async () => {
    const { key } = await world.account({ scopes: ['events:read'] });
    expect(await promise({ 'x-api-key': key }, 5_000)).toContain(' 403 ');
  });

  test('of somebody whose day is spent is 429', async () => {
    const spent = await world.account({ plan: 'small' });
    for (let left = 20; left > 0; left -= 1) await spent.get('/organizations?limit=1');
    expect(await promise({ 'x-api-key': spent.key }, 5_000)).toContain(' 429 ');
  });

  test('that is given up has counted', async () => {
    const fickle = await world.account({ plan: 'small' });
    const before = await remaining(fickle);
    for (let count = 0; count < 3; count += 1) await promise({ 'x-api-key': fickle.key }, 300);
    expect(await remaining(fickle)).toBe(before - 3);
  });
});

test('a write counts once, whether it is done, refused for its body, or a batch of many', async () => {
  const writer = await world.account({ plan: 'small' });
  const club = { type: 'CLUB', name: 'Once FC', country: 'DE', sports: ['FOOTBALL'] };
  const left = async (path: string, body: unknown): Promise<number> =>
    Number((await writer.post(path, body)).headers.get('x-ratelimit-remaining'));
  expect(await left('/organizations', club)).toBe(19);
  expect(await left('/organizations', { ...club, colour: 'red' })).toBe(18);
  expect(await left('/organizations/batch', { items: [{ colour: 'red' }] })).toBe(17);
  expect(await left('/organizations/batch', { items: [club] })).toBe(16);
  expect(await remaining(writer)).toBe(16);
});
