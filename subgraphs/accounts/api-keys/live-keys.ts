/** Counts of live API keys, which administrators see before they change an account or a plan. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import type { BatchRead } from '../../runtime/subgraph.ts';
import { countsOf, type Count } from '../counts.ts';

/** Neither revoked nor expired. */
const isLive = sql`k.status <> 'REVOKED' and (k.expires_at is null or k.expires_at > now())`;

/** Batch reads over the area's database. */
export function createLiveKeyCounts(database: Queryable) {
  const ofAccounts: BatchRead<string, number> = async (ids) => {
    const rows = await database.query<Count>(sql`/* accounts.liveKeys */
      select k.account_id as owner, count(*) from api_key k join account a on a.id = k.account_id
      where k.account_id = any(${[...ids]}::uuid[]) and a.status <> 'CLOSED' and ${isLive} group by 1`);
    return countsOf(ids, rows);
  };

  /** By `planKey`. A due plan change counts when it is applied, seconds later. */
  const ofPlans: BatchRead<string, number> = async (keys) => {
    const parts = keys.map((key) => key.split('/'));
    const rows = await database.query<Count>(sql`/* plans.liveKeys */
      select k.plan_code || '/' || k.plan_version as owner, count(*) from api_key k join account a on a.id = k.account_id
      where (k.plan_code, k.plan_version) in (
          select * from unnest(${parts.map(([code]) => code)}::text[], ${parts.map(([, version]) => Number(version))}::int[]))
        and a.status <> 'CLOSED' and ${isLive} group by k.plan_code, k.plan_version`);
    return countsOf(keys, rows);
  };

  return { ofAccounts, ofPlans };
}
