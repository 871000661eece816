/** Numbers of requests in the last 24 hours, which administrators see before they change a key or an account. */
import { sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import type { BatchRead } from '../../runtime/subgraph.ts';
import { countsOf, type Count } from '../counts.ts';
import type { ApiKeyRow } from '../api-keys/rows.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Requests of the last 24 hours, exact to the minute: whole hours, plus the minutes of the first, partial hour. */
function lastDay(condition: Sql): Sql {
  const start = Math.floor(Date.now() / minuteMs) * minuteMs - 24 * hourMs;
  const firstHour = new Date((Math.floor(start / hourMs) + 1) * hourMs).toISOString();
  return sql`select requests from usage where granularity = 'HOUR' and ${condition} and starts_at >= ${firstHour}
    union all
    select requests from usage where granularity = 'MINUTE' and ${condition} and starts_at >= ${new Date(start).toISOString()} and starts_at < ${firstHour}`;
}

/** Batch reads over the area's database. */
export function createRecentCounts(database: Queryable) {
  const ofKeys: BatchRead<Pick<ApiKeyRow, 'publicId' | 'quotaSubjectId'>, number> = async (keys) => {
    const publicIds = keys.map(({ publicId }) => publicId);
    const lineages = keys.map(({ quotaSubjectId }) => quotaSubjectId);
    const rows = await database.query<Count>(sql`/* apiKeys.requestsLast24Hours */
      select key.public_id as owner, sum(recent.requests)::bigint as count
      from unnest(${lineages}::uuid[], ${publicIds}::text[]) key (lineage, public_id)
        cross join lateral (${lastDay(sql`quota_subject_id = key.lineage and usage.public_id = key.public_id`)}) recent
      group by 1`);
    return countsOf(publicIds, rows);
  };

  const ofAccounts: BatchRead<string, number> = async (ids) => {
    const rows = await database.query<Count>(sql`/* accounts.requestsLast24Hours */
      select account.id as owner, sum(recent.requests)::bigint as count
      from unnest(${[...ids]}::uuid[]) account (id) cross join lateral (${lastDay(sql`account_id = account.id`)}) recent
      group by 1`);
    return countsOf(ids, rows);
  };

  return { ofKeys, ofAccounts };
}
