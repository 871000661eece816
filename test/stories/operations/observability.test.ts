/** What operators see of one request over separate processes: log lines, metrics and a trace from REST to SQL. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sameOrigin } from '../../administrator.ts';
import { createClient } from '../../client.ts';
import { cloneDatabase, type ClonedDatabase } from '../../database.ts';
import { eventually } from '../../eventually.ts';
import { readText, usedMetrics } from '../../observability-files.ts';
import { openOtlpReceiver, valueOf, type ReceivedSpan } from '../../otlp-receiver.ts';
import { startServices, testVariables } from '../../processes.ts';

type Line = Readonly<Record<string, unknown>>;
let database: ClonedDatabase;
let folder: string;
let receiver: Awaited<ReturnType<typeof openOtlpReceiver>>;
let platform: Awaited<ReturnType<typeof startServices>>;
const output = new Map<string, string>();

beforeAll(async () => {
  database = await cloneDatabase();
  folder = await mkdtemp(join(tmpdir(), 'observability-'));
  receiver = await openOtlpReceiver();
  const variables = {
    ...testVariables(),
    LOG_LEVEL: 'info',
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_TRACES_SAMPLER: 'parentbased_always_on',
  };
  platform = await startServices({
    databaseUrl: database.ownerUrl,
    variables,
    imageFolder: folder,
    onOutput(name, lines) {
      lines.setEncoding('utf8').on('data', (text: string) => output.set(name, (output.get(name) ?? '') + text));
    },
  });
});
afterAll(async () => {
  await platform.close();
  await receiver.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

const linesOf = (name: string): Line[] =>
  (output.get(name) ?? '').split('\n').flatMap((line): Line[] => (line.startsWith('{') ? [JSON.parse(line)] : []));

/** The lines of a request by process. */
const linesWith = (requestId: string): Promise<Record<string, Line[]>> =>
  Promise.resolve(
    Object.fromEntries(
      [...output.keys()]
        .map((name) => [name, linesOf(name).filter((line) => line['requestId'] === requestId)] as const)
        .filter(([, lines]) => lines.length > 0),
    ),
  );

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${platform.restUrl}/api/v1${path}`, { headers });

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';

test('a request has one line per process, with the operation, cost, area times and trace', async () => {
  const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
  expect((await get('/athletes?limit=1', { 'x-request-id': 'seen-1', traceparent })).status).toBe(200);
  await eventually(async () => expect(Object.keys(await linesWith('seen-1')).sort()).toEqual(['athletes', 'rest', 'router']));
  const { rest, router, athletes } = await linesWith('seen-1');
  const common = { level: 30, status: 200, traceId, durationMs: expect.any(Number) };
  const admitted = { operation: 'listAthletes', cost: 1, areaMs: { athletes: expect.any(Number) } };
  expect(rest).toEqual([expect.objectContaining({ ...common, ...admitted, msg: 'request', path: '/api/v1/athletes' })]);
  expect(router).toEqual([expect.objectContaining({ ...common, ...admitted, msg: 'call' })]);
  expect(athletes).toEqual([expect.objectContaining({ ...common, operation: 'listAthletes', msg: 'call' })]);
});

test('an error of the caller has its code in each line', async () => {
  expect((await get('/athletes/unknown', { 'x-request-id': 'unknown-1' })).status).toBe(404);
  await eventually(async () => expect((await linesWith('unknown-1'))['rest']).toHaveLength(1));
  expect((await linesWith('unknown-1'))['rest']).toEqual([
    expect.objectContaining({ level: 30, status: 404, code: 'not_found' }),
  ]);
});

test('a rejected sign-in has its error code and the label of its network, and no email address', async () => {
  const email = 'private.person@example.com';
  const signIn = (path: string, id: string, headers: Record<string, string> = {}) =>
    fetch(`${platform.graphqlUrl}${path}`, {
      method: 'POST',
      headers: { ...sameOrigin, 'x-request-id': id, ...headers },
      body: JSON.stringify({ email, password: 'a wrong password' }),
    });
  expect((await signIn('/admin/session', 'rejected-1')).status).toBe(401);
  expect((await signIn('/portal/session', 'rejected-2')).status).toBe(401);
  expect((await signIn('/portal/session', 'rejected-3', { 'sec-fetch-site': 'cross-site' })).status).toBe(400);
  await eventually(async () => expect((await linesWith('rejected-3'))['router']).toHaveLength(1));
  const lines = await Promise.all(['rejected-1', 'rejected-2', 'rejected-3'].map(async (id) => (await linesWith(id))['router']));
  const codes = ['sign_in_failed', 'sign_in_failed', 'csrf_refused'];
  const network = expect.stringMatching(/^[0-9a-f]{12}$/);
  expect(lines).toEqual(codes.map((code) => [expect.objectContaining({ level: 30, msg: 'request', code, network })]));
  expect(new Set(lines.flatMap((each = []) => each.map((line) => line['network']))).size).toBe(1);
  expect([...output.values()].join('')).not.toContain(email);
});

/** The received spans of a trace. */
const spansOf = (id: string): Promise<ReceivedSpan[]> => Promise.resolve(receiver.spans.filter((span) => span.traceId === id));

/** The spans from the outermost to the innermost: each is the parent of the next one. */
function chain(spans: readonly ReceivedSpan[], from: ReceivedSpan | undefined): ReceivedSpan[] {
  if (from === undefined) return [];
  const inner = spans.filter(({ parentSpanId }) => parentSpanId === from.spanId);
  const longest = inner.map((span) => chain(spans, span)).sort((a, b) => b.length - a.length);
  return [from, ...(longest[0] ?? [])];
}

/** The spans as docs/operations/trace.md has them. TRACE_FILE=docs/operations/trace.md writes them. */
async function checkDocumentedTrace(spans: readonly ReceivedSpan[]): Promise<void> {
  const start = Math.min(...spans.map(({ startTimeUnixNano }) => Number(BigInt(startTimeUnixNano) / 1_000n)));
  const described = chain(
    spans,
    spans.find(({ parentSpanId }) => parentSpanId === '00f067aa0ba902b7'),
  ).map((span) => {
    const [begin, end] = [span.startTimeUnixNano, span.endTimeUnixNano].map((time) => Number(BigInt(time) / 1_000n) - start);
    const { service, name, kind, spanId, parentSpanId } = span;
    const attributes = Object.fromEntries(span.attributes.map(({ key }) => [key, valueOf(span.attributes, key)]));
    return { service, name, kind, spanId, parentSpanId, traceId, startMicros: begin, endMicros: end, attributes };
  });
  const file = 'docs/operations/trace.md';
  const page = readText(file);
  const [, documented = '[]'] = /```json\n([\s\S]*?)\n```/.exec(page) ?? [];
  if (process.env['TRACE_FILE'] === file)
    await writeFile(join(import.meta.dirname, '../../..', file), page.replace(documented, JSON.stringify(described, null, 2)));
  else {
    const stable = (each: (typeof described)[number]) => [each.service, each.name, each.kind, each.attributes];
    expect((JSON.parse(documented) as typeof described).map(stable)).toEqual(described.map(stable));
  }
}

test('one trace leads from the REST request to the SQL statement', async () => {
  await eventually(async () => {
    const spans = await spansOf(traceId);
    const first = spans.find(({ parentSpanId }) => parentSpanId === '00f067aa0ba902b7');
    const found = chain(spans, first).map(({ service, name, kind }) => [service, name, kind]);
    expect(found).toEqual([
      ['talent-platform-rest', 'GET /api/v1/athletes', 2],
      ['talent-platform-router', 'execute', 2],
      ['talent-platform-router', 'graphql listAthletes', 1],
      ['talent-platform-router', 'fetch athletes', 3],
      ['talent-platform-athletes', 'query', 2],
      ['talent-platform-athletes', 'athletes.list', 3],
    ]);
  });
  await checkDocumentedTrace(receiver.spans.filter((span) => span.traceId === traceId));
  const statement = receiver.spans.find(({ name, traceId: id }) => name === 'athletes.list' && id === traceId);
  expect(valueOf(statement?.attributes ?? [], 'db.system.name')).toBe('postgresql');
  expect(JSON.stringify(statement?.attributes)).not.toMatch(/select|limit/i);
  expect([...receiver.paths]).toEqual(['/v1/traces application/json']);
});

test('a caller that does not sample its trace is passed on and not recorded', async () => {
  const unsampled = `00-${'c'.repeat(32)}-00f067aa0ba902b7-00`;
  await get('/athletes?limit=2', { 'x-request-id': 'unsampled-1', traceparent: unsampled });
  await eventually(async () => expect((await linesWith('unsampled-1'))['athletes']).toHaveLength(1));
  expect((await linesWith('unsampled-1'))['athletes']?.[0]).toMatchObject({ traceId: 'c'.repeat(32) });
  expect(receiver.spans.filter((span) => span.traceId === 'c'.repeat(32))).toEqual([]);
});

test('a delivery of events is one trace over the processes, and its lines have its id', async () => {
  const env = { PATH: process.env['PATH'], DATABASE_URL: database.ownerUrl, SECRET: process.env['TEST_SECRET'] };
  const issue = ['commands/keys.ts', 'issue', '--account', 'Club', '--plan', 'pro', '--scopes', 'organizations:write', '--quiet'];
  const { stdout } = await promisify(execFile)(process.execPath, issue, { cwd: join(import.meta.dirname, '../../..'), env });
  const club = createClient({ ...platform, key: stdout.trim() });
  const body = { name: 'Acme FC', type: 'CLUB', country: 'DE', sports: ['FOOTBALL'], status: 'ACTIVE' };
  expect(await club.post('/organizations', body)).toMatchObject({ status: 201 });
  await eventually(async () => {
    const applied = receiver.spans.filter(
      ({ name, service }) => service === 'talent-platform-worker' && /^apply \w+\//.test(name),
    );
    const traces = await Promise.all(applied.map((span) => spansOf(span.traceId)));
    const services = traces.map((spans) => spans.map(({ service }) => service.replace('talent-platform-', '')));
    expect(services).toContainEqual(expect.arrayContaining(['worker', 'router', 'organizations']));
  });
  const ids = linesOf('router').map((line) => String(line['requestId']));
  expect(ids.filter((id) => /^relay-[0-9a-f-]{36}$/.test(id))).not.toEqual([]);
  expect(ids).not.toContain('relay');
});

test('every process has metrics on its internal port, and the public ports have none', async () => {
  const read = async (url: string): Promise<string> => (await fetch(`${url}/metrics`)).text();
  const { url } = platform.processes;
  expect(await read(platform.metricsUrl)).toContain('http_route="/api/v1/athletes",http_response_status_code="200"');
  expect(await read(platform.internalUrl)).toMatch(
    /platform_operation_duration_seconds_count\{operation="listAthletes",outcome="ok"\} \d/,
  );
  expect(await read(url('athletes'))).toMatch(/platform_call_duration_seconds_count\{outcome="ok"\} \d/);
  expect(await read(url('worker'))).toMatch(/platform_consumer_lag_events\{consumer="athletes\/[\w-]+",source="\w+"\} 0/);
  expect(await read(url('sandbox'))).toContain('nodejs_eventloop_lag_p99_seconds');
  const types = [platform.metricsUrl, platform.internalUrl, url('worker')].map(read);
  const described = (await Promise.all(types)).join('\n');
  expect(usedMetrics.filter((name) => !described.includes(`# TYPE ${name} `))).toEqual([]);
  for (const open of [platform.restUrl, platform.graphqlUrl]) expect((await fetch(`${open}/metrics`)).status).toBe(404);
});

test('a 503 names the area and the cause in each line', async () => {
  await platform.processes.stop('athletes', 'SIGKILL');
  expect((await get('/athletes?limit=3', { 'x-request-id': 'down-1' })).status).toBe(503);
  await eventually(async () => expect(Object.keys(await linesWith('down-1')).sort()).toEqual(['rest', 'router']));
  const failed = { level: 50, status: 503, code: 'upstream_unavailable', area: 'athletes', operation: 'listAthletes' };
  for (const lines of Object.values(await linesWith('down-1')))
    expect(lines).toEqual([expect.objectContaining({ ...failed, cause: expect.stringContaining('unavailable') })]);
});
