/** The plan of an account, which the keys of its members get. A member cannot choose another one. */
import { sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import type { DataMode } from '../../../platform/security/api-key.ts';
import { isOfMode } from '../api-keys/key-mode.ts';
import { noPlanChange, planStateOf, type PlanAssignment, type PlanVersion } from '../plans/terms.ts';

/** Neither revoked nor expired. */
export const isLiveKey = sql`k.status <> 'REVOKED' and (k.expires_at is null or k.expires_at > now())`;

/** The lineage of the keys that members of an account created: they share one quota, so that another key gives no further quota. Test keys have a separate lineage. */
export const memberLineage = (accountId: Sql, mode: DataMode = 'LIVE'): Sql => sql`(select o.quota_subject_id from api_key o
  where o.account_id = ${accountId} and ${isOfMode(sql`o.public_id`, mode)} and o.created_by like 'user:%' and o.rotated_from is null order by o.created_at, o.id limit 1)`;

interface AccountPlan extends PlanAssignment {
  readonly accountId: string;
}

/** An ACTIVE key of an account that has not expired. */
const hasActiveKey = sql`exists (select from api_key u where u.account_id = a.id and ${isOfMode(sql`u.public_id`, 'LIVE')} and u.status = 'ACTIVE'
  and (u.expires_at is null or u.expires_at > now()))`;

/**
 * A key whose plan the operator decided. A key that a member revoked, disabled or let expire counts as well: otherwise members who remove the
 * cheaper keys would get the plan of the others. The newest key of a lineage stands for it.
 */
const isDecision = sql`k.rotated_to is null and (k.status <> 'REVOKED' or k.revoked_by like 'user:%')
  and (a.plan_code is null or a.plan_code in (k.plan_code, k.next_plan_code)) and ${hasActiveKey}`;

/**
 * The plan assignments of accounts: that of a live key of the members' lineage, else the plan to which administrators moved the account, else the
 * cheapest of its keys if one of them is in use, else `free`. Keys with the account's plan decide about its version and its scheduled change.
 */
export async function readAssignments(queryable: Queryable, accountIds: readonly string[]): Promise<PlanAssignment[]> {
  const rows = await queryable.query<AccountPlan>(sql`/* accountPlans.read */
    select a.id as "accountId", coalesce(k.plan_code, f.code) as "planCode", coalesce(k.plan_version, f.version) as "planVersion",
      k.next_plan_code as "nextPlanCode", k.next_plan_version as "nextPlanVersion", k.next_plan_at as "nextPlanAt"
    from account a
    left join lateral (
      select k.plan_code, k.plan_version, k.next_plan_code, k.next_plan_version, k.next_plan_at
      from api_key k join plan p on p.code = k.plan_code and p.version = k.plan_version
        cross join lateral (select coalesce(k.quota_subject_id = ${memberLineage(sql`a.id`)}, false) as is_own) o
      where k.account_id = a.id and ${isOfMode(sql`k.public_id`, 'LIVE')} and ((o.is_own and ${isLiveKey}) or (not o.is_own and ${isDecision}))
      order by o.is_own desc, p.price_amount_minor, p.per_month, k.id limit 1
    ) k on true
    left join lateral (
      select p.code, p.version from plan p where p.status = 'ACTIVE' and p.code in (a.plan_code, 'free')
      order by (p.code = a.plan_code) desc nulls last limit 1
    ) f on true
    where a.id = any(${[...accountIds]}::uuid[])`);
  const byAccount = new Map(rows.map(({ accountId, ...assignment }) => [accountId, assignment]));
  return accountIds.map((id) => byAccount.get(id) ?? { planCode: 'free', planVersion: 1, ...noPlanChange });
}

/** The plans that apply to accounts now. */
export async function readAccountPlans(queryable: Queryable, accountIds: readonly string[]): Promise<PlanVersion[]> {
  return (await readAssignments(queryable, accountIds)).map((assignment) => planStateOf(assignment).current);
}
