/** Conditions that a column has one of several values. Without values, no row meets them. */
import { sql, type Sql } from './database.ts';

/** A single value uses `=`: then an index on the column and a sort order returns rows in that order, which `= any` does not. */
export function oneOf(column: Sql, values: readonly string[]): Sql {
  if (values.length === 0) return sql`false`;
  return values.length === 1 ? sql`${column} = ${values[0]}` : sql`${column} = any(${[...values]})`;
}

/** The condition that an array of ids contains one of several ids. A single id uses `@>`, whose number of rows PostgreSQL estimates better. */
export function containsOneOf(column: Sql, ids: readonly string[]): Sql {
  if (ids.length === 0) return sql`false`;
  return ids.length === 1 ? sql`${column} @> array[${ids[0]}]::uuid[]` : sql`${column} && ${[...ids]}::uuid[]`;
}
