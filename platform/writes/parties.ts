/** Resources between two accounts, such as an application: either party can act on them. */
import { Problem } from '../../schema/errors.ts';
import { resourceNames } from '../../schema/resource-names.ts';
import { lockRow, resourceNotFound, type Resource, type ResourceRow } from './resource.ts';
import type { WriteTransaction } from './write.ts';

/**
 * Locks a row for one of its two parties.
 * Throws Problem not_found (404) if the row does not exist or is not visible to the viewer, not_owner (403) for all other accounts.
 */
export async function lockAsParty<Row extends ResourceRow>(
  transaction: WriteTransaction,
  resource: Resource<Row>,
  id: string,
  isParty: (row: Row) => boolean,
): Promise<Row> {
  const row = await lockRow(transaction, resource, id);
  if (isParty(row)) return row;
  if (resource.isPublic(row))
    throw new Problem('not_owner', `Your account is not a party to this ${resourceNames[resource.type]}.`);
  throw resourceNotFound(resource.type, id);
}
