/** Overload of a public server: excess requests receive 503 before their work starts, fairly between keys, and the probes respond. */
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { limitRequests } from '../../platform/http/request-limit.ts';
import { createService, listen } from '../../platform/http/service.ts';
import { createLoadGate, type LoadGate } from '../../platform/load-gate.ts';
import { createLog } from '../../platform/log.ts';
import { noteRequest } from '../../platform/telemetry/request-scope.ts';
import { keepLoopBusy } from '../busy-loop.ts';
import { eventually } from '../eventually.ts';

let app: FastifyInstance;
let gate: LoadGate;
let url: string;
let finish: (() => void)[];
let clients: AbortController;

beforeEach(async () => {
  const log = createLog({ name: 'test', level: 'silent' });
  finish = [];
  clients = new AbortController();
  // waiting requests are not rejected during the test
  gate = createLoadGate({ log, limitMin: 1, limitStart: 1, waitingMax: 3, waitMs: 60_000 });
  app = createService({ log });
  limitRequests(app, gate);
  app.get('/fast', (request) => {
    if (request.headers['x-api-key'] !== 'refused') noteRequest({ isAuthenticated: true });
    return { done: true };
  });
  app.get('/public', () => ({ done: true }));
  app.post('/body', () => new Promise((resolve) => finish.push(() => resolve({ done: true }))));
  app.get('/slow', () => new Promise((resolve) => finish.push(() => resolve({ done: true }))));
  url = await listen(app, { host: '127.0.0.1', port: 0 });
});
afterEach(async () => {
  clients.abort();
  await app.close();
});

const get = (path: string, key: string) => fetch(url + path, { headers: { 'x-api-key': key }, signal: clients.signal });

test('a full queue is 503 with Retry-After at once, the probes respond, and a known key gets its turn', async () => {
  for (const key of ['flood', 'fair']) expect((await get('/fast', key)).status).toBe(200);
  // a busy loop: the limit does not grow
  using _ = keepLoopBusy();
  const first = get('/slow', 'flood');
  await eventually(() => Promise.resolve(expect(gate.state().running).toBe(1)));
  const queued = [get('/slow', 'flood'), get('/slow', 'flood')];
  await eventually(() => Promise.resolve(expect(gate.state().waiting).toBe(2)));
  const newest = get('/slow', 'flood');
  await eventually(() => Promise.resolve(expect(gate.state().waiting).toBe(3)));
  const rejected = await get('/slow', 'flood');
  expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await rejected.json()).toMatchObject({ code: 'overloaded', status: 503 });
  for (const probe of ['/health', '/ready']) expect((await get(probe, 'flood')).status).toBe(200);
  // takes the place of a request of the key with the most
  const fair = get('/fast', 'fair');
  expect((await newest).status).toBe(503);
  finish.shift()?.();
  expect((await first).status).toBe(200);
  const next = setInterval(() => finish.shift()?.(), 5);
  expect((await fair).status).toBe(200);
  await Promise.all(queued);
  clearInterval(next);
});

test('keys that were never accepted share the turn of their address', async () => {
  using _ = keepLoopBusy();
  const leave = (): undefined => undefined;
  get('/slow', 'invented 0').catch(leave);
  await eventually(() => Promise.resolve(expect(gate.state().running).toBe(1)));
  get('/slow', 'invented 1').catch(leave);
  get('/slow', 'invented 2').catch(leave);
  get('/slow', 'invented 3').catch(leave);
  await eventually(() => Promise.resolve(expect(gate.state().waiting).toBe(3)));
  expect((await get('/slow', 'invented 4')).status).toBe(503);
});

test('credentials that a public route ignores share the turn of their address', async () => {
  for (const cookie of ['a=1', 'a=2', 'a=3', 'a=4', 'a=5'])
    expect((await fetch(`${url}/public`, { headers: { cookie } })).status).toBe(200);
  using _ = keepLoopBusy();
  const send = (cookie: string) => fetch(`${url}/slow`, { headers: { cookie }, signal: clients.signal });
  const leave = (): undefined => undefined;
  send('a=1').catch(leave);
  await eventually(() => Promise.resolve(expect(gate.state().running).toBe(1)));
  for (const cookie of ['a=2', 'a=3', 'a=4']) send(cookie).catch(leave);
  await eventually(() => Promise.resolve(expect(gate.state().waiting).toBe(3)));
  expect((await send('a=5')).status).toBe(503);
});

test('the header Upgrade does not bypass the gate', async () => {
  using _ = keepLoopBusy();
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write('GET /slow HTTP/1.1\r\nhost: test\r\nupgrade: h2c\r\n\r\n');
  await eventually(() => Promise.resolve(expect(gate.state().running).toBe(1)));
  socket.destroy();
  await eventually(() => Promise.resolve(expect(gate.state().running).toBe(0)));
});

test('a request is not counted while its body arrives, and is counted afterwards', async () => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write('POST /body HTTP/1.1\r\nhost: test\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{');
  await eventually(() => Promise.resolve(expect(gate.state()).toMatchObject({ running: 0, idling: 1 })));
  socket.write('}');
  await eventually(() => Promise.resolve(expect(gate.state()).toMatchObject({ running: 1, idling: 0 })));
  finish.shift()?.();
  await eventually(() => Promise.resolve(expect(gate.state()).toMatchObject({ running: 0, idling: 0 })));
  socket.destroy();
});

test('a client that leaves the queue frees its place', async () => {
  const leaving = new AbortController();
  const running = get('/slow', 'a');
  await eventually(() => Promise.resolve(expect(gate.state().running).toBe(1)));
  const left = fetch(`${url}/slow`, { signal: leaving.signal }).catch(() => 'left');
  await eventually(() => Promise.resolve(expect(gate.state().running + gate.state().waiting).toBe(2)));
  leaving.abort();
  expect(await left).toBe('left');
  await eventually(() => Promise.resolve(expect(gate.state()).toMatchObject({ running: 1, waiting: 0 })));
  finish.shift()?.();
  expect((await running).status).toBe(200);
});
