/** What two routers do while the store of their counters, or the database of their keys, is away for ten seconds under load. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Pool } from 'undici';
import type { Administration } from '../../commands/administration.ts';
import { keyWith, smallest } from './exactness.ts';

const awayMs = 10_000;
const beforeMs = 3_000;
/** For the routers to enter what they admitted meanwhile. */
const settleMs = 4_000;
const clientsOfEach = 32;
const pauseMs = 5;

export type Phase = 'before' | 'away' | 'after';

export interface Outage {
  readonly what: string;
  readonly limit: number;
  /** How often each status was told, by phase; `lost` are requests without an answer. */
  readonly statuses: Readonly<Record<Phase, Readonly<Record<string, number>>>>;
  readonly granted: number;
  /** What the counter holds afterwards. */
  readonly counted: number;
  readonly routers: number;
}

/** Something that can be taken away and brought back. */
export interface Dependency {
  readonly name: string;
  takeAway(): Promise<void>;
  bringBack(): Promise<void>;
}

/** The database of the bench: it refuses connections, and ends those it has. */
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

/** Reads with one key through every router before, while and after the dependency is away. `name` is the code of the key's plan. */
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
      const told = statuses[phase];
      const status = await pool.request(smallest(key)).then(
        async ({ statusCode, body }) => {
          await body.dump();
          return String(statusCode);
        },
        () => 'lost',
      );
      told[status] = (told[status] ?? 0) + 1;
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
    const granted = Object.values(statuses).reduce((sum, told) => sum + (told['200'] ?? 0), 0);
    return { what, limit, statuses, granted, counted: await countedOf(urls[0] ?? '', key), routers: urls.length };
  } finally {
    done = true;
    await Promise.all(pools.map((pool) => pool.close()));
  }
}

/** From the headers of one more request: what is left of the day. */
async function countedOf(url: string, key: string): Promise<number> {
  const { path, ...rest } = smallest(key);
  const answer = await fetch(url + path, rest);
  await answer.arrayBuffer();
  const policy = /"day";q=(\d+)/.exec(answer.headers.get('ratelimit-policy') ?? '');
  const left = /"day";r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '');
  const own = answer.status === 200 ? 1 : 0;
  return Number(policy?.[1]) - Number(left?.[1]) - own;
}
