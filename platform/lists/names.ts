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
  /** Expression of the list of other names that the search finds. */
  readonly otherNames: Sql;
  /** Further columns of the rows, with their names: `table.category`. */
  readonly columns?: readonly Sql[];
  /** Conditions, including the visibility of the rows. */
  readonly where: readonly Sql[];
}

/** Matches that are ranked, of names that start with the text and of others: `club` is a word of every second name. */
const rankedMax = 200;

/** The values of a column `names`. */
export const localizedNames = (column: Sql): Sql =>
  sql`array(select each.value from jsonb_to_recordset(${column}) as each(value text))`;

/**
 * Reads the best matches: `id`, `name`, `sports`, `country` and `matchedName`, the name or another one that has the words of the text, with further
 * columns. Names that start with the text come first, so others are read only if there are too few of those: they are many times as many, and
 * PostgreSQL collects all of them first. Ranks at most 400.
 */
export function findByName<Row extends object>(
  database: Queryable,
  { table, name, sports, otherNames, columns = [], where }: NamedTable,
  { q, first }: NameSearch,
): Promise<Row[]> {
  const named = raw(table);
  const search = sql`${named}.search`;
  const matches = (condition: Sql): Sql =>
    sql`select ${named}.id, ${name} as name, ${sports} as sports, ${named}.country, ${search} from ${named}
      where ${join([...where, condition], ' and ')}`;
  const matched = sql`case when ${matchesWords(sql`platform.fold(${name})`, q)} then ${name} else coalesce(
    (select other from unnest(${otherNames}) as other where ${matchesWords(sql`platform.fold(other)`, q)} limit 1), ${name}) end`;
  return database.query<Row>(sql`/* names.find */ with starting as materialized (
      ${matches(startsWith(search, q))} order by ${startOf(search)} limit ${rankedMax}),
    others as materialized (${matches(matchesWords(search, q))} and (select count(*) from starting) < ${first}::int limit ${rankedMax}),
    found as (select * from starting union select * from others),
    best as (select *, row_number() over (order by ${bestFirst(sql`found.search`, q)}, id) as place from found order by place limit ${first})
    select best.id, best.name, best.sports, best.country, ${matched} as "matchedName"${columns.length > 0 ? sql`, ${join([...columns])}` : sql``}
    from best join ${named} using (id) order by best.place`);
}
