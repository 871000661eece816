/** The HTTP server that all processes share. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { createLog } from '../../platform/log.ts';
import { createService, listen } from '../../platform/http/service.ts';
import { Problem } from '../../schema/errors.ts';
import { eventually } from '../eventually.ts';

let app: FastifyInstance;
let lines: string[];
let database: () => Promise<void>;

beforeEach(() => {
  lines = [];
  database = () => Promise.resolve();
  const log = createLog({ name: 'test', level: 'info', destination: { write: (line: string) => void lines.push(line) } });
  app = createService({ log, bodyLimit: 1_000, readiness: { database: () => database() } });
  app.post('/things', () => ({ made: true }));
  app.get('/quota', () => {
    throw new Problem('quota_exceeded', 'The day is used up.', { limit: 3, status: 200 });
  });
  app.get('/key', () => {
    throw new Problem('api_key_missing', 'Send a key.');
  });
  app.get('/bug', () => {
    throw Object.assign(new Error('connect postgresql://me:hunter2@db/x failed'), {
      detail: 'Key (email)=(anna@example.com) exists',
    });
  });
});
afterEach(() => app.close());

test('a busy event loop rejects requests as overloaded, except probes, until it recovers', async () => {
  const log = createLog({ name: 'test', level: 'silent' });
  await using busy = createService({ log, maxEventLoopDelayMs: 50 });
  await busy.register((scope, _, done) => {
    scope.setErrorHandler(() => 'not for this');
    scope.get('/work', () => ({ done: true }));
    done();
  });
  expect((await busy.inject('/work')).statusCode).toBe(200);
  const busyLoop = setInterval(() => {
    const until = performance.now() + 100;
    while (performance.now() < until);
  }, 1);
  try {
    await eventually(async () => expect((await busy.inject('/work')).statusCode).toBe(503));
    const rejected = await busy.inject('/work?q=1');
    expect(rejected.headers).toMatchObject({ 'retry-after': '1', 'content-type': 'application/problem+json; charset=utf-8' });
    expect(rejected.json()).toMatchObject({ code: 'overloaded', status: 503, instance: '/work', requestId: expect.any(String) });
    expect((await busy.inject('/health')).statusCode).toBe(200);
    expect((await busy.inject('/ready')).statusCode).toBe(200);
    expect((await busy.inject('/nowhere')).statusCode).toBe(503);
  } finally {
    clearInterval(busyLoop);
  }
  await eventually(async () => expect((await busy.inject('/work')).statusCode).toBe(200));
});

test('the event loop delay of the startup does not count as overload', async () => {
  await using started = createService({ log: createLog({ name: 'test', level: 'silent' }), maxEventLoopDelayMs: 50 });
  await started.register((scope, _, done) => {
    scope.get('/work', () => ({ done: true }));
    const until = performance.now() + 1_200;
    while (performance.now() < until);
    done();
  });
  await started.ready();
  // the delay is sampled once per second
  for (const wait of [0, 200, 400, 500]) {
    await sleep(wait);
    expect((await started.inject('/work')).statusCode).toBe(200);
  }
});

test('a single pause of the process is not overload', async () => {
  await using paused = createService({ log: createLog({ name: 'test', level: 'silent' }), maxEventLoopDelayMs: 100 });
  paused.get('/work', () => ({ done: true }));
  await paused.ready();
  // the startup is over
  await sleep(2_100);
  const until = performance.now() + 2_500;
  while (performance.now() < until);
  // two samples
  for (let wait = 0; wait < 2_000; wait += 200) {
    await sleep(200);
    expect((await paused.inject('/work')).statusCode).toBe(200);
  }
});

describe('a service', () => {
  const post = (headers: Record<string, string>, payload: string) =>
    app.inject({ method: 'POST', url: '/things', headers, payload });

  test('returns every error as a problem with the same members', async () => {
    const response = await app.inject({ url: '/nowhere?q=1', headers: { 'x-request-id': 'my-1' } });
    expect(response.headers).toMatchObject({
      'content-type': 'application/problem+json; charset=utf-8',
      'cache-control': 'no-store',
      'x-request-id': 'my-1',
    });
    expect(response.json()).toEqual({
      type: '/docs/problems#not_found',
      title: 'Not found',
      status: 404,
      detail: 'There is no resource at this path.',
      instance: '/nowhere',
      code: 'not_found',
      requestId: 'my-1',
    });
  });

  const json = { 'content-type': 'application/json' };
  const bodies: [string, number, Record<string, string>, string][] = [
    ['malformed_json', 400, json, '{"a":'],
    ['malformed_json', 400, json, ''],
    ['malformed_json', 400, json, '{"__proto__":{"admin":true}}'],
    ['payload_too_large', 413, json, JSON.stringify('x'.repeat(1_000))],
    ['unsupported_media_type', 415, { 'content-type': 'text/plain' }, 'hello'],
    ['unsupported_media_type', 415, { 'content-type': 'application/xml' }, '<a/>'],
  ];
  test.each(bodies)('rejects a body with %s %d', async (code, status, headers, payload) => {
    const response = await post(headers, payload);
    expect(response.statusCode).toBe(status);
    expect(response.json()).toMatchObject({ code, status });
  });

  test('an undecodable path is not found', async () => {
    const response = await app.inject({ url: '/%E0%A4%A' });
    expect(response.json()).toMatchObject({ code: 'not_found', requestId: response.headers['x-request-id'] });
  });

  test('adds extensions without overwriting standard members; a quota problem has the registered type', async () => {
    const response = await app.inject('/quota');
    expect(response.statusCode).toBe(429);
    expect(response.json()).toMatchObject({
      type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
      status: 429,
      limit: 3,
    });
  });

  test('401 names the authentication scheme', async () => {
    expect((await app.inject('/key')).headers['www-authenticate']).toBe('Bearer');
  });

  test('returns an unexpected error without details and logs it without secrets or personal data', async () => {
    const response = await app.inject({ url: '/bug', headers: { 'x-request-id': 'bug-1' } });
    expect(response.json()).toMatchObject({ status: 500, code: 'internal' });
    expect(response.body).not.toMatch(/connect|hunter2|anna/);
    const log = lines.join('');
    expect(log).toContain('"requestId":"bug-1"');
    expect(log).toContain('connect postgresql://me:[redacted]@db/x failed');
    expect(log).not.toMatch(/hunter2|anna/);
  });

  test.each(['', 'a b', 'x'.repeat(101), 'é', 'a\tb'])('the request id %j is replaced', async (given) => {
    const response = await app.inject({ url: '/health', headers: { 'x-request-id': given } });
    expect(response.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('logs one line per request without the query string, and none for a healthy probe', async () => {
    await app.inject({ url: '/key?api_key=hunter2', headers: { 'x-api-key': 'hunter2' } });
    await app.inject('/health');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      method: 'GET',
      path: '/key',
      status: 401,
      durationMs: expect.any(Number),
    });
    expect(lines[0]).not.toContain('hunter2');
  });

  test('redacts members with names of secrets', () => {
    app.log.info(
      {
        password: 'hunter2',
        headers: { 'x-api-key': 'hunter2', cookie: 'hunter2' },
        req: { headers: { authorization: 'hunter2' } },
      },
      'x',
    );
    expect(lines[0]).toContain('[redacted]');
    expect(lines[0]).not.toContain('hunter2');
  });

  test('returns a problem for malformed HTTP', async () => {
    const { port } = new URL(await listen(app, { host: '127.0.0.1', port: 0 }));
    const socket = connect(Number(port), '127.0.0.1');
    socket.end('NONSENSE\r\n\r\n');
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 400 .*"code":"parameter_invalid"/s);
  });
});

describe('a graceful stop', () => {
  const urlOf = (file: string): string => JSON.stringify(new URL(`../../platform/${file}`, import.meta.url).href);

  test('closes the stages in order, each with its parts at the same time, despite failures and timeouts, and ignores a repeated Ctrl-C', async () => {
    const program = `
      const { stopGracefully } = await import(${urlOf('stop-gracefully.ts')});
      const { createLog } = await import(${urlOf('log.ts')});
      const closeable = (name, work) => ({ name, close: async () => { console.log('closing ' + name); await work(); } });
      stopGracefully([[closeable('servers', () => new Promise((done) => setTimeout(done, 50))), closeable('broken', () => { throw new Error('no') })],
        [closeable('hanging', () => new Promise(() => {}))], [closeable('postgres', async () => {})]],
        createLog({ name: 't', level: 'silent' }), { totalMs: 600, reserveMs: 200 });
      setInterval(() => {}, 1000);
      console.log('up');`;
    const child = spawn(process.execPath, ['--input-type=module', '--no-warnings', '--eval', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output === 'up\n' || output.endsWith('closing servers\n')) child.kill('SIGINT');
    });
    const [code] = (await once(child, 'exit')) as [number];
    expect(output.trim().split('\n')).toEqual(['up', 'closing servers', 'closing broken', 'closing hanging', 'closing postgres']);
    expect(code).toBe(0);
  });

  test('after an error closes everything and exits with 1', async () => {
    const program = `
      const { stopGracefully } = await import(${urlOf('stop-gracefully.ts')});
      const { createLog } = await import(${urlOf('log.ts')});
      const close = async () => console.log('closed');
      const stop = stopGracefully([[{ name: 'database', close }]], createLog({ name: 't', level: 'silent' }));
      await Promise.reject(new Error('the port is taken')).catch(stop.fail);
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '--no-warnings', '--eval', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(child, 'exit')) as [number];
    expect([output, code]).toEqual(['closed\n', 1]);
  });
});
