/** `npm run bench -- --scouting`: measures how scouting's projections are filled and refreshed, and their reads by one client over REST. */
import { setTimeout as sleep } from 'node:timers/promises';
import { refreshCohorts } from '../platform/cohorts.ts';
import { openDatabase, sql, type Database } from '../platform/database/database.ts';
import { areaRole, roleUrl } from '../platform/database/roles.ts';
import { openSecrets } from '../platform/security/secrets.ts';
import type { Sport } from '../schema/sports.ts';
import { renewCohorts } from '../subgraphs/scouting/projections/cohorts.ts';
import type { BenchDatabase } from './database.ts';
import { printLatencies, timed, type Latency } from './latency.ts';
import { openContender, type OpenContender } from './open.ts';
import { contenders } from './rows.ts';

const recipientsPerRead = 3;
const fullReads = 60;
const deepPages = 25;

export interface Scouting {
  /** Seconds from the platform's start until every athlete is projected, and until each is scored; null where that was done before. */
  readonly filledSeconds: number | null;
  readonly scoredSeconds: number | null;
  /** Seconds to recompute all cohorts. */
  readonly cohortsSeconds: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly latencies: readonly Latency[];
}

const prospects = [
  '',
  'sort=-computedAt',
  'sport=FOOTBALL',
  'sport=FOOTBALL&position=LB',
  'sport=SWIMMING&sex=FEMALE&ageMax=21',
  'sport=RUGBY&country=KE',
  'country=NZ',
  'emerging=true',
  'emerging=true&sport=HANDBALL&country=DE',
  'sport=TENNIS&minConfidence=0.6&minScore=70',
  'sport=FOOTBALL&metric=goals:gte:20',
  'sport=FOOTBALL&metric=goals:gte:5,assists:gte:5&ageBand=18-20&level=NATIONAL',
];

async function untilEmpty(
  database: Database,
  table: 'projection_sweep' | 'cohort_due',
  report: (line: string) => void,
): Promise<void> {
  for (let turn = 0; ; turn += 1) {
    const [left] = await database.query<{ left: number; kept: number }>(
      table === 'projection_sweep'
        ? sql`/* bench.sweeps */ select count(*)::int as left, (select count(*)::int from prospect) as kept from projection_sweep`
        : sql`/* bench.due */ select count(*)::int as left, 0 as kept from cohort_due`,
    );
    if (!left || left.left === 0) return;
    if (turn % 30 === 29) report(`${table}: ${left.left} left, ${left.kept} prospects`);
    await sleep(1_000);
  }
}

async function refreshAll(database: Database): Promise<number> {
  const numbers = await database.query<{ sport: Sport; metric: string }>(
    sql`/* bench.metrics */ select distinct sport, metric from prospect_metric order by 1, 2`,
  );
  const startedAt = performance.now();
  for (const { sport, metric } of numbers)
    await refreshCohorts(database, (transaction) => renewCohorts(transaction, sport, metric));
  return (performance.now() - startedAt) / 1000;
}

async function idsFrom(database: Database, statement: ReturnType<typeof sql>): Promise<string[]> {
  return (await database.query<{ id: string }>(statement)).map(({ id }) => id);
}

type Get = (
  path: string,
) => Promise<{ readonly data: readonly unknown[]; readonly page?: { readonly nextCursor: string | null } }>;

function getFrom({ url }: OpenContender, key: string): Get {
  return async (path) => {
    const response = await fetch(`${url}/api/v1${path}`, { headers: { 'x-api-key': key } });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return JSON.parse(text) as Awaited<ReturnType<Get>>;
  };
}

/** A deep page of a list; null for a short list. */
async function deepPath(get: Get, path: string): Promise<string | null> {
  let cursor: string | null = null;
  for (let page = 0; page < deepPages; page += 1) {
    const next: string | null =
      (await get(`${path}&limit=100${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`)).page?.nextCursor ?? null;
    if (next === null) return null;
    cursor = next;
  }
  return cursor === null ? null : `${path}&cursor=${encodeURIComponent(cursor)}`;
}

/** Sends one request of each kind first, so that plans and caches are warm. */
async function latency(
  platform: OpenContender,
  get: Get,
  what: string,
  targetMs: number,
  paths: readonly string[],
): Promise<Latency> {
  for (const path of paths.slice(0, 5)) await get(path);
  return timed(
    platform,
    what,
    targetMs,
    paths.map((path) => () => get(path)),
  );
}

/** Measures scouting over the database of a benchmark. */
export async function measureScouting(
  { ownerUrl, secret, key }: Omit<BenchDatabase, 'close'>,
  report: (line: string) => void,
  reads = fullReads,
): Promise<Scouting> {
  const recipients = reads * recipientsPerRead;
  const url = roleUrl(ownerUrl, areaRole('scouting'), openSecrets(secret));
  const database = openDatabase({ url, name: 'bench-scouting', poolSize: 2 });
  const [before] = await database.query<{ sweeps: number }>(
    sql`/* bench.sweeps */ select count(*)::int as sweeps from projection_sweep`,
  );
  const startedAt = performance.now();
  const seconds = (): number => (performance.now() - startedAt) / 1000;
  const platform = await openContender(contenders.platform, { ownerUrl, secret, shop: null });
  try {
    const swept = (before?.sweeps ?? 0) > 0;
    await untilEmpty(database, 'projection_sweep', report);
    const filledSeconds = swept ? seconds() : null;
    report(`Filled after ${seconds().toFixed(0)} s.`);
    await untilEmpty(database, 'cohort_due', report);
    const scoredSeconds = swept ? seconds() : null;
    report(`Scored after ${seconds().toFixed(0)} s.`);
    const cohortsSeconds = await refreshAll(database);
    report(`All cohorts in ${cohortsSeconds.toFixed(1)} s.`);
    const [counts = {}] = await database.query<Record<string, number>>(sql`/* bench.counts */
      select (select count(*)::int from prospect) as prospects, (select count(*)::int from prospect_metric) as numbers,
        (select count(*)::int from cohort) as cohorts, (select count(*)::int from open_opportunity) as opportunities`);
    const get = getFrom(platform, key);
    const opportunities = await idsFrom(
      database,
      sql`/* bench.opportunities */ select id from open_opportunity where application_deadline > now() order by md5(id::text) limit ${recipients}::int`,
    );
    const athletes = await idsFrom(
      database,
      sql`/* bench.athletes */ select athlete_id as id from prospect where is_primary order by md5(id::text) limit ${recipients}::int`,
    );
    const organizations = await idsFrom(
      database,
      sql`/* bench.organizations */ select distinct organization_id as id from open_opportunity limit ${recipients}::int`,
    );
    const recommended = (kind: string) => (id: string) => `/scouting/recommendations?${kind}=${id}`;
    const latencies: Latency[] = [];
    const measured = async (...of: readonly [what: string, targetMs: number, paths: readonly string[]]): Promise<void> => {
      const found = await latency(platform, get, ...of);
      latencies.push(found);
      report(`${found.what}: ${found.p50Ms.toFixed(1)}, ${found.p95Ms.toFixed(1)} ms`);
    };
    await measured('athletes for an opportunity', 100, opportunities.map(recommended('opportunityId')));
    await measured('opportunities for an athlete', 100, athletes.map(recommended('athleteId')));
    await measured('athletes for an organization', 100, organizations.map(recommended('organizationId')));
    const similar = (id: string): string => `/scouting/similar?athleteId=${id}`;
    await measured('similar athletes', 100, athletes.map(similar));
    await measured(
      'similar athletes, filtered',
      100,
      athletes.map((id) => `${similar(id)}&country=NZ&ageMax=21`),
    );
    for (const filter of prospects) {
      const first = `/scouting/prospects?${filter === '' ? 'limit=20' : filter}`;
      const deep = await deepPath(get, first.replace('limit=20', 'sort=-talentScore'));
      for (const [where, path] of [
        ['', first],
        [', deep within', deep],
      ] as const)
        if (path !== null) await measured(`prospects ${filter}${where}`, 20, Array<string>(reads).fill(path));
    }
    for (const filter of ['sport=FOOTBALL', prospects.at(-1) ?? ''])
      await measured(`discovery ${filter}`, 100, Array<string>(reads).fill(`/scouting/discovery?${filter}`));
    return { filledSeconds, scoredSeconds, cohortsSeconds, counts, latencies };
  } finally {
    await platform.close();
    await database.close();
  }
}

const durationOf = (value: number | null): string => (value === null ? 'was done before' : `${value.toFixed(0)} s`);

/** The tables of a run, in Markdown. */
export function printScouting({ filledSeconds, scoredSeconds, cohortsSeconds, counts, latencies }: Scouting): string {
  const kept = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
  return `${kept.join(', ')}. Filled: ${durationOf(filledSeconds)}; scored: ${durationOf(scoredSeconds)}; all cohorts once more: ${cohortsSeconds.toFixed(1)} s (target < 120).

${printLatencies(latencies)}`;
}
