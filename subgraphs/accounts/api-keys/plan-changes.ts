/** Moves of keys to another plan: at once, or at the end of the month; a lineage moves as one, as it counts as one. */
import { Problem, validationProblem } from '../../../schema/errors.ts';
import { sql, type Database, type Queryable } from '../../../platform/database/database.ts';
import { changeRow, lockRow, resourceNotFound } from '../../../platform/writes/resource.ts';
import type { Writer, WriteTransaction } from '../../../platform/writes/write.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import type { PlanChangeTime } from '../resolvers.generated.ts';
import { hasExpired, requireOpen, requireScopesInPlan, unknownPlan } from '../rules.ts';
import { costsLess, moveOf, noMove, type HeldPlan } from '../plans/terms.ts';
import { accountResource, type AccountRow, type createAccountStore } from '../accounts/reads.ts';
import { apiKeyResource, apiKeys, type ApiKeyRow, type createApiKeyStore } from './reads.ts';
import type { ContractRow, createContractStore } from '../plans/contracts.ts';
import { planKey, type createPlanStore, type PlanRow } from '../plans/reads.ts';

export interface MoveRequest {
  readonly id: string;
  readonly plan: string;
  readonly when: PlanChangeTime;
  readonly idempotencyKey?: string | null | undefined;
}

interface Stores {
  readonly keys: ReturnType<typeof createApiKeyStore>;
  readonly accounts: ReturnType<typeof createAccountStore>;
  readonly plans: ReturnType<typeof createPlanStore>;
  readonly contracts: ReturnType<typeof createContractStore>;
}

/** Puts a locked key on another plan. */
function take(transaction: WriteTransaction, row: ApiKeyRow, { planCode, planVersion }: HeldPlan): Promise<ApiKeyRow> {
  const moved = { action: 'move', event: 'api_key.plan_changed', data: { plan: planCode, planVersion } } as const;
  return changeRow(transaction, apiKeyResource, row, { planCode, planVersion, ...noMove }, moved);
}

/** Writes down the move that a locked key was to make; it has counted since its moment, whenever this is. */
function writeDown(transaction: WriteTransaction, row: ApiKeyRow): Promise<ApiKeyRow> {
  const move = moveOf(row);
  return move ? take(transaction, row, move) : Promise.resolve(row);
}

/** Locks a key as it counts now: a move whose moment has passed is written down first. Throws Problem not_found (404). */
export async function lockKey(transaction: WriteTransaction, id: string): Promise<ApiKeyRow> {
  return settle(transaction, await lockRow(transaction, apiKeyResource, id));
}

/** A locked key as it counts now, by the clock that routers go by. */
export async function settle(transaction: WriteTransaction, row: ApiKeyRow): Promise<ApiKeyRow> {
  if (row.nextPlanAt === null) return row;
  const [moment] = await transaction.query<{ passed: boolean }>(
    sql`/* apiKeys.moveIsDue */ select ${row.nextPlanAt}::timestamptz <= now() as passed`,
  );
  return moment?.passed ? writeDown(transaction, row) : row;
}

const portion = 500;

/** Writes down what is due (docs/decisions/0026-no-job-queue.md). Returns whether there is more. */
export async function writeMovesDown(database: Database, writer: Writer): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const rows = await transaction.query<ApiKeyRow>(sql`/* apiKeys.lockDue */ select ${apiKeys.columns} from api_key
      where next_plan_at <= now() order by next_plan_at, id limit ${portion} for update`);
    await writer.writeWithin(transaction, async (work) => {
      for (const row of rows) await writeDown(work, row);
    });
    return rows.length === portion;
  });
}

/** When the month ends by the database's clock. */
async function periodEnd(transaction: Queryable): Promise<string> {
  const [month] = await transaction.query<{ ends: string }>(sql`/* apiKeys.periodEnd */
    select (date_trunc('month', now() at time zone 'UTC') + interval '1 month') at time zone 'UTC' as ends`);
  if (!month) throw new Error('PostgreSQL knows no month');
  return month.ends;
}

/** Moves of keys over the area's database. */
export function createPlanMoves({ writer, announce }: AreaServices, { keys, accounts, plans, contracts }: Stores) {
  interface Move {
    readonly target: PlanRow;
    readonly when: PlanChangeTime;
    readonly held: ReadonlyMap<string, PlanRow | null>;
    readonly contractOf: ReadonlyMap<string, ContractRow>;
    readonly ends: string;
  }

  async function moveRow(
    transaction: WriteTransaction,
    row: ApiKeyRow,
    { target, when, held, contractOf, ends }: Move,
  ): Promise<void> {
    const to = { planCode: target.code, planVersion: target.version };
    if (row.planCode === target.code && row.nextPlanAt !== null) {
      await changeRow(transaction, apiKeyResource, row, noMove, { action: 'withdraw_move', event: 'api_key.updated' });
      return;
    }
    if (planKey(row) === planKey(to)) return;
    // what has expired writes nothing; it must not keep the rest of its lineage from moving
    if (!hasExpired(row)) requireScopesInPlan(row.scopes, target);
    const terms = held.get(planKey(row));
    if (!terms) throw new Error('A plan that a foreign key refers to is missing.');
    const later =
      when === 'PERIOD_END' ||
      (when === 'BY_PRICE' &&
        costsLess({ terms: target, contract: contractOf.get(target.code) }, { terms, contract: contractOf.get(row.planCode) }));
    const next = { nextPlanCode: target.code, nextPlanVersion: target.version, nextPlanAt: ends };
    if (!later) await take(transaction, row, to);
    else if (row.nextPlanAt !== ends || row.nextPlanCode !== target.code || row.nextPlanVersion !== target.version)
      await changeRow(transaction, apiKeyResource, row, next, {
        action: 'schedule_move',
        event: 'api_key.updated',
        data: { plan: target.code, at: ends },
      });
  }

  /**
   * Moves live keys of one account. The account's lock is taken first: it keeps keys from being issued or rotated meanwhile, so that all
   * keys of a lineage move, and the successor of none is forgotten.
   */
  async function move(
    transaction: WriteTransaction,
    accountId: string,
    lineage: string | null,
    { plan, when }: Pick<MoveRequest, 'plan' | 'when'>,
  ): Promise<AccountRow> {
    const account = await lockRow(transaction, accountResource, accountId);
    requireOpen(account);
    const target = await plans.current(plan, transaction);
    if (!target) throw validationProblem([unknownPlan(plan)]);
    const found = await transaction.query<ApiKeyRow>(sql`/* apiKeys.lockLive */ select ${apiKeys.columns} from api_key
      where account_id = ${accountId} and status <> 'REVOKED' and ${lineage === null ? sql`true` : sql`quota_subject_id = ${lineage}`}
      order by id for update`);
    const rows: ApiKeyRow[] = [];
    for (const row of found) rows.push(await settle(transaction, row));
    const held = [...new Set(rows.map(planKey))];
    const terms = await plans.read(held, transaction);
    const move: Move = {
      target,
      when,
      held: new Map(held.map((key, index) => [key, terms[index] ?? null])),
      contractOf: new Map((await contracts.live([accountId], transaction)).map((contract) => [contract.planCode, contract])),
      ends: await periodEnd(transaction),
    };
    for (const row of rows) await moveRow(transaction, row, move);
    return account;
  }

  return {
    /** Throws Problem not_found (404), invalid_transition (409: it is revoked), write_not_in_plan (403) or validation_failed (422). */
    async moveKey(context: Context, request: MoveRequest): Promise<ApiKeyRow> {
      const { id, plan, when, idempotencyKey } = request;
      const row = await writer.write(
        context,
        async (transaction) => {
          const [known] = await keys.read([id], transaction);
          if (!known) throw resourceNotFound('api_key', id);
          const refused = { state: known.status, allowedTransitions: [] };
          if (known.status === 'REVOKED') throw new Problem('invalid_transition', 'A revoked key does not move.', refused);
          await move(transaction, known.accountId, known.quotaSubjectId, request);
          return lockRow(transaction, apiKeyResource, id);
        },
        replaysOf(keys.byId)(context, 'moveApiKey', idempotencyKey, { id, plan, when }),
      );
      await announce?.('*');
      return row;
    },
    /** The same for every live key of an account. */
    async moveAccount(context: Context, request: MoveRequest): Promise<AccountRow> {
      const { id, plan, when, idempotencyKey } = request;
      const row = await writer.write(
        context,
        (transaction) => move(transaction, id, null, request),
        replaysOf(accounts.byId)(context, 'moveAccount', idempotencyKey, { id, plan, when }),
      );
      await announce?.('*');
      return row;
    },
  };
}
