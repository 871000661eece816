/** Framed connections: calls, failures and restarts. */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { FrameClient } from '../../platform/frames/client.ts';
import { blockBeforeTimers, blockProcess } from '../block-process.ts';
import { eventually } from '../eventually.ts';
import { callOf, createClient, edgeKey, startServer, type TestServer } from './frame-server.ts';

const servers: TestServer[] = [];
const clients: FrameClient[] = [];
async function open(options: Parameters<typeof startServer>[0] = {}): Promise<TestServer> {
  const server = await startServer(options);
  servers.push(server);
  return server;
}
function clientOf(url: string, key = edgeKey): FrameClient {
  const client = createClient(url, key);
  clients.push(client);
  return client;
}
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  for (const server of servers.splice(0)) server.crash();
});

const never = new Promise<string>(() => undefined);

describe('a framed connection', () => {
  test('carries many calls at once, and each gets its response', async () => {
    const server = await open();
    server.respond = async (body) => {
      await sleep(Math.random() * 20);
      return `${body}!`;
    };
    const client = clientOf(server.url);
    const bodies = Array.from({ length: 500 }, (_, index) => `call ${index} ü€😀 ${'x'.repeat(index * 10)}`);
    expect(await Promise.all(bodies.map((body) => client.call(callOf(body))))).toEqual(bodies.map((body) => `${body}!`));
  });

  test('carries large requests and responses, up to the limit', async () => {
    const server = await open();
    server.respond = (body) => (body === 'too large' ? 'x'.repeat(17 * 1024 * 1024) : body);
    const client = clientOf(server.url);
    const large = 'ü'.repeat(7 * 1024 * 1024);
    expect(await client.call(callOf(large))).toBe(large);
    await expect(client.call(callOf('x'.repeat(17 * 1024 * 1024)))).rejects.toMatchObject({ code: 'payload_too_large' });
    await expect(client.call(callOf('too large'))).rejects.toMatchObject({ code: 'upstream_unavailable' });
    expect(await client.call(callOf('next'))).toBe('next');
    expect(server.executed).toHaveLength(3);
  });

  test('names a text by number after its first use', async () => {
    const server = await open();
    const client = clientOf(server.url);
    const named = () => client.call(callOf('', { body: (texts) => JSON.stringify(texts.numberOf('{a}')) }));
    expect([await named(), await named()]).toEqual(['{"number":0,"isNew":true}', '{"number":0,"isNew":false}']);
  });

  test('lets the server request a value of an open call, once', async () => {
    const server = await open();
    server.respond = async (_, { ask }) => (await Promise.all([ask(), ask()])).join(' ');
    let answers = 0;
    const answer = (): string => `ticket ${(answers += 1)}`;
    expect(await clientOf(server.url).call(callOf('x', { answer }))).toBe('ticket 1 ticket 1');
  });

  test('ends a call at its deadline or when its caller leaves, and the server is notified', async () => {
    const server = await open();
    const signals: AbortSignal[] = [];
    server.respond = (_, { signal }) => {
      signals.push(signal);
      return never;
    };
    const client = clientOf(server.url);
    await expect(client.call(callOf('a', { deadlineMs: performance.now() + 100 }))).rejects.toMatchObject({
      code: 'upstream_timeout',
    });
    const leaving = new AbortController();
    const left = client.call(callOf('b', { signal: leaving.signal }));
    await eventually(() => Promise.resolve(expect(signals).toHaveLength(2)));
    leaving.abort();
    await expect(left).rejects.toMatchObject({ code: 'upstream_unavailable' });
    await eventually(() => Promise.resolve(expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])));
    server.respond = (body) => body;
    expect(await client.call(callOf('c'))).toBe('c');
  });

  test('is null for a peer without framed connections', async () => {
    const server = await open();
    // another path of the same server
    const client = clientOf(server.url, Buffer.alloc(32, 9));
    expect(await client.call(callOf('x'))).toBeNull();
    expect(server.executed).toEqual([]);
  });

  test('fails for a peer that is not there', async () => {
    const client = clientOf('http://127.0.0.1:1');
    await expect(client.call(callOf('x'))).rejects.toMatchObject({
      code: 'upstream_unavailable',
      message: 'The other is unavailable. Retry the request.',
    });
  });
});

describe('a peer that does not complete the handshake', () => {
  test('because it is busy: the call waits, although its process is busy for longer than a call waits for a peer', async () => {
    const server = await open();
    const response = clientOf(server.url).call(callOf('first'));
    // in the middle of the handshake
    await sleep(5);
    blockProcess(3_000);
    expect(await response).toBe('first');
  });

  test('ever: the call fails before its deadline', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const call = callOf('a', { deadlineMs: performance.now() + 60_000 });
    await expect(clientOf(url).call(call)).rejects.toMatchObject({ code: 'upstream_unavailable' });
    silent.close();
  });
});

test('a response that arrived while the process was blocked is read, although its deadline is over', async () => {
  const server = await open();
  const client = clientOf(server.url);
  expect(await client.call(callOf('connected'))).toBe('connected');
  const call = client.call(callOf('late', { deadlineMs: performance.now() + 100 }));
  await blockBeforeTimers(500);
  expect(await call).toBe('late');
});

describe('a peer that stops', () => {
  test('abruptly: a query is repeated, a mutation is not, and calls that were not sent are', async () => {
    const server = await open();
    const client = clientOf(server.url);
    await client.call(callOf('warm'));
    server.respond = () => never;
    const query = client.call(callOf('query'));
    const mutation = client.call(callOf('mutation', { mutation: true }));
    const failed = expect(mutation).rejects.toMatchObject({ code: 'upstream_unavailable' });
    await eventually(() => Promise.resolve(expect(server.executed).toHaveLength(3)));
    server.crash();
    const next = await open({ port: server.port });
    await failed;
    expect(await query).toBe('query');
    expect(await client.call(callOf('later', { mutation: true }))).toBe('later');
    expect(next.executed).toEqual(['query', 'later']);
  });

  test('gracefully, again and again under load: every call is executed exactly once', async () => {
    const server = await open();
    const executed = new Map<string, number>();
    const count = async (body: string): Promise<string> => {
      executed.set(body, (executed.get(body) ?? 0) + 1);
      await sleep(Math.random() * 10);
      return body;
    };
    server.respond = count;
    const client = clientOf(server.url);
    let sent = 0;
    let isDone = false;
    const callAgain = async (): Promise<void> => {
      while (!isDone) {
        const body = `mutation ${(sent += 1)}`;
        expect(await client.call(callOf(body, { mutation: true }))).toBe(body);
      }
    };
    const callers = Array.from({ length: 50 }, callAgain);
    let current = server;
    for (let restart = 0; restart < 3; restart += 1) {
      await sleep(100);
      await current.stop();
      current = await open({ port: server.port });
      current.respond = count;
    }
    await sleep(100);
    isDone = true;
    await Promise.all(callers);
    expect(executed.size).toBe(sent);
    expect([...executed.values()].every((times) => times === 1)).toBe(true);
  });

  test('completes calls in progress before it closes, and so does a client', async () => {
    const server = await open();
    const released = Promise.withResolvers<string>();
    server.respond = () => released.promise;
    const client = clientOf(server.url);
    const open1 = client.call(callOf('a'));
    await eventually(() => Promise.resolve(expect(server.executed).toEqual(['a'])));
    const stopped = server.frames.drain();
    const closed = client.close();
    released.resolve('done');
    expect(await open1).toBe('done');
    await Promise.all([stopped, closed]);
    await expect(client.call(callOf('b'))).rejects.toMatchObject({ code: 'upstream_unavailable' });
  });
});
