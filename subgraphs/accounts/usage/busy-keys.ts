/** The keys with the highest usage, and the keys that are close to their quota, from the rollups. */
import { raw, sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import type { QuotaWindow } from '../generated/resolvers.ts';

export interface KeyUseRow {
  readonly publicId: string;
  readonly requests: number;
  readonly units: number;
}

export interface NearQuotaRow {
  readonly publicId: string;
  readonly window: QuotaWindow;
  readonly used: number;
  readonly limit: number;
  readonly percent: number;
  readonly reachedAt: string;
}

/** First days of the current windows, YYYY-MM-DD (UTC). */
function currentWindows(): Readonly<Record<QuotaWindow, string>> {
  const today = new Date().toISOString().slice(0, 10);
  return { DAY: today, MONTH: `${today.slice(0, 7)}-01` };
}

/** The newest key of a lineage, preferably one that is not revoked. */
const newestOf = (lineage: Sql): Sql => sql`select public_id from api_key where quota_subject_id = ${lineage}
  order by status = 'REVOKED', created_at desc, id desc limit 1`;

/**
 * The lineages with the highest usage of a current window. Usage comes from one row per lineage, the number of requests from the rollups, which
 * have many rows per key and day. The conditions on `octet_length` and `day` match the index subject_usage_lineage.
 */
export function readTopKeys(database: Queryable, window: QuotaWindow, first: number): Promise<KeyUseRow[]> {
  const startsOn = currentWindows()[window];
  const units = raw(window === 'DAY' ? 'day_units' : 'month_units');
  return database.query<KeyUseRow>(sql`/* apiKeys.top */
    with top as materialized (
      select encode(subject, 'hex')::uuid as lineage, ${units} as units from subject_usage
      where octet_length(subject) = 16 and day >= ${startsOn}::date order by ${units} desc, subject limit ${first}
    )
    select newest.public_id as "publicId", total.requests, top.units
    from top cross join lateral (${newestOf(sql`top.lineage`)}) newest
      cross join lateral (
        select coalesce(sum(requests), 0)::bigint as requests from usage
        where granularity = ${window} and quota_subject_id = top.lineage and starts_at = ${`${startsOn}T00:00:00Z`}
      ) total
    order by top.units desc, newest.public_id`);
}

/** Number of thresholds that are checked, latest first: after an increase of its plan, a key may no longer be close to its quota. */
const thresholdsMax = 200;

type Reached = Pick<NearQuotaRow, 'publicId' | 'window' | 'used' | 'reachedAt'>;

/** The usage of lineages that reached 80 percent of a current window, each with its newest key. */
function readReached(database: Queryable): Promise<Reached[]> {
  const windows = currentWindows();
  const reached = (window: QuotaWindow, percent: number) => sql`(
    select quota_subject_id, "window", starts_on, percent, at from quota_threshold
    where "window" = ${window} and starts_on = ${windows[window]}::date and percent = ${percent}
    order by at desc limit ${thresholdsMax})`;
  return database.query<Reached>(sql`/* apiKeys.reached */
    with reached as materialized (
      ${reached('DAY', 100)} union all ${reached('DAY', 80)} union all ${reached('MONTH', 100)} union all ${reached('MONTH', 80)}
    )
    select newest.public_id as "publicId", r."window", r.at as "reachedAt", case r."window"
        when 'DAY' then case when u.day = r.starts_on then greatest(u.day_units, u.day_counted) else 0 end
        else case when u.month = r.starts_on then greatest(u.month_units, u.month_counted) else 0 end
      end as used
    from (select distinct on (quota_subject_id, "window") * from reached order by quota_subject_id, "window", percent desc) r
      cross join lateral (${newestOf(sql`r.quota_subject_id`)}) newest
      cross join lateral (select * from subject_usage s where s.subject = uuid_send(r.quota_subject_id) limit 1) u`);
}

/** The lineages that used at least 80 percent of a current window by their current limits, highest percentage first. */
export async function readKeysNearQuota(database: Queryable, first: number): Promise<NearQuotaRow[]> {
  const reached = await readReached(database);
  const limits = await database.query<{ publicId: string } & Record<QuotaWindow, number>>(sql`/* apiKeys.limits */
    select public_id as "publicId", per_day as "DAY", per_month as "MONTH" from router_key
    where public_id = any(${[...new Set(reached.map(({ publicId }) => publicId))]}) and status = 'ACTIVE'`);
  const limitsOf = new Map(limits.map((row) => [row.publicId, row]));
  return reached
    .flatMap((row) => {
      const limit = limitsOf.get(row.publicId)?.[row.window];
      if (limit === undefined || row.used < limit * 0.8) return [];
      return [{ ...row, limit, percent: Math.min(100, Math.floor((row.used / limit) * 100)) }];
    })
    .sort((one, other) => other.percent - one.percent || Date.parse(other.reachedAt) - Date.parse(one.reachedAt))
    .slice(0, first);
}
