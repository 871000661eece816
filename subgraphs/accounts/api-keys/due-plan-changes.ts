/** Scheduled plan changes of API keys: routers apply them at their time, and the rows follow when they are locked or in the background. */
import { sql, type Database } from '../../../platform/database/database.ts';
import { changeRow, lockOwned } from '../../../platform/writes/resource.ts';
import type { Writer, WriteTransaction } from '../../../platform/writes/write.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { noPlanChange, scheduledPlanChange, type PlanVersion } from '../plans/terms.ts';
import { apiKeyResource, apiKeys, type ApiKeyRow } from './rows.ts';

/** Sets the plan of a locked key and removes its scheduled plan change. */
export function setPlan(
  transaction: WriteTransaction,
  row: ApiKeyRow,
  { planCode, planVersion }: PlanVersion,
): Promise<ApiKeyRow> {
  const change = { action: 'move', event: 'api_key.plan_changed', data: { plan: planCode, planVersion } } as const;
  return changeRow(transaction, apiKeyResource, row, { planCode, planVersion, ...noPlanChange }, change);
}

function applyScheduled(transaction: WriteTransaction, row: ApiKeyRow): Promise<ApiKeyRow> {
  const change = scheduledPlanChange(row);
  return change ? setPlan(transaction, row, change) : Promise.resolve(row);
}

/** Applies the plan change of a locked key if it is due by the database's clock, which routers use too. */
export async function applyIfDue(transaction: WriteTransaction, row: ApiKeyRow): Promise<ApiKeyRow> {
  if (row.nextPlanAt === null) return row;
  const [due] = await transaction.query<{ isDue: boolean }>(
    sql`/* apiKeys.moveIsDue */ select ${row.nextPlanAt}::timestamptz <= now() as "isDue"`,
  );
  return due?.isDue ? applyScheduled(transaction, row) : row;
}

/** Locks a key that the viewer manages and applies its plan change if it is due. Throws Problem not_found (404), also for keys of other accounts. */
export async function lockKey(transaction: WriteTransaction, viewer: Viewer, id: string): Promise<ApiKeyRow> {
  return applyIfDue(transaction, await lockOwned(transaction, apiKeyResource, viewer, id));
}

const batchSize = 500;

/** Applies due plan changes (docs/decisions/0026-no-job-queue.md). Returns whether there may be more. */
export async function applyDuePlanChanges(database: Database, writer: Writer): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const rows = await transaction.query<ApiKeyRow>(sql`/* apiKeys.lockDue */ select ${apiKeys.columns} from api_key
      where next_plan_at <= now() order by next_plan_at, id limit ${batchSize} for update`);
    await writer.writeWithin(transaction, async (work) => {
      for (const row of rows) await applyScheduled(work, row);
    });
    return rows.length === batchSize;
  });
}
