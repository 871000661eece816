/** Destroys what writes have left of resources beside their rows: nobody is to find a person there who was erased. */
import { sql, type Queryable } from './database.ts';

/**
 * Deletes the external ids of resources, and empties what their history, events and remembered batches told of them; that something
 * happened stays. Called after the writes of the same transaction are flushed.
 */
export async function forget(transaction: Queryable, resourceType: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const which = sql`resource_type = ${resourceType} and resource_id = any(${[...ids]}::uuid[])`;
  const named = await transaction.query<{ text: string }>(sql`/* forget.externalIds */
    delete from external_id where ${which} returning scheme || ':' || value as text`);
  await transaction.query(sql`/* forget.history */ update history set changes = '{}' where ${which} and changes <> '{}'`);
  await transaction.query(sql`/* forget.events */ update outbox set data = data - 'reason' where ${which} and data ? 'reason'`);
  // an answer of a batch names the external id of a conflict
  for (const { text } of named) {
    const inJson = JSON.stringify(text).slice(1, -1);
    await transaction.query(sql`/* forget.answers */ update idempotency set answer = replace(answer::text, ${inJson}, '…')::jsonb
      where answer is not null and strpos(answer::text, ${inJson}) > 0`);
  }
}
