/** Usage over time from the rollups: of a key lineage, of all keys of an account, or of the whole platform. */
import { entriesOf } from '../../../schema/records.ts';
import { Problem, type Violation } from '../../../schema/errors.ts';
import type { Sport } from '../../../schema/sports.ts';
import { join, raw, sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import type { BatchRead } from '../../runtime/subgraph.ts';
import type { UsageDimension, UsageGranularity, UsagePoint, UsageStatus } from '../generated/resolvers.ts';

export interface SeriesArguments {
  readonly granularity?: UsageGranularity | null | undefined;
  readonly from?: string | null | undefined;
  readonly to?: string | null | undefined;
  readonly groupBy?: readonly UsageDimension[] | null | undefined;
}

/** The column of the owner; the rollups have an index for each. */
export type SeriesOwner = 'quota_subject_id' | 'account_id';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

interface Granularity {
  /** Maximum span of one request. */
  readonly spanMs: number;
  /** Retention time (accounts.prune_usage). */
  readonly retentionMs: number;
  /** Default start of a series. */
  readonly defaultStart: (to: Date) => number;
}

const granularities: Readonly<Record<UsageGranularity, Granularity>> = {
  MINUTE: { spanMs: dayMs, retentionMs: 2 * dayMs, defaultStart: (to) => to.getTime() - hourMs },
  HOUR: { spanMs: 35 * dayMs, retentionMs: 35 * dayMs, defaultStart: (to) => to.getTime() - dayMs },
  DAY: {
    spanMs: 400 * dayMs,
    retentionMs: 400 * dayMs,
    defaultStart: (to) => Date.UTC(to.getUTCFullYear(), to.getUTCMonth(), 1),
  },
  MONTH: {
    spanMs: 3653 * dayMs,
    retentionMs: Infinity,
    defaultStart: (to) => Date.UTC(to.getUTCFullYear(), to.getUTCMonth() - 11, 1),
  },
};

/** Maximum number of points of one request. */
const pointsMax = 10_000;

const columns: Readonly<Record<UsageDimension, { readonly field: keyof PointRow; readonly column: string }>> = {
  AREA: { field: 'area', column: 'area' },
  SPORT: { field: 'sport', column: 'sport' },
  STATUS: { field: 'statusClass', column: 'status_class' },
  KEY: { field: 'key', column: 'public_id' },
  PLAN: { field: 'plan', column: 'plan_code' },
};

const statuses: Readonly<Record<number, UsageStatus>> = {
  2: 'SUCCESS',
  3: 'REDIRECTION',
  4: 'CLIENT_ERROR',
  5: 'SERVER_ERROR',
};

interface PointRow {
  readonly owner: string | null;
  readonly startsAt: string;
  readonly area: string | null;
  readonly sport: Sport | null;
  readonly statusClass: number | null;
  readonly key: string | null;
  readonly plan: string | null;
  readonly requests: number;
  readonly units: number;
}

function spanOf(granularity: UsageGranularity, from: string | null | undefined, to: string | null | undefined) {
  const { spanMs, retentionMs, defaultStart } = granularities[granularity];
  const now = Date.now();
  const end = to ? new Date(to) : new Date(now + dayMs);
  const start = new Date(from ?? defaultStart(to ? end : new Date(now)));
  const violation = (parameter: string, detail: string): Violation => ({ parameter, code: 'out_of_range', detail });
  const violations = [
    start >= end && violation('from', '`from` must be before `to`.'),
    (to ? end.getTime() : now) - start.getTime() > spanMs + dayMs &&
      violation('from', `${granularity} allows at most ${spanMs / dayMs} days per request. Request a shorter span.`),
    start.getTime() < now - retentionMs - dayMs &&
      violation('from', `${granularity} is retained for ${retentionMs / dayMs} days. Request longer periods.`),
  ].filter((each) => each !== false);
  if (violations.length > 0)
    throw new Problem('parameter_invalid', 'Usage is not available for this time span.', { errors: violations });
  return { start: start.toISOString(), end: end.toISOString() };
}

/** The rows of a series per owner, or of the whole platform. */
async function readPoints(
  database: Queryable,
  from: { readonly name: string; readonly table: Sql; readonly owner: Sql; readonly where: Sql },
  { granularity, groupBy, ...span }: SeriesArguments,
): Promise<PointRow[]> {
  const { start, end } = spanOf(granularity ?? 'DAY', span.from, span.to);
  const selected = new Set(groupBy ?? []);
  const dimensionColumns = entriesOf(columns).map(([dimension, { field, column }]) =>
    raw(`${selected.has(dimension) ? column : 'null'} as "${field}"`),
  );
  const grouped: Sql[] = [from.owner, raw('starts_at'), ...[...selected].map((dimension) => raw(columns[dimension].column))];
  const rows = await database.query<PointRow>(sql`${raw(`/* ${from.name} */`)}
    select ${from.owner} as owner, starts_at as "startsAt", ${join(dimensionColumns, ', ')}, sum(requests)::bigint as requests,
      sum(units)::bigint as units
    from ${from.table} where granularity = ${granularity ?? 'DAY'} and ${from.where} and starts_at >= ${start} and starts_at < ${end}
    group by ${join(grouped, ', ')} order by ${join(grouped, ', ')} limit ${pointsMax + 1}`);
  if (rows.length <= pointsMax) return rows;
  throw new Problem(
    'parameter_invalid',
    `The series has more than ${pointsMax} points. Request a shorter span or fewer groups.`,
    {
      errors: [{ parameter: 'groupBy', code: 'too_many', detail: `A series has at most ${pointsMax} points.` }],
    },
  );
}

/**
 * The series of each owner, oldest period first; dimensions that are not in `groupBy` are null.
 * Throws Problem parameter_invalid (400): the span is empty, too long, or starts before the retention time; or there are too many points.
 */
export async function readSeries(
  database: Queryable,
  owner: SeriesOwner,
  owners: readonly string[],
  args: SeriesArguments,
): Promise<UsagePoint[][]> {
  const where = sql`${raw(owner)} = any(${[...owners]}::uuid[])`;
  const rows = await readPoints(database, { name: 'usage.series', table: sql`usage`, owner: raw(owner), where }, args);
  const byOwner = Map.groupBy(rows, (row) => row.owner);
  return owners.map((id) => (byOwner.get(id) ?? []).map(pointOf));
}

/** The series of the whole platform, including requests without a key. Throws as `readSeries` does. */
export async function readPlatformSeries(database: Queryable, args: SeriesArguments): Promise<UsagePoint[]> {
  const platform = { name: 'usage.platform', table: sql`usage_total`, owner: sql`null::uuid`, where: sql`true` };
  return (await readPoints(database, platform, args)).map(pointOf);
}

/** Batch read of series: owners with the same arguments share a statement. */
export function seriesOf(
  database: Queryable,
  owner: SeriesOwner,
): BatchRead<{ readonly owner: string; readonly args: SeriesArguments }, UsagePoint[]> {
  return async (keys) => {
    const read = new Map<string, UsagePoint[]>();
    for (const [name, group] of Map.groupBy(keys, ({ args }) => JSON.stringify(args))) {
      const [{ args } = { args: {} }] = group;
      const owners = [...new Set(group.map((key) => key.owner))];
      const series = await readSeries(database, owner, owners, args);
      owners.forEach((id, index) => read.set(`${id} ${name}`, series[index] ?? []));
    }
    return keys.map(({ owner: id, args }) => read.get(`${id} ${JSON.stringify(args)}`) ?? []);
  };
}

function pointOf({ owner: _, statusClass, ...point }: PointRow): UsagePoint {
  return { ...point, status: statusClass === null ? null : (statuses[statusClass] ?? null) };
}
