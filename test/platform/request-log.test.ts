/** The log line of a request, with the facts of deeper layers. */
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { createLog } from '../../platform/log.ts';
import { createService } from '../../platform/http/service.ts';
import { noteCause, noteFetch, noteRequest } from '../../platform/telemetry/request-scope.ts';
import { Problem } from '../../schema/errors.ts';

let app: FastifyInstance;
let lines: string[];

beforeEach(() => {
  lines = [];
  const log = createLog({ name: 'test', level: 'info', destination: { write: (line: string) => void lines.push(line) } });
  app = createService({ log });
});
afterEach(() => app.close());

const traceId = '0af7651916cd43dd8448eb211c80319c';

test('it has what deeper layers add, the code of the error and the trace of the caller', async () => {
  app.post('/deep', async () => {
    await nextTurn();
    noteRequest({ operation: 'doThings', cost: 3 });
    noteFetch('athletes', 1.25);
    noteFetch('athletes', 2);
    noteCause('PostgreSQL: 53300 in athletes.byIds', 'athletes');
    noteCause('a consequence');
    throw new Problem('upstream_unavailable', 'The database is unavailable.');
  });
  const headers = { traceparent: `00-${traceId}-b7ad6b7169203331-01`, 'content-type': 'application/json' };
  await app.inject({ method: 'POST', url: '/deep', headers, payload: '{}' });
  expect(lines.map((line): unknown => JSON.parse(line))).toEqual([
    expect.objectContaining({
      msg: 'request',
      level: 50,
      path: '/deep',
      status: 503,
      operation: 'doThings',
      code: 'upstream_unavailable',
      area: 'athletes',
      cause: 'PostgreSQL: 53300 in athletes.byIds',
      cost: 3,
      areaMs: { athletes: 3.3 },
      traceId,
      requestId: expect.any(String),
    }),
  ]);
});

test('an invalid trace context is ignored', async () => {
  await app.inject({ url: '/nowhere', headers: { traceparent: `00-${'0'.repeat(32)}-b7ad6b7169203331-01` } });
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ status: 404, code: 'not_found' });
  expect(lines[0]).not.toContain('traceId');
});

test('facts of concurrent requests are separate', async () => {
  app.get('/:name', async (request) => {
    await nextTurn();
    noteRequest({ operation: request.url });
    return {};
  });
  await Promise.all(['/a', '/b', '/c'].map((url) => app.inject(url)));
  expect(lines.map((line): unknown => JSON.parse(line).operation).sort()).toEqual(['/a', '/b', '/c']);
});
