/** Requests of a range compared with the previous one, from the rollups by operation. */
import { Problem, type Violation } from '../../../schema/errors.ts';
import { bucketCount, percentileMs } from '../../../schema/durations.ts';
import { join, raw, sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import type {
  AnalyticsMarker,
  RequestAnalytics,
  RequestApi,
  RequestDimension,
  RequestErrorCount,
  RequestGroup,
  RequestPeriod,
  RequestSummary,
} from '../generated/resolvers.ts';
import { readMarkers } from './markers.ts';
import { outcomes } from './outcomes.ts';

export interface AnalyticsArguments {
  readonly since?: string | null | undefined;
  readonly until?: string | null | undefined;
  readonly by: RequestDimension;
  readonly key?: string | null | undefined;
}

/** A range in whole hours, the previous range of the same length, and whose requests they are. */
interface Range {
  readonly previousSince: string;
  readonly since: string;
  readonly until: string;
  readonly isPreviousRetained: boolean;
  readonly owner: Sql;
  /** The account as an expression; null: all accounts. */
  readonly account: Sql | null;
  /** Public ID of a key; null: all keys. */
  readonly key: string | null;
}

/** What is read at once; series, errors and markers are read when selected. */
export interface AnalyticsRow extends Pick<RequestAnalytics, 'since' | 'until' | 'total' | 'previous' | 'groups'> {
  readonly range: Range;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** accounts.prune_requests */
const retentionMs = 90 * dayMs;
/** Longer ranges have a period per day. */
const hourlyMs = 7 * dayMs;
const groupsMax = 100;
const errorsMax = 10;

const buckets = Array.from({ length: bucketCount }, (_, index) => `d${index + 1}`);
const counts = raw(`sum(requests)::bigint as requests, sum(errors)::bigint as errors,
    array[${buckets.map((name) => `sum(${name})`).join(', ')}]::float8[] as durations`);

interface Counted {
  readonly requests: number;
  readonly errors: number;
  readonly durations: readonly number[];
}

const dimensions: Readonly<Record<RequestDimension, { readonly api: Sql; readonly name: Sql }>> = {
  OPERATION: { api: raw('api'), name: raw('operation') },
  AREA: { api: raw('null::text'), name: raw('area') },
  KEY: { api: raw('null::text'), name: raw('public_id') },
  STATUS: { api: raw('null::text'), name: raw('status_class::text') },
};

function rangeOf({ since, until, by, key }: AnalyticsArguments, accountId: string | null): Range {
  const now = Date.now();
  const end = Math.ceil((until ? Math.min(Date.parse(until), now) : now) / hourMs) * hourMs;
  const start = Math.floor((since ? Date.parse(since) : end - dayMs) / hourMs) * hourMs;
  const violation = (parameter: string, detail: string): Violation => ({ parameter, code: 'out_of_range', detail });
  const errors = [
    start >= end && violation('since', '`since` must be before `until`.'),
    start < now - retentionMs - hourMs && violation('since', 'Analytics are retained for 90 days. Request a later range.'),
    by === 'KEY' && accountId === null && !key && violation('by', 'Requests by key need an account.'),
  ].filter((each) => each !== false);
  if (errors.length > 0)
    throw new Problem('parameter_invalid', 'The analytics are not available for these parameters.', { errors });
  const previous = start - (end - start);
  const ofKey = key ? sql` and public_id = ${key}` : sql``;
  const accountOfKey = key ? sql`(select account_id from api_key where api_key.public_id = ${key})` : null;
  const account = accountId === null ? accountOfKey : sql`${accountId}::uuid`;
  const owner = account === null ? sql`account_id is null` : sql`account_id = ${account}`;
  return {
    previousSince: new Date(previous).toISOString(),
    since: new Date(start).toISOString(),
    until: new Date(end).toISOString(),
    isPreviousRetained: previous >= now - retentionMs,
    owner: sql`${owner}${ofKey}`,
    account,
    key: key ?? null,
  };
}

function summaryOf({ requests, errors, durations }: Counted): RequestSummary {
  const percentile = (share: number): number | null => {
    const ms = percentileMs(durations, share);
    return ms === null ? null : Math.round(ms * 10) / 10;
  };
  return {
    requests,
    errors,
    errorRate: requests === 0 ? 0 : errors / requests,
    p50Ms: percentile(0.5),
    p95Ms: percentile(0.95),
    p99Ms: percentile(0.99),
  };
}

const sumOf = (rows: readonly Counted[]): Counted => ({
  requests: rows.reduce((sum, { requests }) => sum + requests, 0),
  errors: rows.reduce((sum, { errors }) => sum + errors, 0),
  durations: buckets.map((_, index) => rows.reduce((sum, { durations }) => sum + (durations[index] ?? 0), 0)),
});

interface GroupRow extends Counted {
  readonly api: RequestApi | null;
  readonly name: string | null;
  readonly isCurrent: boolean;
}

/** The groups with requests in the range, most frequent first. */
function groupsOf(rows: readonly GroupRow[], by: RequestDimension, isPreviousRetained: boolean): RequestGroup[] {
  const place = ({ api, name }: GroupRow): string => `${api} ${name}`;
  const previous = new Map(rows.filter(({ isCurrent }) => !isCurrent).map((row) => [place(row), row]));
  return rows
    .filter(({ isCurrent }) => isCurrent)
    .sort((one, other) => other.requests - one.requests || (place(one) < place(other) ? -1 : 1))
    .slice(0, groupsMax)
    .map((row) => {
      const before = previous.get(place(row));
      const name = by === 'STATUS' ? (outcomes.get(Number(row.name)) ?? null) : row.name;
      return {
        api: row.api,
        name,
        summary: summaryOf(row),
        previous: before !== undefined && isPreviousRetained ? summaryOf(before) : null,
      };
    });
}

/** Reads over the area's database. */
export function createAnalyticsReads(database: Queryable) {
  return {
    /** @param accountId null: all accounts. Throws Problem parameter_invalid (400). */
    async read(accountId: string | null, args: AnalyticsArguments): Promise<AnalyticsRow> {
      const range = rangeOf(args, accountId);
      const { api, name } = dimensions[args.by];
      const rows = await database.query<GroupRow>(sql`/* requests.analytics */
        select ${api} as api, ${name} as name, starts_at >= ${range.since}::timestamptz as "isCurrent", ${counts}
        from request_operation where ${range.owner}
          and starts_at >= ${range.previousSince}::timestamptz and starts_at < ${range.until}::timestamptz
        group by 1, 2, 3`);
      const of = (isCurrent: boolean): RequestSummary => summaryOf(sumOf(rows.filter((row) => row.isCurrent === isCurrent)));
      return {
        since: range.since,
        until: range.until,
        total: of(true),
        previous: range.isPreviousRetained ? of(false) : null,
        groups: groupsOf(rows, args.by, range.isPreviousRetained),
        range,
      };
    },
    async series({ since, until, owner }: Range): Promise<RequestPeriod[]> {
      const period = Date.parse(until) - Date.parse(since) > hourlyMs ? 'day' : 'hour';
      const rows = await database.query<Counted & { startsAt: string }>(sql`/* requests.series */
        select date_trunc(${period}, starts_at, 'UTC') as "startsAt", ${counts}
        from request_operation where ${owner} and starts_at >= ${since}::timestamptz and starts_at < ${until}::timestamptz
        group by 1 order by 1`);
      return rows.map((row) => ({ startsAt: row.startsAt, summary: summaryOf(row) }));
    },
    /** Deployments and changes of limits, oldest first. */
    markers: (range: Range): Promise<AnalyticsMarker[]> => readMarkers(database, range),
    /** The most frequent error codes. */
    async errors({ previousSince, since, until, owner, isPreviousRetained }: Range): Promise<RequestErrorCount[]> {
      const current = sql`starts_at >= ${since}::timestamptz`;
      const columns = [
        raw('error_code as code'),
        sql`coalesce(sum(requests) filter (where ${current}), 0)::bigint as requests`,
        sql`coalesce(sum(requests) filter (where not ${current}), 0)::bigint as previous`,
      ];
      const errors = await database.query<RequestErrorCount>(sql`/* requests.errors */
        select ${join(columns, ', ')} from request_error where ${owner}
          and starts_at >= ${previousSince}::timestamptz and starts_at < ${until}::timestamptz
        group by 1 having count(*) filter (where ${current}) > 0 order by 2 desc, 1 limit ${errorsMax}`);
      return isPreviousRetained ? errors : errors.map((each) => ({ ...each, previous: null }));
    },
  };
}
