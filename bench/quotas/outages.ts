/** How two routers behave while the counter store or the key database is down for ten seconds under load. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Pool } from 'undici';
import type { Administration } from '../../commands/administration.ts';
import { keyWith, smallest } from './exactness.ts';

const awayMs = 10_000;
const beforeMs = 3_000;
/** Time for the routers to write what they admitted during the outage. */
const settleMs = 4_000;
const clientsOfEach = 32;
const pauseMs = 5;

export type Phase = 'before' | 'away' | 'after';

export interface Outage {
  readonly what: string;
  readonly limit: number;
  /** Count of each status by phase; `lost` counts requests without a response. */
  readonly statuses: Readonly<Record<Phase, Readonly<Record<string, number>>>>;
  readonly granted: number;
  /** The counter's value after the outage. */
  readonly counted: number;
  readonly routers: number;
}

/** A dependency that can be stopped and started. */
export interface Dependency {
  readonly name: string;
  takeAway(): Promise<void>;
  bringBack(): Promise<void>;
}

/** The database of the benchmark: stopping it rejects new connections and ends existing ones. */
export function databaseOf(ownerUrl: string): Dependency {
  const url = new URL(ownerUrl);
  const name = url.pathname.slice(1);
  url.pathname = '/postgres';
  const run = async (...statements: string[]): Promise<void> => {
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  };
  return {
    name: 'PostgreSQL',
    takeAway: () =>
      run(
        `alter database ${name} with allow_connections false`,
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
      ),
    bringBack: () => run(`alter database ${name} with allow_connections true`),
  };
}

/** Sends requests with one key through every router before, during and after the outage. `name` is the code of the key's plan. */
export async function measureOutage(
  urls: readonly string[],
  administration: Administration,
  dependency: Dependency,
  { name, what, limit }: { readonly name: string; readonly what: string; readonly limit: number },
): Promise<Outage> {
  const { key } = await keyWith(administration, name, {
    perDay: limit,
    perMonth: limit * 100,
  });
  const pools = urls.map((url) => new Pool(url, { connections: clientsOfEach, pipelining: 1 }));
  const statuses: Record<Phase, Record<string, number>> = { before: {}, away: {}, after: {} };
  let phase: Phase = 'before';
  let done = false;
  const client = async (pool: Pool): Promise<void> => {
    while (!done) {
      const counts = statuses[phase];
      const status = await pool.request(smallest(key)).then(
        async ({ statusCode, body }) => {
          await body.dump();
          return String(statusCode);
        },
        () => 'lost',
      );
      counts[status] = (counts[status] ?? 0) + 1;
      await sleep(pauseMs);
    }
  };
  try {
    const clients = pools.flatMap((pool) => Array.from({ length: clientsOfEach }, () => client(pool)));
    await sleep(beforeMs);
    phase = 'away';
    await dependency.takeAway();
    await sleep(awayMs);
    await dependency.bringBack();
    phase = 'after';
    await sleep(settleMs);
    done = true;
    await Promise.all(clients);
    await sleep(settleMs);
    const granted = Object.values(statuses).reduce((sum, counts) => sum + (counts['200'] ?? 0), 0);
    return { what, limit, statuses, granted, counted: await countedOf(urls[0] ?? '', key), routers: urls.length };
  } finally {
    done = true;
    await Promise.all(pools.map((pool) => pool.close()));
  }
}

/** What remains of the daily quota, from the headers of one more request. */
async function countedOf(url: string, key: string): Promise<number> {
  const { path, ...rest } = smallest(key);
  const response = await fetch(url + path, rest);
  await response.arrayBuffer();
  const policy = /"day";q=(\d+)/.exec(response.headers.get('ratelimit-policy') ?? '');
  const left = /"day";r=(\d+)/.exec(response.headers.get('ratelimit') ?? '');
  const own = response.status === 200 ? 1 : 0;
  return Number(policy?.[1]) - Number(left?.[1]) - own;
}
