/** Destroys what writes have left of resources beside their rows: nobody is to find a person there who was erased, or is deleted. */
import { sql, type Queryable } from '../database/database.ts';

/** Empties what history told of resources; that something happened stays, and who did it. */
export async function eraseHistory(transaction: Queryable, resourceType: string, ids: readonly string[]): Promise<void> {
  await transaction.query(sql`/* forget.history */ update history set changes = '{}', reason = null
    where resource_type = ${resourceType} and resource_id = any(${[...ids]}::uuid[]) and (changes <> '{}' or reason is not null)`);
}

/**
 * Deletes the external ids of resources, and empties what their history and events told of them; that something happened stays. Remembered
 * answers of batches tell nothing of them: a fault names the place of a text that was sent, never the text. Called after the writes of the
 * same transaction are flushed.
 */
export async function eraseTraces(transaction: Queryable, resourceType: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const which = sql`resource_type = ${resourceType} and resource_id = any(${[...ids]}::uuid[])`;
  await transaction.query(sql`/* forget.externalIds */ delete from external_id where ${which}`);
  await eraseHistory(transaction, resourceType, ids);
  await transaction.query(sql`/* forget.events */ update outbox set data = data - 'reason' where ${which} and data ? 'reason'`);
}
