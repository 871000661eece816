/** Erases personal data that writes left outside the resource's own row, after an erasure or deletion. */
import { sql, type Queryable } from '../database/database.ts';

/** Removes values and reasons from the history of resources. The entries remain: action, actor, time, and the hash of what was removed. */
export async function eraseHistory(transaction: Queryable, resourceType: string, ids: readonly string[]): Promise<void> {
  await transaction.query(sql`/* eraseTraces.history */ select erase_history(${resourceType}, ${[...ids]}::uuid[])`);
}

/**
 * Deletes the external IDs of resources and removes personal data from their history and events. Remembered responses of batches need no
 * erasure: an error names the position of a submitted value, never the value. Call it after the writes of the same transaction are flushed.
 */
export async function eraseTraces(transaction: Queryable, resourceType: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const which = sql`resource_type = ${resourceType} and resource_id = any(${[...ids]}::uuid[])`;
  await transaction.query(sql`/* eraseTraces.externalIds */ delete from external_id where ${which}`);
  await eraseHistory(transaction, resourceType, ids);
  await transaction.query(
    sql`/* eraseTraces.events */ update outbox set data = data - 'reason' where ${which} and data ? 'reason'`,
  );
}
