/** Limits of connections from outside, with raw sockets. */
import { afterEach, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { limitConnections, type ConnectionLimits } from '../../platform/http/connection-limits.ts';
import { createLog } from '../../platform/log.ts';
import { createService, listen } from '../../platform/http/service.ts';
import { eventually as eventuallyAsync } from '../eventually.ts';

const eventually = (check: () => void): Promise<void> => eventuallyAsync(() => Promise.resolve().then(check));

const largeBytes = 32 * 1024 * 1024;
const chunk = Buffer.alloc(64 * 1024, 'x');

let app: FastifyInstance;
let port: number;
let lines: string[];
let waiting: (() => void)[];

/** Starts a server with these limits. */
async function start(limits: Partial<ConnectionLimits>): Promise<void> {
  lines = [];
  waiting = [];
  const log = createLog({ name: 'test', level: 'info', destination: { write: (line: string) => void lines.push(line) } });
  app = createService({ log });
  limitConnections(app, { checkIntervalMs: 50, ...limits });
  app.get('/large', (_, reply) => reply.type('text/plain').send(Buffer.alloc(largeBytes, 'x')));
  app.get('/export', (_, reply) =>
    reply.type('text/plain').send(Readable.from(Array.from({ length: largeBytes / chunk.length }, () => chunk))),
  );
  app.get('/slow', async () => {
    await new Promise<void>((done) => waiting.push(done));
    return { done: true };
  });
  app.get('/quick', () => ({ done: true }));
  app.post('/body', () => ({ done: true }));
  port = Number(new URL(await listen(app, { host: '127.0.0.1', port: 0 })).port);
}
afterEach(async () => {
  for (const done of waiting) done();
  await app.close();
});

async function open(): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`;

/** Everything that the server sends, as text. */
function received(socket: Socket): { text: string } {
  const all = { text: '' };
  socket.on('data', (chunk: Buffer) => {
    all.text += chunk.toString('latin1');
  });
  return all;
}

const statuses = (text: string): number[] => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status));

const closed = 'connection closed: the client does not read its response';

function connectionsOf({ server }: FastifyInstance): Promise<number> {
  return new Promise((done, fail) => server.getConnections((error, count) => (error ? fail(error) : done(count))));
}

test('a client that reads nothing is disconnected', async () => {
  await start({ stalledTimeoutMs: 200 });
  const socket = await open();
  socket.pause();
  socket.write(get('/large'));
  await eventually(() => expect(lines.join('\n')).toContain(closed));
  await eventuallyAsync(async () => expect(await connectionsOf(app)).toBe(0));
  let bytes = 0;
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  socket.resume();
  await once(socket, 'close');
  expect(bytes).toBeLessThan(largeBytes);
});

test('a client that reads a little from time to time is disconnected', async () => {
  await start({ responseTimeoutMs: 300 });
  const socket = await open();
  socket.on('data', () => {
    socket.pause();
    setTimeout(() => socket.resume(), 40);
  });
  socket.write(get('/large'));
  await eventually(() => expect(lines.join('\n')).toContain(closed));
  await eventuallyAsync(async () => expect(await connectionsOf(app)).toBe(0));
  socket.destroy();
});

test('a client that reads within the limits gets the whole response', async () => {
  await start({ stalledTimeoutMs: 5_000, responseTimeoutMs: 20_000 });
  const socket = await open();
  let bytes = 0;
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  socket.write(get('/large'));
  await eventually(() => expect(bytes).toBeGreaterThan(largeBytes));
  expect(lines.join('\n')).not.toContain(closed);
  socket.destroy();
});

test('a client that reads an export steadily gets all of it, also if that takes longer than one response may', async () => {
  const responseTimeoutMs = 2_000;
  await start({ responseTimeoutMs, partBytes: 64 * 1024 });
  const socket = await open();
  let bytes = 0;
  socket.on('data', (part: Buffer) => {
    bytes += part.length;
    socket.pause();
    setTimeout(() => socket.resume(), 8);
  });
  const startedMs = performance.now();
  socket.write(get('/export').replace('\r\n\r\n', '\r\nconnection: close\r\n\r\n'));
  await once(socket, 'close');
  expect(bytes).toBeGreaterThan(largeBytes);
  expect(performance.now() - startedMs).toBeGreaterThan(responseTimeoutMs);
});

test('a client that waits for a slow response gets it', async () => {
  await start({ stalledTimeoutMs: 100 });
  const socket = await open();
  const response = received(socket);
  socket.write(get('/slow'));
  await eventually(() => expect(waiting).toHaveLength(1));
  await sleep(500);
  waiting.forEach((done) => done());
  await eventually(() => expect(statuses(response.text)).toEqual([200]));
  socket.destroy();
});

test('requests above the pipelining limit are rejected, and the connection is closed', async () => {
  await start({ maxPipelined: 4 });
  const socket = await open();
  const closing = once(socket, 'close');
  const all = received(socket);
  socket.write(get('/slow').repeat(6));
  await eventually(() => expect(waiting).toHaveLength(4));
  for (const done of waiting.splice(0)) done();
  await closing;
  expect(statuses(all.text)).toEqual([200, 200, 200, 200, 429]);
  expect(all.text).toContain('"code":"rate_limited"');
  expect(all.text.toLowerCase()).toContain('connection: close');
});

test('pipelined requests within the limit are answered in order', async () => {
  await start({ maxPipelined: 4 });
  const socket = await open();
  const all = received(socket);
  for (let round = 1; round <= 3; round++) {
    socket.write(get('/quick').repeat(4));
    await eventually(() => expect(statuses(all.text)).toEqual(Array.from({ length: 4 * round }, () => 200)));
  }
  socket.destroy();
});

test('a connection is closed after its maximum number of requests', async () => {
  await start({ maxRequests: 20 });
  const socket = await open();
  const closing = once(socket, 'close');
  const all = received(socket);
  for (let request = 1; request <= 20; request++) {
    socket.write(get('/quick'));
    await eventually(() => expect(statuses(all.text)).toHaveLength(request));
  }
  await closing;
  expect(statuses(all.text)).toEqual(Array.from({ length: 20 }, () => 200));
});

test('headers that stop arriving are 408 as a problem', async () => {
  await start({ stalledTimeoutMs: 200 });
  const sending = await open();
  const slow = received(sending);
  sending.write('GET /quick HTTP/1.1\r\nhost: local');
  await once(sending, 'close');
  expect(statuses(slow.text)).toEqual([408]);
  expect(slow.text).toContain('"code":"request_timeout"');
});

test('a body that stops arriving is 408 as a problem, and an idle connection is closed without a response', async () => {
  await start({ stalledTimeoutMs: 200 });
  const [sending, idle] = [await open(), await open()];
  const [slow, silent] = [received(sending), received(idle)];
  sending.write('POST /body HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{"a":');
  await Promise.all([once(sending, 'close'), once(idle, 'close')]);
  expect(statuses(slow.text)).toEqual([408]);
  expect(slow.text).toContain('content-type: application/problem+json');
  expect(slow.text).toContain('"code":"request_timeout"');
  expect(silent.text).toBe('');
});
