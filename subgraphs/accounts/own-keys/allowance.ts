/** How many keys the members of an account can create, with which plan and scopes. */
import { Problem } from '../../../schema/errors.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import type { DataMode } from '../../../platform/security/api-key.ts';
import { noPlanChange, planStateOf, type PlanAssignment } from '../plans/terms.ts';
import { isLiveKey, memberLineage, readAssignments } from './account-plan.ts';

/** Maximum number of live keys of an account for which a member can create another one. Administrators are not limited. */
export const liveKeysMax = 20;

export interface KeyAllowanceRow {
  readonly accountId: string;
  readonly assignment: PlanAssignment;
  readonly liveKeys: number;
}

export async function readAllowance(queryable: Queryable, accountId: string): Promise<KeyAllowanceRow> {
  const [assignment] = await readAssignments(queryable, [accountId]);
  const [count] = await queryable.query<{ live: number }>(sql`/* ownKeys.countLive */
    select count(*)::int as live from api_key k where k.account_id = ${accountId} and ${isLiveKey}`);
  return {
    accountId,
    assignment: assignment ?? { planCode: 'free', planVersion: 1, ...noPlanChange },
    liveKeys: count?.live ?? 0,
  };
}

/** Locks the number of keys of an account until the end of the transaction. */
const lockKeys = (transaction: Queryable, accountId: string) =>
  transaction.query(
    sql`/* ownKeys.lockAccount */ select pg_advisory_xact_lock(hashtextextended('own keys ' || ${accountId}, 0))`,
  );

/**
 * Locks the keys of an account for a rotation with a grace period, in which both keys count. Throws Problem conflict (409) if the account has the
 * maximum. A rotation without a grace period is always possible.
 */
export async function lockRotation(transaction: Queryable, accountId: string): Promise<void> {
  await lockKeys(transaction, accountId);
  const { liveKeys } = await readAllowance(transaction, accountId);
  if (liveKeys < liveKeysMax) return;
  const limit = `The account has ${liveKeys} keys that are neither revoked nor expired; the maximum is ${liveKeysMax}.`;
  throw new Problem('conflict', `${limit} Revoke one of them, or rotate with a grace period of 0.`);
}

/** The plan and the lineage of a new key. */
export interface NewKeyTerms {
  readonly assignment: PlanAssignment;
  /** Null for the first key that a member creates: it starts the lineage. */
  readonly quotaSubjectId: string | null;
}

/** Locks the keys of an account for another one. Throws Problem conflict (409) if it has the maximum. */
export async function lockAllowance(transaction: Queryable, accountId: string, mode: DataMode): Promise<NewKeyTerms> {
  await lockKeys(transaction, accountId);
  const { assignment, liveKeys } = await readAllowance(transaction, accountId);
  if (liveKeys >= liveKeysMax)
    throw new Problem(
      'conflict',
      `The account has ${liveKeysMax} keys that are neither revoked nor expired. Revoke one of them first.`,
    );
  const [lineage] = await transaction.query<{ id: string | null }>(
    sql`/* ownKeys.lineage */ select ${memberLineage(sql`${accountId}`, mode)} as id`,
  );
  const { current, scheduled } = planStateOf(assignment);
  const next = scheduled
    ? { nextPlanCode: scheduled.planCode, nextPlanVersion: scheduled.planVersion, nextPlanAt: scheduled.at }
    : noPlanChange;
  const { planCode, planVersion } = current;
  return { assignment: { planCode, planVersion, ...next }, quotaSubjectId: lineage?.id ?? null };
}
