/** `npm run bench -- --sizing`: the CPU time of each role per request with one process per role, and two routers against one. */
import { createRoleProcesses, keyVariables, roleOf, type RoleProcesses } from '../commands/role-processes.ts';
import { align } from '../commands/markdown-table.ts';
import { openSecrets } from '../platform/security/secrets.ts';
import { startChild, type Child } from './calls.ts';
import { createPostgresTime, processTimeMs } from './costs/processor-time.ts';
import type { BenchDatabase } from './database.ts';
import type { Load, LoadResult } from './load.ts';
import type { HttpRequest } from './rows.ts';

interface Workload {
  readonly what: string;
  /** The role that receives the requests. */
  readonly role: 'rest' | 'router';
  readonly request: HttpRequest;
  readonly status: number;
}

export interface SizingRow {
  readonly what: string;
  readonly routers: number;
  readonly requestsPerSecond: number;
  readonly p99Ms: number;
  /** CPU time per request by role in ms; areas together. */
  readonly cpuMs: Readonly<Record<(typeof columns)[number], number>>;
}

const columns = ['rest', 'router', 'areas', 'PostgreSQL'] as const;
const warmUpSeconds = 3;
const query = '{ organizations(first: 10) { nodes { id name country sports } } competitions(first: 3) { nodes { name } } }';

/** The column of a process. The others of the platform, such as the worker, have none: they do not work for single requests. */
function columnOf(name: string): (typeof columns)[number] | null {
  const role = roleOf(name);
  if (role === 'rest' || role === 'router') return role;
  return role === 'worker' || role === 'sandbox' ? null : 'areas';
}

function workloadsOf(key: string, athleteId: string): Workload[] {
  const headers = { 'x-api-key': key };
  const json = { ...headers, 'content-type': 'application/json' };
  const club = JSON.stringify({ name: 'Club', type: 'CLUB', country: 'DE', sports: ['FOOTBALL'] });
  const get = (path: string): HttpRequest => ({ method: 'GET', path: `/api/v1${path}`, headers });
  return [
    { what: 'REST: one athlete', role: 'rest', request: get(`/athletes/${athleteId}`), status: 200 },
    { what: 'REST: 20 athletes', role: 'rest', request: get('/athletes?limit=20'), status: 200 },
    {
      what: 'GraphQL: two areas',
      role: 'router',
      request: { method: 'POST', path: '/graphql', headers: json, body: JSON.stringify({ query }) },
      status: 200,
    },
    {
      what: 'REST: create an organization',
      role: 'rest',
      request: { method: 'POST', path: '/api/v1/organizations', headers: json, body: club },
      status: 201,
    },
  ];
}

/** The CPU time of all processes so far, by column. */
function timesOf(processes: RoleProcesses, postgresMs: () => number): Record<(typeof columns)[number], number> {
  const times = { rest: 0, router: 0, areas: 0, PostgreSQL: postgresMs() };
  for (const [name, pid] of processes.pids()) {
    const column = columnOf(name);
    if (column !== null) times[column] += processTimeMs(pid);
  }
  return times;
}

async function firstAthlete(url: string, key: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/athletes?limit=1`, { headers: { 'x-api-key': key } });
  // Cast: the response that the API documents.
  const { data } = (await response.json()) as { readonly data: readonly { readonly id: string }[] };
  return data[0]?.id ?? '';
}

interface Measurement {
  readonly connections: number;
  readonly seconds: number;
}

/** Measures a workload on all instances of its role at the same time. */
async function measureRow(
  processes: RoleProcesses,
  generators: readonly Child[],
  { what, role, request, status }: Workload,
  { connections, seconds }: Measurement,
  postgresMs: () => number,
): Promise<SizingRow> {
  const urls = processes.names.filter((name) => roleOf(name) === role).map((name) => processes.url(name));
  const run = (duration: number): Promise<LoadResult[]> =>
    Promise.all(
      urls.map((url, index) => {
        const load: Load = { url, request, connections: connections / urls.length, seconds: duration, status };
        return (
          generators[index]?.call<LoadResult>('run', load) ?? Promise.reject(new Error('There are too few load generators.'))
        );
      }),
    );
  await run(warmUpSeconds);
  const before = timesOf(processes, postgresMs);
  const results = await run(seconds);
  const after = timesOf(processes, postgresMs);
  const requests = results.reduce((sum, each) => sum + each.requests, 0);
  const perRequest = (column: (typeof columns)[number]): number => (after[column] - before[column]) / requests;
  return {
    what,
    routers: processes.names.filter((name) => roleOf(name) === 'router').length,
    requestsPerSecond: results.reduce((sum, each) => sum + each.requestsPerSecond, 0),
    p99Ms: Math.max(...results.map(({ p99Ms }) => p99Ms)),
    cpuMs: {
      rest: perRequest('rest'),
      router: perRequest('router'),
      areas: perRequest('areas'),
      PostgreSQL: perRequest('PostgreSQL'),
    },
  };
}

/** Measures every workload with one router, and GraphQL with two. Responses are not kept, so that every request reaches its area. */
export async function measureSizing(
  { ownerUrl, secret, key, dataDirectory }: BenchDatabase,
  measurement: Measurement,
  report: (line: string) => void,
): Promise<SizingRow[]> {
  const rows: SizingRow[] = [];
  for (const routers of [1, 2]) {
    await using resources = new AsyncDisposableStack();
    const processes = await createRoleProcesses({
      databaseUrl: ownerUrl,
      variables: { ...keyVariables(openSecrets(secret)), LOG_LEVEL: 'error', RESPONSE_CACHE_MIB: '0' },
      imageFolder: '/tmp',
      instances: { router: { count: routers, isListed: true } },
    });
    resources.defer(processes.close);
    await Promise.all(processes.names.map((name) => processes.start(name)));
    const generators = Array.from({ length: routers }, () => startChild(new URL('load.ts', import.meta.url).pathname));
    for (const generator of generators) resources.defer(() => generator.stop());
    const workloads = workloadsOf(key, await firstAthlete(processes.url('rest'), key));
    for (const workload of workloads.filter(({ role }) => routers === 1 || role === 'router')) {
      const row = await measureRow(processes, generators, workload, measurement, createPostgresTime(dataDirectory));
      report(`${row.what}, ${routers} routers: ${row.requestsPerSecond.toFixed(0)} requests per second`);
      rows.push(row);
    }
  }
  return rows;
}

/** The table in Markdown: CPU time per request, and the requests per second that one core of each role serves. */
export function printSizing(rows: readonly SizingRow[]): string {
  const head = ['workload', 'routers', 'requests/s', 'p99 ms', ...columns.map((column) => `${column} ms`)];
  const lines = rows.map(({ what, routers, requestsPerSecond, p99Ms, cpuMs }) => [
    what,
    String(routers),
    requestsPerSecond.toFixed(0),
    p99Ms.toFixed(0),
    ...columns.map((column) => cpuMs[column].toFixed(2)),
  ]);
  const [one, two] = rows.filter(({ what }) => what.startsWith('GraphQL'));
  const factor = one === undefined || two === undefined ? 0 : two.requestsPerSecond / one.requestsPerSecond;
  return `${align([head, ...lines], 1)}\n\nTwo routers against one: ${factor.toFixed(2)} times the requests per second, on the same cores as the load generator.`;
}
