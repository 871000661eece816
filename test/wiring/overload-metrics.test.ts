/** What operators see of an overloaded process: its metrics are served, count rejected requests, and have the state of its gate. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { addMetrics } from '../../platform/http/metrics-route.ts';
import { createService } from '../../platform/http/service.ts';
import { createLog } from '../../platform/log.ts';
import { Problem } from '../../schema/errors.ts';
import { serverOptions } from '../../wiring/process-options.ts';
import { eventually } from '../eventually.ts';

const log = createLog({ name: 'test', level: 'silent' });
let app: FastifyInstance;
let delayMs: number;

beforeEach(() => {
  delayMs = 0;
  app = createService({ log, maxEventLoopDelayMs: 100, eventLoopDelayMs: () => delayMs });
  addMetrics(app);
  app.get('/api/work', () => ({ done: true }));
  app.get('/api/down', () => {
    throw new Problem('upstream_unavailable', 'The area is unavailable.');
  });
});
afterEach(() => app.close());

const read = async (): Promise<string> => {
  const { statusCode, body } = await app.inject('/metrics');
  expect(statusCode).toBe(200);
  return body;
};

test('an overloaded process serves its metrics and counts the requests that it rejects, not other failures', async () => {
  delayMs = 200;
  expect((await app.inject('/api/work')).statusCode).toBe(503);
  expect((await app.inject('/api/work')).statusCode).toBe(503);
  expect(await read()).toContain('platform_overloaded_requests_total{http_route="/api/work"} 2');
  delayMs = 0;
  expect((await app.inject('/api/work')).statusCode).toBe(200);
  expect((await app.inject('/api/down')).statusCode).toBe(503);
  const after = await read();
  expect(after).toContain('platform_overloaded_requests_total{http_route="/api/work"} 2');
  expect(after).not.toContain('platform_overloaded_requests_total{http_route="/api/down"}');
});

test('the metrics have the running and waiting requests and the limit of the gate', async () => {
  const { gate } = serverOptions({}, log);
  const leave = Array.from({ length: 40 }, (_, index) =>
    gate?.enter({ caller: String(index), start: () => undefined, reject: () => undefined }),
  );
  expect(gate?.state().running).toBeGreaterThan(0);
  // the limit changes while requests wait
  await eventually(async () => {
    const metrics = await read();
    const { running, waiting, limit } = gate?.state() ?? {};
    expect(metrics).toContain(`platform_load_requests{state="running"} ${running ?? ''}\n`);
    expect(metrics).toContain(`platform_load_requests{state="waiting"} ${waiting ?? ''}\n`);
    expect(metrics).toContain(`platform_load_limit ${limit ?? ''}\n`);
  });
  for (const each of leave) each?.();
});
