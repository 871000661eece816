/** Checks that usage rollups equal the clients' own log of requests, also after a process was killed half-way. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import type { Administration } from '../../commands/administration.ts';
import { sql, type Database } from '../../platform/database/database.ts';
import { openRandom } from '../../platform/random.ts';
import type { OpenContender } from '../open.ts';
import type { HttpRequest } from '../rows.ts';
import { keyWith } from './exactness.ts';

const clientsOfEach = 32;
const keysOfEach = 4;
/** Daily quota of the one key that exceeds it. */
const narrow = 2_000;
/** Longer than the routers' flush interval. */
const flushedAfterMs = 8_000;

export interface Rollups {
  readonly requests: number;
  /** Rows of the log of the surviving process by key and status class, and how many of them equal the rollups. */
  readonly rows: number;
  readonly equal: number;
  /** Of the killed process: responses in total, responses within its last flush interval, and responses missing from the rollups. */
  readonly killed: { readonly responded: number; readonly lastInterval: number; readonly lost: number };
  /** Whether minutes, hours, days and months have the same sum. */
  readonly granularitiesAgree: boolean;
}

type Log = Map<string, number>;

const get = (path: string): HttpRequest => ({ method: 'GET', path: `/api/v1${path}`, headers: {} });
const graphql = (query: string): HttpRequest => ({
  method: 'POST',
  path: '/graphql',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ query }),
});
const write: HttpRequest = {
  method: 'POST',
  path: '/api/v1/organizations',
  headers: { 'content-type': 'application/json' },
  body: '{}',
};

/** The requests with their relative frequency: reads through both APIs, and each kind of error response. */
const mix: readonly (readonly [HttpRequest, number])[] = [
  [get('/plans'), 10],
  [get('/organizations?limit=1'), 20],
  [get('/athletes?limit=5'), 10],
  [get('/athletes/statistics?limit=1'), 5],
  [get('/competitions?limit=1'), 10],
  [get('/opportunities?limit=2'), 5],
  [get('/me'), 5],
  [get('/athletes?limit=0'), 5],
  [get('/organizations/00000000-0000-4000-8000-000000000000'), 10],
  [get('/nowhere'), 2],
  [graphql('{ __typename }'), 20],
  [graphql('{ organizations(first: 2) { nodes { id } } }'), 10],
  [graphql('{ nothing }'), 3],
  [write, 5],
];

/** A caller: with one of the keys, without a key (null), or with an unknown key. */
const unknownKey = 'sp_live_000000000000.0000000000000000000000000000000000000000000000000';

async function execute(pool: Pool, { path, method, headers, body }: HttpRequest, key: string | null): Promise<number | null> {
  try {
    const identity = key === null ? {} : { 'x-api-key': key };
    const { statusCode, body: responseBody } = await pool.request({
      path,
      method,
      headers: { ...headers, ...identity },
      ...(body !== undefined && { body }),
    });
    await responseBody.dump();
    return statusCode;
  } catch {
    return null;
  }
}

const anonymous = 'anonymous';
const publicIdOf = (key: string | null): string => (key === null || key === unknownKey ? anonymous : (key.split('.')[0] ?? ''));

/** Sends requests through two complete platforms over one database, and kills the second one after half of the requests. */
export async function measureRollups(
  platforms: readonly [OpenContender, OpenContender],
  administration: Administration,
  owner: Database,
  { name, requests, report }: { readonly name: string; readonly requests: number; readonly report: (line: string) => void },
): Promise<Rollups> {
  const random = openRandom(name);
  const keysFor = (who: string, perDay: number): Promise<string[]> =>
    Promise.all(
      Array.from(
        { length: keysOfEach },
        async (_, index) => (await keyWith(administration, `${who}-${name}-${index}`, { perDay, perMonth: 100_000_000 })).key,
      ),
    );
  const [living, dying] = [await keysFor('living', 10_000_000), await keysFor('dying', 10_000_000)];
  const [spent = ''] = await keysFor('spent', narrow);
  await sleep(flushedAfterMs);
  const before = await rolledUp(owner);
  const logs: readonly [Log, Log] = [new Map(), new Map()];
  const respondedAt: number[] = [];
  let [left, responded, killed] = [requests, 0, false];
  const pools = platforms.map(({ url }) => new Pool(url, { connections: clientsOfEach, pipelining: 1 }));

  const client = async (index: 0 | 1): Promise<void> => {
    const pool = pools[index];
    const callers = index === 0 ? [...living, spent, null, unknownKey] : dying;
    while (left > 0 && pool !== undefined && !(index === 1 && killed)) {
      left -= 1;
      const key = random.pick(callers);
      const request = random.weighted(mix);
      const status = await execute(pool, request, key);
      if (status === null) continue;
      responded += 1;
      const row = `${publicIdOf(key)} ${Math.floor(status / 100)}`;
      logs[index].set(row, (logs[index].get(row) ?? 0) + 1);
      if (index === 1) respondedAt.push(performance.now());
    }
  };
  const killer = async (): Promise<number> => {
    while (responded < requests / 2) await sleep(20);
    killed = true;
    platforms[1].kill();
    return performance.now();
  };
  const clients = ([0, 1] as const).flatMap((index) => Array.from({ length: clientsOfEach }, () => client(index)));
  const [killedAt] = await Promise.all([killer(), ...clients]);
  report(`${responded} responses received; waiting for the last flush.`);
  await Promise.all(pools.map((pool) => pool.destroy()));
  await sleep(flushedAfterMs);

  const after = await rolledUp(owner);
  const counted = (granularity: string, row: string): number =>
    (after.get(`${granularity} ${row}`) ?? 0) - (before.get(`${granularity} ${row}`) ?? 0);
  const [livingLog, dyingLog] = logs.map((log) => [...log]);
  const rows = livingLog ?? [];
  const wrong = rows.filter(([row, count]) => counted('DAY', row) !== count);
  for (const [row, count] of wrong) report(`${row}: ${count} responses, ${counted('DAY', row)} in the rollups`);
  const lost = (dyingLog ?? []).reduce((sum, [row, count]) => sum + count - counted('DAY', row), 0);
  const sum = (granularity: string): number =>
    [...new Set([...rows, ...(dyingLog ?? [])].map(([row]) => row))].reduce((total, row) => total + counted(granularity, row), 0);
  const sums = new Set(['MINUTE', 'HOUR', 'DAY', 'MONTH'].map(sum));
  return {
    requests: responded,
    rows: rows.length,
    equal: rows.length - wrong.length,
    killed: { responded: respondedAt.length, lastInterval: respondedAt.filter((at) => at > killedAt - 5_000).length, lost },
    granularitiesAgree: sums.size === 1,
  };
}

/** Requests by granularity, key and status class; requests without a key are under `anonymous`. */
async function rolledUp(owner: Database): Promise<Map<string, number>> {
  const rows = await owner.query<{ name: string; requests: number }>(sql`/* bench.rollups */
    select granularity || ' ' || coalesce(public_id, ${anonymous}) || ' ' || status_class as name, sum(requests)::float8 as requests
    from accounts.usage group by 1`);
  return new Map(rows.map(({ name, requests }) => [name, requests]));
}
