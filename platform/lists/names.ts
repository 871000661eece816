/** Finds resources by name, best match first, for the search over all areas. */
import { join, raw, sql, type Queryable, type Sql } from '../database/database.ts';
import { bestFirst, matchesWords } from './search.ts';

export interface NameSearch {
  readonly q: string;
  readonly first: number;
}

interface NamedTable {
  /** With a column `search`, the folded names. */
  readonly table: string;
  /** Column or expression of the name and of the list of sports. */
  readonly name: Sql;
  readonly sports: Sql;
  /** Conditions, including the visibility of the rows. */
  readonly where: readonly Sql[];
}

/** Reads the best matches: `id`, `name`, `sports` and `country`. */
export function findByName<Row extends object>(
  database: Queryable,
  { table, name, sports, where }: NamedTable,
  { q, first }: NameSearch,
): Promise<Row[]> {
  const named = raw(table);
  const search = sql`${named}.search`;
  return database.query<Row>(sql`/* names.find */ select ${named}.id, ${name} as name, ${sports} as sports, ${named}.country
    from ${named} where ${join([...where, matchesWords(search, q)], ' and ')} order by ${bestFirst(search, q)}, ${named}.id limit ${first}`);
}
