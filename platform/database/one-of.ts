/** The condition that a column holds one of some values. */
import { sql, type Sql } from './database.ts';

/** One value is asked for by `=`: an index on the column and an order gives the order then, which it does not for `= any`. */
export function oneOf(column: Sql, values: readonly string[]): Sql {
  return values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} = any(${[...values]})`;
}
