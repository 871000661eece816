/** Pages of many owners in one statement: a nested list costs one statement for all parents, not one for each. */
import { Problem } from '../../schema/errors.ts';
import { fingerprintOf, type CursorCodec } from './cursor.ts';
import { join, raw, sql, type Queryable, type Sql } from '../database/database.ts';
import { pageOf, type Page, type PageArguments, type Sort } from './page.ts';

/** One owner and the page of its rows that is wanted. */
export interface PageKey extends PageArguments {
  readonly owner: string;
}

export interface NestedList<Row> {
  readonly name: string;
  readonly columns: Sql;
  readonly table: string;
  /** The column that names the owner; an expression where `from` joins. */
  readonly owner: string | Sql;
  /** Whether a row is the owner's, where it is not one column that says so: a condition on `owner.id`, in place of `owner`. */
  readonly owned?: Sql;
  /** Where more than the table itself is read. */
  readonly from?: Sql;
  /** The id that breaks ties, where it is not the table's. */
  readonly id?: Sql;
  readonly where: readonly Sql[];
  readonly sort: Sort<Row>;
}

/** Keys with the same arguments share a statement; in practice all keys of one GraphQL field do. Throws Problem cursor_invalid (400). */
export async function readPages<Row extends { id: string }>(
  database: Queryable,
  codec: CursorCodec,
  list: NestedList<Row>,
  keys: readonly PageKey[],
): Promise<Page<Row>[]> {
  const pages = new Map<PageKey, Page<Row>>();
  const page = ({ owner, first }: PageKey, rows: readonly Row[]): Page<Row> =>
    pageOf(codec, list.sort, fingerprintOf(list.name, owner, null), first, rows);
  const groups = Map.groupBy(keys, ({ first, after }) => JSON.stringify([first, after ?? null]));
  await Promise.all(
    [...groups.values()].map(async (group) => {
      const [{ first, after } = { first: 0, after: null }] = group;
      if (after && group.length > 1)
        throw new Problem('cursor_invalid', 'A cursor belongs to one list: ask for the next page of each parent by itself.');
      const rows = await readGroup(
        database,
        codec,
        list,
        group.map((key) => key.owner),
        first,
        after ?? null,
      );
      const byOwner = Map.groupBy(rows, (row) => row.ownerId);
      for (const key of group) pages.set(key, page(key, byOwner.get(key.owner) ?? []));
    }),
  );
  return keys.map((key) => pages.get(key) ?? page(key, []));
}

function readGroup<Row>(
  database: Queryable,
  codec: CursorCodec,
  list: NestedList<Row>,
  owners: readonly string[],
  first: number,
  after: string | null,
): Promise<(Row & { ownerId: string })[]> {
  const { column, direction, type } = list.sort;
  const id = list.id ?? raw(`${list.table}.id`);
  const ownerColumn = typeof list.owner === 'string' ? raw(`${list.table}.${list.owner}`) : list.owner;
  const position = after ? codec.open(after, fingerprintOf(list.name, owners[0], null)) : null;
  const where = [list.owned ?? sql`${ownerColumn} = owner.id`, ...list.where];
  if (position)
    where.push(
      sql`(${column}, ${id}) ${raw(direction === 'asc' ? '>' : '<')} (${position[0]}::${raw(type)}, ${position[1]}::uuid)`,
    );
  return database.query(sql`${raw(`/* ${list.name} */`)} select page.* from unnest(${[...new Set(owners)]}::uuid[]) as owner(id), lateral (
    select ${list.columns}, owner.id as "ownerId" from ${list.from ?? raw(list.table)} where ${join(where, ' and ')}
    order by ${column} ${raw(direction)}, ${id} ${raw(direction)} limit ${first + 1}) page`);
}
