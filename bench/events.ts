/** `npm run bench -- --events`: how many events per second the projections apply, and the CPU time of an idle platform. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { areas } from '../schema/areas.ts';
import { createPostgresTime } from './costs/processor-time.ts';
import type { BenchDatabase } from './database.ts';
import type { OpenContender } from './open.ts';

const targets = { perSecond: 2_000, idleShare: 0.01 };

/** Events of one area that all its consumers have applied. */
export interface Projected {
  readonly area: string;
  readonly events: number;
  readonly perSecond: number;
  /** CPU time per event in milliseconds: of the platform's process, and of PostgreSQL. */
  readonly nodeMs: number;
  readonly sqlMs: number;
}

/** Use of an idle platform. Shares are of one core. */
export interface Idle {
  readonly seconds: number;
  readonly nodeShare: number;
  readonly sqlShare: number;
  readonly transactionsPerSecond: number;
}

export interface EventFigures {
  readonly projected: readonly Projected[];
  readonly idle: Idle;
}

/** How much is measured. */
export interface EventSize {
  readonly events: number;
  /** Time for the work of the start: compiling, the first maintenance, the first sweep of scouting. */
  readonly settleSeconds: number;
  readonly idleSeconds: number;
}

const fullSize: EventSize = { events: 10_000, settleSeconds: 60, idleSeconds: 60 };

/** Changed resources of the areas with the most consumers. */
const sources = [
  { area: 'athletes', type: 'athlete.updated', resource: 'athlete' },
  { area: 'competitions', type: 'match.updated', resource: 'match' },
  { area: 'organizations', type: 'organization.updated', resource: 'organization' },
] as const;

type Source = (typeof sources)[number];

interface Meter {
  readonly nodeMs: number;
  readonly sqlMs: number;
}

interface Measured {
  readonly client: pg.Client;
  readonly read: () => Promise<Meter>;
}

async function one<Row extends object>(client: pg.Client, text: string, values: unknown[] = []): Promise<Row> {
  const { rows } = await client.query<Row>(text, values);
  if (!rows[0]) throw new Error(`No row: ${text}`);
  return rows[0];
}

const inboxes = areas.map((area) => `select position, event_id from ${area}.inbox`).join(' union all ');

/** Waits until every event of the area has a position and every consumer of the area has reached the last one. */
async function untilApplied(client: pg.Client, area: string): Promise<void> {
  const text = `select exists (select from ${area}.outbox where position is null) or exists (
      select from (${inboxes}) i join ${area}.outbox o on o.id = i.event_id
      where i.position < (select max(position) from ${area}.outbox)) as waits`;
  while ((await one<{ waits: boolean }>(client, text)).waits) await sleep(20);
}

/** Writes events about existing resources, each resource in turn, and measures the time until they are applied. */
async function project({ client, read }: Measured, { area, type, resource }: Source, events: number): Promise<Projected> {
  const write = (count: number): Promise<unknown> =>
    client.query(
      `with resources as materialized (select array_agg(id) as ids, array_agg(version) as versions, count(*)::int as total from ${area}.${resource}),
       written as (insert into ${area}.outbox (type, resource_type, resource_id, version)
         select '${type}', '${resource}', ids[1 + n % total], versions[1 + n % total] from resources, generate_series(1, $1::int) n returning 1)
       select pg_notify('outbox', '') from (select count(*) from written) w`,
      [count],
    );
  // every consumer has a position, and the compiled queries are warm
  await write(500);
  await untilApplied(client, area);
  const before = await read();
  const from = performance.now();
  await write(events);
  await untilApplied(client, area);
  const seconds = (performance.now() - from) / 1000;
  const after = await read();
  const per = (kind: keyof Meter): number => (after[kind] - before[kind]) / events;
  return { area, events, perSecond: events / seconds, nodeMs: per('nodeMs'), sqlMs: per('sqlMs') };
}

async function measureIdle({ client, read }: Measured, seconds: number): Promise<Idle> {
  const transactions = async (): Promise<number> =>
    Number(
      (
        await one<{ count: string }>(
          client,
          'select sum(xact_commit + xact_rollback) as count from pg_stat_database where datname = current_database()',
        )
      ).count,
    );
  const [before, beforeTransactions] = [await read(), await transactions()];
  await sleep(seconds * 1_000);
  const [after, afterTransactions] = [await read(), await transactions()];
  const share = (kind: keyof Meter): number => (after[kind] - before[kind]) / (seconds * 1_000);
  return {
    seconds,
    nodeShare: share('nodeMs'),
    sqlShare: share('sqlMs'),
    transactionsPerSecond: (afterTransactions - beforeTransactions) / seconds,
  };
}

/** Measures the idle use of a whole platform in one process, then its projections. */
export async function measureEvents(
  { ownerUrl, dataDirectory }: Pick<BenchDatabase, 'ownerUrl' | 'dataDirectory'>,
  platform: OpenContender,
  report: (line: string) => void,
  { events, settleSeconds, idleSeconds }: EventSize = fullSize,
): Promise<EventFigures> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'bench' });
  await client.connect();
  const postgresMs = createPostgresTime(dataDirectory);
  const read = async (): Promise<Meter> => ({ nodeMs: (await platform.cpuMicroseconds()) / 1_000, sqlMs: postgresMs() });
  try {
    // what PostgreSQL would do in the next minutes, because the rows are new
    await client.query('vacuum analyze');
    await client.query('checkpoint');
    // first: the projections that events start, such as scores, continue for a while
    await sleep(settleSeconds * 1_000);
    const idle = await measureIdle({ client, read }, idleSeconds);
    const projected: Projected[] = [];
    for (const source of sources) {
      const figures = await project({ client, read }, source, events);
      report(`${figures.area}: ${figures.perSecond.toFixed(0)} events per second`);
      projected.push(figures);
    }
    return { projected, idle };
  } finally {
    await client.end();
  }
}

/** The tables in Markdown. */
export function printEvents({ projected, idle }: EventFigures): string {
  const judged = (isMet: boolean): string => (isMet ? '' : ', MISSED');
  const lines = projected.map(
    ({ area, events, perSecond, nodeMs, sqlMs }) =>
      `| ${area} | ${events} | ${perSecond.toFixed(0)} | ${nodeMs.toFixed(3)} | ${sqlMs.toFixed(3)} | > ${targets.perSecond}${judged(perSecond > targets.perSecond)} |`,
  );
  const total = idle.nodeShare + idle.sqlShare;
  const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;
  return [
    '| events of | events | per second | CPU ms of Node per event | CPU ms of PostgreSQL per event | target |',
    '|---|--:|--:|--:|--:|---|',
    ...lines,
    '',
    `Idle for ${idle.seconds} s: ${percent(total)} of a core (Node ${percent(idle.nodeShare)}, PostgreSQL ${percent(idle.sqlShare)}), ${idle.transactionsPerSecond.toFixed(1)} transactions per second. Target < ${percent(targets.idleShare)}${judged(total < targets.idleShare)}.`,
  ].join('\n');
}
