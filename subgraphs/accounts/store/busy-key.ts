/** The keys that ask most, and those that have used most of what they may, from the rollups. */
import { sql, type Queryable } from '../../../platform/database.ts';
import type { QuotaWindow } from '../resolvers.generated.ts';

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

/** First days of the windows that are open, YYYY-MM-DD (UTC). */
function openWindows(): Readonly<Record<QuotaWindow, string>> {
  const today = new Date().toISOString().slice(0, 10);
  return { DAY: today, MONTH: `${today.slice(0, 7)}-01` };
}

/** The keys with most requests in a window that is open, most first. */
export function readTopKeys(database: Queryable, window: QuotaWindow, first: number): Promise<KeyUseRow[]> {
  const startsAt = `${openWindows()[window]}T00:00:00Z`;
  return database.query<KeyUseRow>(sql`/* apiKeys.top */
    select public_id as "publicId", sum(requests)::bigint as requests, sum(units)::bigint as units
    from usage where granularity = ${window} and starts_at = ${startsAt} and public_id is not null
    group by public_id order by 2 desc, 1 limit ${first}`);
}

/** Thresholds that are looked at: of some a plan has grown since, and they are near nothing any more. */
const thresholdsMax = 1_000;

/** The lineages that have used 80 percent or more of a window that is open, and still have, the fullest first. */
export function readKeysNearQuota(database: Queryable, first: number): Promise<NearQuotaRow[]> {
  const windows = openWindows();
  const reached = (window: QuotaWindow) => sql`(
    select quota_subject_id, "window", percent, at from quota_threshold
    where "window" = ${window} and starts_on = ${windows[window]}::date and percent >= 80
    order by percent desc, at desc limit ${thresholdsMax})`;
  return database.query<NearQuotaRow>(sql`/* apiKeys.nearQuota */
    with reached as (${reached('DAY')} union all ${reached('MONTH')}),
    fullest as (
      select distinct on (quota_subject_id, "window") * from reached order by quota_subject_id, "window", percent desc
    )
    select k.public_id as "publicId", f."window", w.used, w.allowed as "limit",
      least(100, w.used * 100 / w.allowed)::int as percent, f.at as "reachedAt"
    from fullest f
      cross join lateral (
        select public_id from api_key where quota_subject_id = f.quota_subject_id and status <> 'REVOKED'
        order by created_at desc, id desc limit 1
      ) newest
      join router_key k on k.public_id = newest.public_id
      join subject_usage u on u.subject = uuid_send(f.quota_subject_id)
      cross join lateral (
        select greatest(u.day_units, u.day_counted) as used, k.per_day as allowed
          where f."window" = 'DAY' and u.day = ${windows.DAY}::date
        union all
        select greatest(u.month_units, u.month_counted), k.per_month
          where f."window" = 'MONTH' and u.month = ${windows.MONTH}::date
      ) w
    where w.used * 100 >= w.allowed * 80
    order by least(100, w.used * 100 / w.allowed) desc, f.at desc, k.public_id limit ${first}`);
}
