/** Projections of a table follow one another, from asking on: what was read earlier is never written later. */
import { sql, type Queryable } from '../../../platform/database/database.ts';

/** Waits for whoever projects into the table, and keeps others waiting until the transaction ends. */
export async function lockProjection(transaction: Queryable, table: 'prospect' | 'open_opportunity'): Promise<void> {
  await transaction.query(
    sql`/* scouting.oneProjection */ select pg_advisory_xact_lock(hashtextextended(${`scouting.${table}`}, 0))`,
  );
}
