/** Finds resources by name, best match first, for the search over all areas. */
import { join, raw, sql, type Queryable, type Sql } from '../database/database.ts';
import { bestFirst, matchesWords, startOf, startsWith } from './search.ts';

export interface NameSearch {
  readonly q: string;
  readonly first: number;
}

interface NamedTable {
  /** With a column `search`, the folded names, and an index on its start (startOf). */
  readonly table: string;
  /** Column or expression of the name and of the list of sports. */
  readonly name: Sql;
  readonly sports: Sql;
  /** Conditions, including the visibility of the rows. */
  readonly where: readonly Sql[];
}

/** Matches that are ranked, of names that start with the text and of others: `club` is a word of every second name. */
const rankedMax = 500;

/** Reads the best matches: `id`, `name`, `sports` and `country`. Ranks at most 1,000, and all names that equal the text are among them. */
export function findByName<Row extends object>(
  database: Queryable,
  { table, name, sports, where }: NamedTable,
  { q, first }: NameSearch,
): Promise<Row[]> {
  const named = raw(table);
  const search = sql`${named}.search`;
  const matches = (condition: Sql): Sql =>
    sql`select ${named}.id, ${name} as name, ${sports} as sports, ${named}.country, ${search} from ${named}
      where ${join([...where, condition], ' and ')}`;
  return database.query<Row>(sql`/* names.find */ with found as materialized (
      (${matches(startsWith(search, q))} order by ${startOf(search)} limit ${rankedMax})
      union (${matches(matchesWords(search, q))} limit ${rankedMax}))
    select id, name, sports, country from found order by ${bestFirst(sql`found.search`, q)}, id limit ${first}`);
}
