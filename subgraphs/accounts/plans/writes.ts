/** Writes of plans. A version of a plan is immutable: every change creates the next version. */
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import { rowValues } from '../../../platform/database/columns.ts';
import { sql } from '../../../platform/database/database.ts';
import { insertInto } from '../../../platform/database/table.ts';
import { difference } from '../../../platform/writes/change.ts';
import { requireVersion } from '../../../platform/writes/precondition.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import type { ChangePlanInput, CreatePlanInput } from '../generated/resolvers.ts';
import type { PlanReads } from './reads.ts';
import { plans, type PlanRow } from './rows.ts';
import { requestLogViolation } from './rules.ts';

/** The row values of an input. */
function rowValuesOf({ price, limits, ...rest }: CreatePlanInput | ChangePlanInput): Partial<PlanRow> {
  const values = rowValues(plans, { ...rest, priceAmountMinor: price?.amountMinor, currency: price?.currency, ...limits });
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined));
}

/** The values of the next version; the database sets its times. */
function nextVersion(before: PlanRow, changes: Partial<PlanRow>): Partial<PlanRow> {
  const members = Object.entries({ ...before, ...changes, version: before.version + 1 });
  return Object.fromEntries(members.filter(([member]) => member !== 'createdAt' && member !== 'updatedAt'));
}

const snapshot = (row: PlanRow) => ({ ...row, accountId: null });

async function insertPlan(
  transaction: WriteTransaction,
  values: Partial<PlanRow>,
  action: string,
  before: PlanRow | null,
): Promise<PlanRow> {
  const [row] = await transaction.query<PlanRow>(insertInto(plans, values));
  if (!row) throw new Error('insert into plan returned no row');
  transaction.record({
    action,
    event: 'plan.changed',
    before: before && snapshot(before),
    after: snapshot(row),
    data: { code: row.code },
  });
  return row;
}

/** Writes of plans over the area's database. */
export function createPlanWrites({ writer, announce }: AreaServices, { current }: PlanReads) {
  async function changePlan(transaction: WriteTransaction, code: string, input: ChangePlanInput, ifMatch: string) {
    // lock the first version: the current version can be another one by the time the lock is acquired
    await transaction.query(sql`/* plans.lock */ select from plan where code = ${code} and version = 1 for no key update`);
    const before = await current(code, transaction);
    if (!before) throw new Problem('not_found', `There is no plan with the code "${code}".`);
    requireVersion(ifMatch, before.version);
    rejectInvalid([
      ...Object.entries(input).map(
        ([member, value]) =>
          value === null && {
            pointer: `/${member}`,
            code: 'required',
            detail: 'This field is required and cannot be null.',
          },
      ),
      requestLogViolation(input.requestLogDays),
    ]);
    const changes = rowValuesOf(input);
    if (Object.keys(difference(before, { ...before, ...changes })).length === 0) return before;
    await transaction.query(
      sql`/* plans.retire */ update plan set status = 'RETIRED', updated_at = now() where code = ${code} and version = ${before.version}`,
    );
    return insertPlan(transaction, nextVersion(before, changes), 'changed', before);
  }

  return {
    /** Throws Problem validation_failed (422). */
    create(context: Context, input: CreatePlanInput, key: string | null | undefined): Promise<PlanRow> {
      rejectInvalid([requestLogViolation(input.requestLogDays)]);
      const work = (transaction: WriteTransaction) => insertPlan(transaction, rowValuesOf(input), 'created', null);
      return writer.write(context, work, { operation: 'createPlan', key, input, reload: () => current(input.code) });
    },
    /** Throws Problem not_found (404), precondition_failed (412) or validation_failed (422). Creates no version if nothing changes. */
    async change(context: Context, code: string, input: ChangePlanInput, ifMatch: string): Promise<PlanRow> {
      const changed = await writer.write(context, (transaction) => changePlan(transaction, code, input, ifMatch));
      await announce?.('*');
      return changed;
    },
  };
}
