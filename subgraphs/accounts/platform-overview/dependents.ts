/** Who depends on a key, an account or a plan: what an administrator is shown before something is taken away. */
import { sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import type { BatchRead } from '../../runtime/subgraph.ts';
import type { ApiKeyRow } from '../api-keys/reads.ts';
import { planKey, type PlanRow } from '../plans/reads.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

interface Count {
  readonly owner: string;
  readonly count: number;
}

const inTurn = (owners: readonly string[], rows: readonly Count[]): number[] => {
  const byOwner = new Map(rows.map(({ owner, count }) => [owner, count]));
  return owners.map((owner) => byOwner.get(owner) ?? 0);
};

/** The requests of the last 24 hours under a condition on the rollups, to the minute: whole hours, and the minutes of the hour they begin in. */
function lastDay(of: Sql): Sql {
  const begin = Math.floor(Date.now() / minuteMs) * minuteMs - 24 * hourMs;
  const hours = new Date((Math.floor(begin / hourMs) + 1) * hourMs).toISOString();
  return sql`select requests from usage where granularity = 'HOUR' and ${of} and starts_at >= ${hours}
    union all
    select requests from usage where granularity = 'MINUTE' and ${of} and starts_at >= ${new Date(begin).toISOString()} and starts_at < ${hours}`;
}

/** Neither revoked nor expired. */
const live = sql`k.status <> 'REVOKED' and (k.expires_at is null or k.expires_at > now())`;

/** Batch reads over the area's database. */
export function createDependents(database: Queryable) {
  const requestsOfKeys: BatchRead<Pick<ApiKeyRow, 'publicId' | 'quotaSubjectId'>, number> = async (keys) => {
    const publicIds = keys.map(({ publicId }) => publicId);
    const lineages = keys.map(({ quotaSubjectId }) => quotaSubjectId);
    const rows = await database.query<Count>(sql`/* apiKeys.requestsLast24Hours */
      select key.public_id as owner, sum(told.requests)::bigint as count
      from unnest(${lineages}::uuid[], ${publicIds}::text[]) key (lineage, public_id)
        cross join lateral (${lastDay(sql`quota_subject_id = key.lineage and usage.public_id = key.public_id`)}) told
      group by 1`);
    return inTurn(publicIds, rows);
  };

  const requestsOfAccounts: BatchRead<string, number> = async (ids) => {
    const rows = await database.query<Count>(sql`/* accounts.requestsLast24Hours */
      select account.id as owner, sum(told.requests)::bigint as count
      from unnest(${[...ids]}::uuid[]) account (id) cross join lateral (${lastDay(sql`account_id = account.id`)}) told
      group by 1`);
    return inTurn(ids, rows);
  };

  const keysOfAccounts: BatchRead<string, number> = async (ids) => {
    const rows = await database.query<Count>(sql`/* accounts.liveKeys */
      select k.account_id as owner, count(*) from api_key k join account a on a.id = k.account_id
      where k.account_id = any(${[...ids]}::uuid[]) and a.status <> 'CLOSED' and ${live} group by 1`);
    return inTurn(ids, rows);
  };

  /** By `planKey`. A move that is due counts once it is written down, seconds later. */
  const keysOfPlans: BatchRead<string, number> = async (keys) => {
    const wanted = keys.map((key) => key.split('/'));
    const rows = await database.query<Count>(sql`/* plans.liveKeys */
      select k.plan_code || '/' || k.plan_version as owner, count(*) from api_key k join account a on a.id = k.account_id
      where (k.plan_code, k.plan_version) in (
          select * from unnest(${wanted.map(([code]) => code)}::text[], ${wanted.map(([, version]) => Number(version))}::int[]))
        and a.status <> 'CLOSED' and ${live} group by k.plan_code, k.plan_version`);
    return inTurn(keys, rows);
  };

  return { requestsOfKeys, requestsOfAccounts, keysOfAccounts, keysOfPlans };
}

/** How a plan is named among those that keys hold. */
export const heldAs = ({ code, version }: Pick<PlanRow, 'code' | 'version'>): string =>
  planKey({ planCode: code, planVersion: version });
