/** `/health` and `/ready`: a process is ready by its own state, not by that of the dependencies that all processes share. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { createLog } from '../../platform/log.ts';
import { createService, listen } from '../../platform/http/service.ts';
import { eventually } from '../eventually.ts';

let app: FastifyInstance;
let lines: string[];
let checks: number;
let database: () => Promise<void>;

const available = (): Promise<void> => Promise.resolve();
const unavailable = (): Promise<void> => Promise.reject(new Error('password hunter2'));

const ready = async () => {
  const response = await app.inject('/ready');
  return { status: response.statusCode, body: response.json<unknown>() };
};

beforeEach(() => {
  lines = [];
  checks = 0;
  database = unavailable;
  const log = createLog({ name: 'test', level: 'info', destination: { write: (line: string) => void lines.push(line) } });
  const check = (): Promise<void> => {
    checks += 1;
    return database();
  };
  app = createService({ log, readiness: { database: check } });
  app.get('/things', () => ({ made: true }));
});
afterEach(() => app.close());

test('a process is not ready before its dependencies have responded once; they are checked once per second', async () => {
  const responses = await Promise.all(Array.from({ length: 20 }, ready));
  for (const response of responses)
    expect(response).toEqual({ status: 503, body: { status: 'unavailable', dependencies: { database: 'unavailable' } } });
  expect(checks).toBe(1);
  expect((await app.inject('/health')).statusCode).toBe(200);
  database = available;
  await eventually(async () =>
    expect(await ready()).toEqual({ status: 200, body: { status: 'ready', dependencies: { database: 'ready' } } }),
  );
});

test('a dependency that fails later is reported and logged without details; the process stays ready', async () => {
  database = available;
  expect((await ready()).status).toBe(200);
  database = unavailable;
  await eventually(async () =>
    expect(await ready()).toEqual({ status: 200, body: { status: 'ready', dependencies: { database: 'unavailable' } } }),
  );
  expect(lines.join('')).toContain('dependency unavailable');
});

test('a process becomes ready without probes, so that a later outage does not count as a failed start', async () => {
  await listen(app, { host: '127.0.0.1', port: 0 });
  await eventually(() => Promise.resolve().then(() => expect(checks).toBe(1)));
  database = available;
  await eventually(() => Promise.resolve().then(() => expect(checks).toBe(2)));
  database = unavailable;
  expect((await ready()).status).toBe(200);
});

test('a dependency that never responds does not delay a probe after the start', async () => {
  database = available;
  expect((await ready()).status).toBe(200);
  const before = checks;
  database = () => new Promise(() => undefined);
  await eventually(async () => {
    await ready();
    expect(checks).toBeGreaterThan(before);
  });
  // the check is still in progress: it takes 2 s
  expect(await ready()).toEqual({ status: 200, body: { status: 'ready', dependencies: { database: 'ready' } } });
});

test('a draining process is not ready, answers requests, and closes their connections', async () => {
  database = available;
  const url = await listen(app, { host: '127.0.0.1', port: 0 });
  const open = await fetch(`${url}/things`);
  expect([open.status, open.headers.get('connection')]).toEqual([200, 'keep-alive']);
  expect((await ready()).status).toBe(200);
  app.startDraining();
  expect((await ready()).status).toBe(503);
  const draining = await fetch(`${url}/things`);
  expect([draining.status, draining.headers.get('connection')]).toEqual([200, 'close']);
  expect((await fetch(`${url}/health`)).status).toBe(200);
});
