/** Openings of an opportunity. They change under the row lock of the opportunity, so concurrent applications cannot fill one twice. */
import { sql } from '../../../platform/database/database.ts';
import { changeRow, resourceNotFound } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { statusForOpenings } from './lifecycle.ts';
import { opportunities, opportunityResource, type OpportunityRow } from './rows.ts';

/**
 * Locks the opportunity of an application. Every transaction locks the opportunity before its applications, which prevents deadlocks.
 * Transactions in mode READ do not block each other. Throws Problem not_found (404).
 */
export async function lockOpportunity(
  transaction: WriteTransaction,
  id: string,
  mode: 'READ' | 'CHANGE',
): Promise<OpportunityRow> {
  const lock = mode === 'READ' ? sql`for share` : sql`for update`;
  const [row] = await transaction.query<OpportunityRow>(
    sql`/* opportunities.lock */ select ${opportunities.columns} from opportunity where id = ${id} ${lock}`,
  );
  if (!row) throw resourceNotFound('opportunity', id);
  return row;
}

/**
 * Consumes openings of a locked opportunity; a negative count releases them.
 * Throws Problem openings_exhausted (409), by the database constraint, if there are not enough.
 */
export async function consumeOpenings(
  transaction: WriteTransaction,
  row: OpportunityRow,
  count: number,
): Promise<OpportunityRow> {
  if (count === 0) return row;
  const remainingOpenings = row.remainingOpenings - count;
  const status = statusForOpenings(row.status, remainingOpenings);
  const data = { organizationId: row.organizationId };
  const note =
    status === row.status
      ? ({ action: count > 0 ? 'opening taken' : 'opening freed', event: 'opportunity.updated', data } as const)
      : ({ action: status === 'FILLED' ? 'fill' : 'free', event: 'opportunity.status_changed', data } as const);
  return changeRow(transaction, opportunityResource, row, { remainingOpenings, status }, note);
}
