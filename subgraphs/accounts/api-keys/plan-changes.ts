/** Plan changes of API keys, immediately or at the end of the month. The keys of a lineage share a quota and change together. */
import { validationProblem } from '../../../schema/errors.ts';
import { keyModeOf } from '../../../platform/security/api-key.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { changeRow, lockRow, resourceNotFound } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import type { AccountReads } from '../accounts/reads.ts';
import { accountResource, type AccountRow } from '../accounts/rows.ts';
import { requireOpen } from '../accounts/rules.ts';
import type { ContractRow, Contracts } from '../plans/contracts.ts';
import type { PlanReads } from '../plans/reads.ts';
import { planKey, type PlanRow } from '../plans/rows.ts';
import { requireScopesInPlan, unknownPlanViolation } from '../plans/rules.ts';
import { costsLess, noPlanChange } from '../plans/terms.ts';
import type { PlanChangeTime } from '../generated/resolvers.ts';
import { applyIfDue, setPlan } from './due-plan-changes.ts';
import type { ApiKeyReads } from './reads.ts';
import { apiKeyResource, apiKeys, type ApiKeyRow } from './rows.ts';
import { hasExpired, revokedKeyProblem } from './rules.ts';

interface PlanChangeRequest {
  readonly id: string;
  readonly plan: string;
  readonly when: PlanChangeTime;
  readonly idempotencyKey?: string | null | undefined;
}

type AccountMove = Pick<PlanChangeRequest, 'id' | 'plan' | 'when'>;

interface Reads {
  readonly keys: ApiKeyReads;
  readonly accounts: AccountReads;
  readonly plans: PlanReads;
  readonly contracts: Contracts;
}

/** A requested plan change, with the current plans of the keys and the contracts of the account. */
interface PlanChange {
  readonly target: PlanRow;
  readonly when: PlanChangeTime;
  readonly currentPlans: ReadonlyMap<string, PlanRow | null>;
  readonly contracts: ReadonlyMap<string, ContractRow>;
  readonly periodEnd: string;
}

/** The end of the month by the database's clock. */
async function periodEnd(transaction: Queryable): Promise<string> {
  const [month] = await transaction.query<{ ends: string }>(sql`/* apiKeys.periodEnd */
    select (date_trunc('month', now() at time zone 'UTC') + interval '1 month') at time zone 'UTC' as ends`);
  if (!month) throw new Error('The query for the end of the month returned no row');
  return month.ends;
}

function isAtPeriodEnd(row: ApiKeyRow, { target, when, currentPlans, contracts }: PlanChange): boolean {
  if (when !== 'BY_PRICE') return when === 'PERIOD_END';
  const terms = currentPlans.get(planKey(row));
  if (!terms) throw new Error('The plan of an API key does not exist');
  return costsLess({ terms: target, contract: contracts.get(target.code) }, { terms, contract: contracts.get(row.planCode) });
}

/** Changes, schedules or withdraws the plan change of a locked key. */
async function changeKey(transaction: WriteTransaction, row: ApiKeyRow, change: PlanChange): Promise<void> {
  const { target, periodEnd: at } = change;
  const to = { planCode: target.code, planVersion: target.version };
  if (row.planCode === target.code && row.nextPlanAt !== null) {
    await changeRow(transaction, apiKeyResource, row, noPlanChange, { action: 'withdraw_move', event: 'api_key.updated' });
    return;
  }
  if (planKey(row) === planKey(to)) return;
  // an expired key cannot be used, so its scopes must not prevent the plan change of its lineage
  if (!hasExpired(row) && keyModeOf(row.publicId) === 'LIVE') requireScopesInPlan(row.scopes, target);
  if (!isAtPeriodEnd(row, change)) {
    await setPlan(transaction, row, to);
    return;
  }
  if (row.nextPlanAt === at && row.nextPlanCode === target.code && row.nextPlanVersion === target.version) return;
  const scheduled = { nextPlanCode: target.code, nextPlanVersion: target.version, nextPlanAt: at };
  await changeRow(transaction, apiKeyResource, row, scheduled, {
    action: 'schedule_move',
    event: 'api_key.updated',
    data: { plan: target.code, at },
  });
}

/** Plan changes of keys over the area's database. */
export function createPlanChanges({ writer, announce }: AreaServices, { keys, accounts, plans, contracts }: Reads) {
  /**
   * Changes the plan of an account's keys, or of one lineage. Locks the account first, so that no key is issued or rotated meanwhile and all
   * keys of a lineage change.
   */
  async function changePlans(
    transaction: WriteTransaction,
    accountId: string,
    lineage: string | null,
    { plan, when }: Pick<PlanChangeRequest, 'plan' | 'when'>,
  ): Promise<AccountRow> {
    const account = await lockRow(transaction, accountResource, accountId);
    requireOpen(account);
    const target = await plans.current(plan, transaction);
    if (!target) throw validationProblem([unknownPlanViolation(plan)]);
    const found = await transaction.query<ApiKeyRow>(sql`/* apiKeys.lockLive */ select ${apiKeys.columns} from api_key
      where account_id = ${accountId} and status <> 'REVOKED' and ${lineage === null ? sql`true` : sql`quota_subject_id = ${lineage}`}
      order by id for update`);
    const rows: ApiKeyRow[] = [];
    for (const row of found) rows.push(await applyIfDue(transaction, row));
    const currentKeys = [...new Set(rows.map(planKey))];
    const currentPlans = await plans.byKeys(currentKeys, transaction);
    const change: PlanChange = {
      target,
      when,
      currentPlans: new Map(currentKeys.map((key, index) => [key, currentPlans[index] ?? null])),
      contracts: new Map((await contracts.live([accountId], transaction)).map((contract) => [contract.planCode, contract])),
      periodEnd: await periodEnd(transaction),
    };
    for (const row of rows) await changeKey(transaction, row, change);
    return account;
  }

  /** Changes the plan of all live keys of an account, and of the keys that its members create. The caller announces the change. */
  async function moveAccountWithin(transaction: WriteTransaction, request: AccountMove): Promise<AccountRow> {
    const account = await changePlans(transaction, request.id, null, request);
    await transaction.query(sql`/* accounts.setPlan */ update account set plan_code = ${request.plan} where id = ${request.id}`);
    return account;
  }

  return {
    moveAccountWithin,
    /** Throws Problem not_found (404), invalid_transition (409: revoked key), write_not_in_plan (403) or validation_failed (422). */
    async moveKey(context: Context, request: PlanChangeRequest): Promise<ApiKeyRow> {
      const { id, plan, when, idempotencyKey } = request;
      const row = await writer.write(
        context,
        async (transaction) => {
          const [key] = await keys.byIds([id], transaction);
          if (!key) throw resourceNotFound('api_key', id);
          if (key.status === 'REVOKED') throw revokedKeyProblem('The plan of a revoked API key cannot be changed.');
          await changePlans(transaction, key.accountId, key.quotaSubjectId, request);
          return lockRow(transaction, apiKeyResource, id);
        },
        replaysOf(keys.byId)(context, 'moveApiKey', idempotencyKey, { id, plan, when }),
      );
      await announce?.('*');
      return row;
    },
    /** The same for all live keys of an account. */
    async moveAccount(context: Context, request: PlanChangeRequest): Promise<AccountRow> {
      const { id, plan, when, idempotencyKey } = request;
      const row = await writer.write(
        context,
        (transaction) => moveAccountWithin(transaction, request),
        replaysOf(accounts.byId)(context, 'moveAccount', idempotencyKey, { id, plan, when }),
      );
      await announce?.('*');
      return row;
    },
  };
}

export type PlanChanges = ReturnType<typeof createPlanChanges>;
