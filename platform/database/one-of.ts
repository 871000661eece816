/** The condition that a column has one of several values. */
import { sql, type Sql } from './database.ts';

/** A single value uses `=`: then an index on the column and a sort order returns rows in that order, which `= any` does not. */
export function oneOf(column: Sql, values: readonly string[]): Sql {
  return values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} = any(${[...values]})`;
}
