/** The TypeScript SDK against a real platform, through a proxy that loses responses. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request as forward, type IncomingMessage, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createTalentClient, hasCode, HttpError, ProblemError, type TalentClient } from '../../sdk/index.ts';
import { readText, root } from '../architecture/source.ts';
import { openTestPlatform, type TestPlatform } from '../test-platform.ts';
import { compile } from '../typed-program.ts';

/** What the proxy does with a request: forwards it, loses the response or the end of its body, or responds itself. */
type Step = 'forward' | 'lose' | 'cut' | { readonly status: number; readonly headers: Record<string, string> };

let platform: TestPlatform;
let proxy: Server;
let proxyUrl: string;
let steps: Step[] = [];
let received: { readonly method: string; readonly url: string; readonly idempotencyKey: string | null }[] = [];

function pass(incoming: IncomingMessage, finish: (response: IncomingMessage) => void): void {
  const { hostname, port } = new URL(platform.restUrl);
  const { method, url, headers } = incoming;
  incoming.pipe(forward({ hostname, port, method, path: url, headers }, finish));
}

beforeAll(async () => {
  platform = await openTestPlatform();
  proxy = createServer((incoming, outgoing) => {
    const { method = '', url = '', headers } = incoming;
    received.push({ method, url, idempotencyKey: headers['idempotency-key']?.toString() ?? null });
    const step = steps.shift() ?? 'forward';
    if (typeof step === 'object') outgoing.writeHead(step.status, step.headers).end('busy');
    else
      pass(incoming, (response) => {
        if (step === 'lose') response.resume().once('end', () => outgoing.destroy());
        else if (step === 'cut')
          response.once('data', (chunk: Buffer) => {
            outgoing.writeHead(response.statusCode ?? 0, response.headers);
            outgoing.write(chunk.subarray(0, chunk.length / 2), () => outgoing.destroy());
          });
        else response.pipe(outgoing.writeHead(response.statusCode ?? 0, response.headers));
      });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
});
afterAll(async () => {
  proxy.close();
  proxy.closeAllConnections();
  await platform.close();
});
beforeEach(() => {
  [steps, received] = [[], []];
});

const club = (name: string) => ({ type: 'CLUB', name, country: 'DE', sports: ['FOOTBALL'] }) as const;
let accounts = 0;
async function open(): Promise<TalentClient> {
  accounts += 1;
  const { key } = await platform.account({ account: `Partner ${accounts}` });
  return createTalentClient({ baseUrl: `${proxyUrl}/`, apiKey: key });
}

describe('a problem', () => {
  test('is thrown with the members of its code', async () => {
    const client = await open();
    const { data } = await client.POST('/organizations', { body: club('Typed') });
    const target = { params: { path: { id: data.id }, header: { 'If-Match': '"7"' } }, body: { name: 'Other' } };
    const error: unknown = await client.PATCH('/organizations/{id}', target).catch((thrown: unknown) => thrown);
    if (!hasCode(error, 'precondition_failed')) throw new Error('Expected precondition_failed.');
    const { version } = error.problem;
    expect([error.status, version, error.requestId]).toEqual([412, 1, error.response.headers.get('x-request-id')]);
    expect(hasCode(error, 'conflict')).toBe(false);
  });

  test('of a network without API keys is not repeated', async () => {
    const client = createTalentClient({ baseUrl: proxyUrl, apiKey: 'sp_live_unknown.unknown' });
    await expect(client.GET('/me')).rejects.toBeInstanceOf(ProblemError);
    expect(received).toHaveLength(1);
  });

  test('is an HttpError when the response is no problem', async () => {
    steps = [{ status: 418, headers: { 'content-type': 'text/html' } }];
    const error: unknown = await createTalentClient({ baseUrl: proxyUrl })
      .GET('/sports')
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(HttpError);
    expect(error).toMatchObject({ name: 'HttpError', status: 418, message: "418 I'm a Teapot: busy" });
  });
});

describe('a lost response', () => {
  test('of a creation is requested again with the same idempotency key, and creates one resource', async () => {
    const client = await open();
    steps = ['lose', 'lose', 'forward'];
    const { data, response } = await client.POST('/organizations', { body: club('Once') });
    expect(response.headers.get('idempotent-replayed')).toBe('true');
    expect(new Set(received.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
    expect(received).toHaveLength(3);
    const found: unknown[] = [];
    for await (const { id } of client.items('/organizations', { query: { mine: true } })) found.push(id);
    expect(found).toEqual([data.id]);
  });

  test('of a change with If-Match is thrown: only the caller knows whether to repeat it', async () => {
    const client = await open();
    const { data } = await client.POST('/organizations', { body: club('Changed') });
    [steps, received] = [['lose'], []];
    const target = { params: { path: { id: data.id }, header: { 'If-Match': '*' } }, body: { name: 'Lost' } };
    await expect(client.PATCH('/organizations/{id}', target)).rejects.toThrow('fetch failed');
    expect(received).toHaveLength(1);
  });

  test('whose body is incomplete is requested again', async () => {
    steps = ['cut', 'forward'];
    const { data } = await createTalentClient({ baseUrl: proxyUrl }).GET('/plans');
    expect([data.data.length > 0, received.length]).toEqual([true, 2]);
  });

  test('is requested at most four times more', async () => {
    steps = Array.from({ length: 9 }, () => 'lose' as const);
    await expect(createTalentClient({ baseUrl: proxyUrl }).GET('/plans')).rejects.toThrow('fetch failed');
    expect(received).toHaveLength(5);
  });
});

describe('Retry-After', () => {
  test('is waited for', async () => {
    steps = [{ status: 503, headers: { 'retry-after': '1' } }];
    const startMs = performance.now();
    await createTalentClient({ baseUrl: proxyUrl }).GET('/plans');
    expect(performance.now() - startMs).toBeGreaterThan(990);
    expect(received).toHaveLength(2);
  });

  test('longer than the longest wait is thrown at once', async () => {
    await platform.plan('sdk-day', { burstPerMinute: 60, perDay: 1, perMonth: 1000 });
    const { key } = await platform.account({ account: 'Small', plan: 'sdk-day' });
    const client = createTalentClient({ baseUrl: proxyUrl, apiKey: key });
    await client.GET('/organizations');
    const error: unknown = await client.GET('/organizations').catch((thrown: unknown) => thrown);
    if (!hasCode(error, 'quota_exceeded')) throw new Error('Expected quota_exceeded.');
    expect([error.problem.limit, received.length]).toEqual([1, 2]);
  });

  test('ends when the caller aborts', async () => {
    steps = [{ status: 503, headers: { 'retry-after': '30' } }];
    const signal = AbortSignal.timeout(200);
    await expect(createTalentClient({ baseUrl: proxyUrl }).GET('/plans', { signal })).rejects.toThrow('timeout');
  });
});

test('pages and items follow the cursor', async () => {
  const client = await open();
  for (let index = 0; index < 5; index++) await client.POST('/organizations', { body: club(`Page ${index}`) });
  const sizes: number[] = [];
  for await (const { data } of client.pages('/organizations', { query: { mine: true, limit: 2 } })) sizes.push(data.length);
  expect(sizes).toEqual([2, 2, 1]);
  const names: unknown[] = [];
  const query = { mine: true, limit: 2, sort: 'name', fields: ['name'] } as const;
  for await (const { name } of client.items('/organizations', { query })) names.push(name);
  expect(names).toEqual(['Page 0', 'Page 1', 'Page 2', 'Page 3', 'Page 4']);
});

test('an expired cursor starts the changes again', async () => {
  const client = await open();
  await client.POST('/organizations', { body: club('Expired') });
  const position = { updatedSince: '2000-01-01T00:00:00Z', cursor: 'expired' };
  const pages = await Array.fromAsync(client.changes('/organizations', { position, query: { mine: true } }));
  expect(pages.flatMap(({ items }) => items.map(({ name }) => name))).toEqual(['Expired']);
  expect(pages.at(-1)?.position).toEqual({ updatedSince: expect.stringMatching(/^20/), cursor: null });
});

test('changes of a list below another resource take the parameters of its path', async () => {
  const client = await open();
  const seasonId = '01a20425-a541-73dd-bbfe-1e7212385aa1';
  const changes = client.changes('/competitions/seasons/{seasonId}/stages', { path: { seasonId } });
  const error: unknown = await changes.next().catch((thrown: unknown) => thrown);
  expect(hasCode(error, 'not_found') && error.problem.instance).toBe(`/api/v1/competitions/seasons/${seasonId}/stages`);
});

test('the programs of the README compile', () => {
  const [, ...blocks] = readText('sdk/README.md').split('```ts\n');
  const programs = blocks.map((block) => block.split('```')[0]?.replaceAll("'@talent-platform/sdk'", "'../sdk/index.ts'") ?? '');
  const [first = '', ...others] = programs;
  const context = `${first}
    declare const id: string;
    declare const stored: SynchronizationPosition | null;
    declare function save(items: readonly unknown[], deletedIds: readonly string[], position: SynchronizationPosition): Promise<void>;
    import type { SynchronizationPosition } from '../sdk/index.ts';`;
  expect(compile({ 'readme.ts': [context, ...others].join('\n') })).toEqual([]);
});

test('docs/clients.md names the version of the Python generator that is checked', () => {
  const version = (path: string) => /openapi-python-client==([\d.]+)/.exec(readText(path))?.[1];
  expect(version('docs/clients.md')).toBe(version('commands/clients.ts'));
});

test('the published package works, and has the version of the platform', async () => {
  const folder = await mkdtemp(join(root, 'node_modules', '.sdk-'));
  try {
    const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
    const run = promisify(execFile);
    await run(process.execPath, [compiler, '--project', join(root, 'sdk/tsconfig.build.json'), '--outDir', folder]);
    const program = `import { createTalentClient } from './index.js';
      const { data } = await createTalentClient({ baseUrl: process.argv[2] }).GET('/plans');
      console.log(data.data[0].code);`;
    await writeFile(join(folder, 'program.js'), program);
    const { stdout } = await run(process.execPath, [join(folder, 'program.js'), platform.restUrl]);
    expect(stdout.trim()).toBe('free');
  } finally {
    await rm(folder, { recursive: true });
  }
  const manifest = (path: string) =>
    JSON.parse(readText(path)) as { version: string; dependencies: object; devDependencies: object };
  const [own, whole] = [manifest('sdk/package.json'), manifest('package.json')];
  expect(own.version).toBe(whole.version);
  expect(whole.devDependencies).toMatchObject({ 'openapi-fetch': '^0.17.0' });
  expect(own.dependencies).toMatchObject({ 'openapi-fetch': '^0.17.0' });
});
