/** What is between two accounts: who is one of its sides. */
import { Problem } from '../../schema/errors.ts';
import { lockRow, type Resource, type ResourceRow } from './resource.ts';
import type { WriteTransaction } from './write.ts';

/** Locks a row for one of its sides. Throws Problem not_found (404; also for what others may not even know), or not_owner (403) for others. */
export async function lockAsParty<Row extends ResourceRow>(
  transaction: WriteTransaction,
  resource: Resource<Row>,
  id: string,
  isSide: (row: Row) => boolean,
): Promise<Row> {
  const row = await lockRow(transaction, resource, id);
  if (isSide(row)) return row;
  if (resource.isPublic(row)) throw new Problem('not_owner', `This ${resource.type} is between other accounts.`);
  throw new Problem('not_found', `There is no ${resource.type} with the id ${id}.`);
}
