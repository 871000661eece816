/** Locks rows of an account that the viewer manages. */
import type { Queryable } from '../../../platform/database/database.ts';
import type { Snapshot } from '../../../platform/writes/change.ts';
import { resourceNotFound } from '../../../platform/writes/resource.ts';
import { hasFullAccess, owns, type Viewer } from '../../../schema/viewer.ts';
import type { RecordedRows } from '../recorded-rows.ts';

/** Locks a row of the viewer's account, or of any account for administrators. Throws Problem not_found (404), also for rows of other accounts. */
export async function lockVisible<Row extends Snapshot>(
  transaction: Queryable,
  rows: RecordedRows<Row>,
  viewer: Viewer,
  id: string,
): Promise<Row> {
  const row = await rows.lock(transaction, id);
  if (owns(viewer, row.accountId) || hasFullAccess(viewer)) return row;
  throw resourceNotFound(rows.type, id);
}
