/** Serializes projections into a table, including their reads of other areas, so that older data never overwrites newer data. */
import { sql, type Queryable } from '../../../platform/database/database.ts';

/** Waits for other projections into the table, and blocks them until the transaction ends. */
export async function lockProjection(transaction: Queryable, table: 'prospect' | 'open_opportunity'): Promise<void> {
  await transaction.query(
    sql`/* scouting.lockProjection */ select pg_advisory_xact_lock(hashtextextended(${`scouting.${table}`}, 0))`,
  );
}
