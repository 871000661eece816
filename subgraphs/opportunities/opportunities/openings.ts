/** Openings of an opportunity: taken and given back under its lock, so that the database counts them and none is taken twice. */
import { sql } from '../../../platform/database/database.ts';
import { changeRow, resourceNotFound } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { statusForOpenings } from './lifecycle.ts';
import { opportunityResource, type OpportunityRow } from './reads.ts';

/**
 * Locks the opportunity of an application for what is done to it: always before the application itself, as whoever calls it off does. Steps that
 * only read it do not wait for each other. Throws Problem not_found (404).
 */
export async function lockOpportunity(
  transaction: WriteTransaction,
  id: string,
  mode: 'READ' | 'CHANGE',
): Promise<OpportunityRow> {
  const lock = mode === 'READ' ? sql`for share` : sql`for update`;
  const [row] = await transaction.query<OpportunityRow>(
    sql`/* opportunities.hold */ select ${opportunityResource.table.columns} from opportunity where id = ${id} ${lock}`,
  );
  if (!row) throw resourceNotFound('opportunity', id);
  return row;
}

/** Takes so many openings of a locked opportunity (fewer than none: gives them back). Throws openings_exhausted (409) by its constraint. */
export async function consumeOpenings(
  transaction: WriteTransaction,
  row: OpportunityRow,
  count: number,
): Promise<OpportunityRow> {
  if (count === 0) return row;
  const remainingOpenings = row.remainingOpenings - count;
  const status = statusForOpenings(row.status, remainingOpenings);
  const moved = status === row.status ? (count > 0 ? 'opening taken' : 'opening freed') : status === 'FILLED' ? 'fill' : 'free';
  const event = status === row.status ? 'opportunity.updated' : 'opportunity.status_changed';
  const data = { organizationId: row.organizationId };
  return changeRow(transaction, opportunityResource, row, { remainingOpenings, status }, { action: moved, event, data });
}
