/** Nested lists: one statement reads a page for each of many parents. */
import { Problem } from '../../schema/errors.ts';
import { fingerprintOf, type CursorCodec } from './cursor.ts';
import { join, raw, sql, type Queryable, type Sql } from '../database/database.ts';
import { pageOf, type Page, type PageArguments, type Sort } from './page.ts';

/** A parent and the requested page of its rows. */
export interface PageKey extends PageArguments {
  readonly owner: string;
}

export interface NestedList<Row> {
  readonly name: string;
  readonly columns: Sql;
  readonly table: string;
  /** The column with the parent's ID; an expression if `from` joins tables. */
  readonly owner: string | Sql;
  /** A condition on `owner.id` in place of `owner`, if no single column holds the parent's ID. */
  readonly owned?: Sql;
  /** A from clause, if the list reads more than the table. */
  readonly from?: Sql;
  /** The ID that breaks ties; default: the table's ID. */
  readonly id?: Sql;
  readonly where: readonly Sql[];
  readonly sort: Sort<Row>;
}

/** Keys with the same arguments share a statement, as do all keys of one GraphQL field. Throws Problem cursor_invalid (400). */
export async function readPages<Row extends { id: string }>(
  database: Queryable,
  codec: CursorCodec,
  list: NestedList<Row>,
  keys: readonly PageKey[],
): Promise<Page<Row>[]> {
  const pages = new Map<PageKey, Page<Row>>();
  const page = ({ owner, first, after }: PageKey, rows: readonly Row[]): Page<Row> =>
    pageOf(codec, list.sort, fingerprintOf(list.name, owner, null), { first, after }, rows);
  const groups = Map.groupBy(keys, ({ first, after }) => JSON.stringify([first, after ?? null]));
  await Promise.all(
    [...groups.values()].map(async (group) => {
      const [{ first, after } = { first: 0, after: null }] = group;
      if (after && group.length > 1)
        throw new Problem('cursor_invalid', 'A cursor belongs to one list. Request the next page of each parent separately.');
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
  return database.query(
    sql`${raw(`/* ${list.name} */`)} select page.* from unnest(${[...new Set(owners)]}::uuid[]) as owner(id), lateral (
    select ${list.columns}, owner.id as "ownerId" from ${list.from ?? raw(list.table)} where ${join(where, ' and ')}
    order by ${column} ${raw(direction)}, ${id} ${raw(direction)} limit ${first + 1}) page`,
    'PAGE',
  );
}
