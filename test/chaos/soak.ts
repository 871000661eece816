/** A soak: mixed load at 70 % of the measured capacity, while memory, handles, connections and lag are sampled. */
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { areas } from '../../schema/areas.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { graphqlRead, reads } from './load.ts';
import { createSend, type Send } from './requests.ts';
import { openSystem, type System } from './system.ts';

export interface Series {
  readonly name: string;
  readonly unit: string;
  /** Means of the second and of the last quarter of the time; the first quarter fills caches. */
  readonly before: number;
  readonly after: number;
}

export interface SoakResult {
  readonly capacityPerSecond: number;
  readonly ratePerSecond: number;
  readonly series: readonly Series[];
  readonly ledger: Ledger;
}

export interface SoakOptions {
  readonly minutes: number;
  readonly report: (line: string) => void;
  /** Receives what must be closed. */
  readonly resources: AsyncDisposableStack;
}

const share = 0.7;
const clients = 16;
const capacityMs = 20_000;
const sampleMs = 10_000;
const inFlightMax = 400;

/** Sends the next request of the mix: nine reads, then a write. */
function createMix(rest: Send, graphql: Send, key: string): () => Promise<unknown> {
  let turn = 0;
  return () => {
    turn += 1;
    if (turn % 10 === 0) {
      const body = { type: 'CLUB', name: `Soak ${turn}`, country: 'NO', sports: ['HANDBALL'], status: 'ACTIVE' };
      return rest('create', '/api/v1/organizations', { method: 'POST', key, body });
    }
    if (turn % 10 === 5) return graphql('GraphQL', '/graphql', { method: 'POST', key, body: { query: graphqlRead } });
    const path = reads[turn % reads.length] ?? '';
    return rest(`read ${path.replace(/\?.*/, '')}`, `/api/v1${path}`, { key });
  };
}

/** Requests per second of clients that never wait. */
async function measureCapacity(next: () => Promise<unknown>, ledger: Ledger): Promise<number> {
  const [before, startMs] = [ledger.totals(), performance.now()];
  const client = async (): Promise<void> => {
    while (performance.now() - startMs < capacityMs) await next();
  };
  await Promise.all(Array.from({ length: clients }, client));
  const seconds = (performance.now() - startMs) / 1_000;
  return (ledger.totals().requests - before.requests) / seconds;
}

async function sampleProcess(name: string, pid: number): Promise<[string, string, number][]> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  const kilobytes = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]);
  const handles = (await readdir(`/proc/${pid}/fd`)).length;
  return [
    [`${name} memory`, 'MB', kilobytes / 1_024],
    [`${name} open files`, '', handles],
  ];
}

async function sampleDatabase(client: pg.Client): Promise<[string, string, number][]> {
  const { rows } = await client.query<{ connections: number }>('select count(*)::int as connections from pg_stat_activity');
  const pending = await client.query<{ events: number }>(
    `select (${areas.map((area) => `(select count(*) from ${area}.outbox where position is null)`).join(' + ')})::int as events`,
  );
  return [
    ['PostgreSQL connections', '', rows[0]?.connections ?? 0],
    ['events without a position', '', pending.rows[0]?.events ?? 0],
  ];
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

async function collect(system: System, durationMs: number, client: pg.Client): Promise<Series[]> {
  const samples = new Map<string, { readonly unit: string; readonly values: number[] }>();
  const startMs = performance.now();
  while (performance.now() - startMs < durationMs) {
    await sleep(sampleMs);
    const each = await Promise.all([...system.processes.pids()].map(([name, pid]) => sampleProcess(name, pid)));
    for (const [name, unit, value] of [...each.flat(), ...(await sampleDatabase(client))]) {
      const entry = samples.get(name) ?? { unit, values: [] };
      samples.set(name, entry);
      entry.values.push(value);
    }
  }
  return [...samples].map(([name, { unit, values }]) => {
    const quarter = Math.max(1, Math.floor(values.length / 4));
    return { name, unit, before: mean(values.slice(quarter, 2 * quarter)), after: mean(values.slice(-quarter)) };
  });
}

/** Runs the soak. */
export async function runSoak({ minutes, report, resources }: SoakOptions): Promise<SoakResult> {
  const system = await openSystem(200);
  resources.defer(system.close);
  const client = new pg.Client({ connectionString: system.database.ownerUrl });
  await client.connect();
  resources.defer(() => client.end());
  const ledger = createLedger();
  const { key } = system.database;
  const next = createMix(createSend(system.urls('rest'), ledger), createSend(system.urls('router'), ledger), key);
  await measureCapacity(next, createLedger());
  const capacityPerSecond = await measureCapacity(next, ledger);
  const ratePerSecond = capacityPerSecond * share;
  report(`capacity ${capacityPerSecond.toFixed(0)} requests per second`);

  let inFlight = 0;
  let [startMs, sent] = [performance.now(), 0];
  const timer = setInterval(() => {
    const due = ((performance.now() - startMs) / 1_000) * ratePerSecond;
    for (; sent < due && inFlight < inFlightMax; sent += 1) {
      inFlight += 1;
      void next().finally(() => (inFlight -= 1));
    }
    // requests that could not start are not made up for
    if (sent < due) [startMs, sent] = [performance.now(), 0];
  }, 10);
  const reports = setInterval(() => report(`${ledger.totals().requests} requests`), 60_000);
  resources.defer(() => {
    clearInterval(timer);
    clearInterval(reports);
  });
  const series = await collect(system, minutes * 60_000, client);
  clearInterval(timer);
  while (inFlight > 0) await sleep(100);
  return { capacityPerSecond, ratePerSecond, series, ledger };
}
