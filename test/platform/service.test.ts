/** What every service of the platform promises its callers. */
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

test('whoever comes while the event loop is held up is refused as overloaded; the probes answer, and it passes', async () => {
  const log = createLog({ name: 'test', level: 'silent' });
  await using busy = createService({ log, maxEventLoopDelayMs: 50 });
  await busy.register((scope, _, done) => {
    scope.setErrorHandler(() => 'not for this');
    scope.get('/work', () => ({ done: true }));
    done();
  });
  expect((await busy.inject('/work')).statusCode).toBe(200);
  const holdUp = setInterval(() => {
    const until = performance.now() + 100;
    while (performance.now() < until);
  }, 1);
  try {
    await eventually(async () => expect((await busy.inject('/work')).statusCode).toBe(503));
    const refused = await busy.inject('/work?q=1');
    expect(refused.headers).toMatchObject({ 'retry-after': '1', 'content-type': 'application/problem+json; charset=utf-8' });
    expect(refused.json()).toMatchObject({ code: 'overloaded', status: 503, instance: '/work', requestId: expect.any(String) });
    expect((await busy.inject('/health')).statusCode).toBe(200);
    expect((await busy.inject('/ready')).statusCode).toBe(200);
    expect((await busy.inject('/nowhere')).statusCode).toBe(503);
  } finally {
    clearInterval(holdUp);
  }
  await eventually(async () => expect((await busy.inject('/work')).statusCode).toBe(200));
});

test('what a start itself takes is no overload: the first request is answered', async () => {
  await using started = createService({ log: createLog({ name: 'test', level: 'silent' }), maxEventLoopDelayMs: 50 });
  await started.register((scope, _, done) => {
    scope.get('/work', () => ({ done: true }));
    const until = performance.now() + 1_200;
    while (performance.now() < until);
    done();
  });
  await started.ready();
  // the delay is looked at once a second
  for (const wait of [0, 200, 400, 500]) {
    await sleep(wait);
    expect((await started.inject('/work')).statusCode).toBe(200);
  }
});

describe('a service', () => {
  const post = (headers: Record<string, string>, payload: string) =>
    app.inject({ method: 'POST', url: '/things', headers, payload });

  test('tells every fault as a problem with the same members', async () => {
    const answer = await app.inject({ url: '/nowhere?q=1', headers: { 'x-request-id': 'my-1' } });
    expect(answer.headers).toMatchObject({
      'content-type': 'application/problem+json; charset=utf-8',
      'cache-control': 'no-store',
      'x-request-id': 'my-1',
    });
    expect(answer.json()).toEqual({
      type: '/docs/problems#not_found',
      title: 'Not found',
      status: 404,
      detail: 'There is nothing at this path.',
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
  test.each(bodies)('refuses a body with %s %d', async (code, status, headers, payload) => {
    const answer = await post(headers, payload);
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ code, status });
  });

  test('an undecodable path is not found', async () => {
    const answer = await app.inject({ url: '/%E0%A4%A' });
    expect(answer.json()).toMatchObject({ code: 'not_found', requestId: answer.headers['x-request-id'] });
  });

  test('an extension stands beside the members of the standard and replaces none; a quota has the registered type', async () => {
    const answer = await app.inject('/quota');
    expect(answer.statusCode).toBe(429);
    expect(answer.json()).toMatchObject({
      type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
      status: 429,
      limit: 3,
    });
  });

  test('401 names the scheme', async () => {
    expect((await app.inject('/key')).headers['www-authenticate']).toBe('Bearer');
  });

  test('an unexpected fault is told without a word of it, and logged without secrets or personal data', async () => {
    const answer = await app.inject({ url: '/bug', headers: { 'x-request-id': 'bug-1' } });
    expect(answer.json()).toMatchObject({ status: 500, code: 'internal' });
    expect(answer.body).not.toMatch(/connect|hunter2|anna/);
    const log = lines.join('');
    expect(log).toContain('"requestId":"bug-1"');
    expect(log).toContain('connect postgresql://me:[redacted]@db/x failed');
    expect(log).not.toMatch(/hunter2|anna/);
  });

  test.each(['', 'a b', 'x'.repeat(101), 'é', 'a\tb'])('the request id %j is replaced', async (given) => {
    const answer = await app.inject({ url: '/health', headers: { 'x-request-id': given } });
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('one line is logged per request, without its query; none for a healthy probe', async () => {
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

  test('what is named like a secret is censored', () => {
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

  test('/ready names the dependency that is away and nothing more; /health stays', async () => {
    expect((await app.inject('/ready')).json()).toEqual({ status: 'ready', dependencies: { database: 'ready' } });
    database = () => Promise.reject(new Error('password hunter2'));
    const answer = await app.inject('/ready');
    expect(answer.statusCode).toBe(503);
    expect(answer.json()).toEqual({ status: 'unavailable', dependencies: { database: 'unavailable' } });
    expect((await app.inject('/health')).statusCode).toBe(200);
  });

  test('what is no HTTP is a problem too', async () => {
    const { port } = new URL(await listen(app, { host: '127.0.0.1', port: 0 }));
    const socket = connect(Number(port), '127.0.0.1');
    socket.end('NONSENSE\r\n\r\n');
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 400 .*"code":"parameter_invalid"/s);
  });
});

describe('a graceful stop', () => {
  const place = (file: string): string => JSON.stringify(new URL(`../../platform/${file}`, import.meta.url).href);

  test('closes in order, past what fails and what hangs, also when Ctrl-C arrives twice', async () => {
    const program = `
      const { stopGracefully } = await import(${place('stop-gracefully.ts')});
      const { createLog } = await import(${place('log.ts')});
      const said = (name, work) => ({ name, close: async () => { console.log('closing ' + name); await work(); } });
      stopGracefully([said('doors', () => new Promise((done) => setTimeout(done, 50))), said('broken', () => { throw new Error('no') }),
        said('hanging', () => new Promise(() => {})), said('postgres', async () => {})],
        createLog({ name: 't', level: 'silent' }), { eachTimeoutMs: 200 });
      setInterval(() => {}, 1000);
      console.log('up');`;
    const child = spawn(process.execPath, ['--input-type=module', '--no-warnings', '--eval', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output === 'up\n' || output.endsWith('closing doors\n')) child.kill('SIGINT');
    });
    const [code] = (await once(child, 'exit')) as [number];
    expect(output.trim().split('\n')).toEqual(['up', 'closing doors', 'closing broken', 'closing hanging', 'closing postgres']);
    expect(code).toBe(0);
  });

  test('because of a fault closes what is open, and fails', async () => {
    const program = `
      const { stopGracefully } = await import(${place('stop-gracefully.ts')});
      const { createLog } = await import(${place('log.ts')});
      const close = async () => console.log('closed');
      const stop = stopGracefully([{ name: 'database', close }], createLog({ name: 't', level: 'silent' }));
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
