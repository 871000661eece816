/** The statement of a list page. */
import { join, raw, sql, type Queryable, type Sql } from '../database/database.ts';
import type { List } from './page.ts';

/** The rows after a cursor in the list's order, one more than requested. */
export async function readRows<Row extends { id: string }>(
  database: Queryable,
  list: List<Row>,
  first: number,
  after: readonly unknown[] | null,
): Promise<Row[]> {
  const { column, direction, type } = list.sort;
  const id = list.sort.id ?? list.id ?? sql`id`;
  const where = [...list.where];
  const comparison = raw(direction === 'asc' ? '>' : '<');
  if (after) where.push(sql`(${column}, ${id}) ${comparison} (${after[0]}::${raw(type)}, ${after[1]}::uuid)`);
  const ordered = (columns: Sql, conditions: readonly Sql[]): Sql =>
    sql`select ${columns} from ${list.from} ${conditions.length > 0 ? sql`where ${join(conditions, ' and ')}` : sql``}
    order by ${column} ${raw(direction)}, ${id} ${raw(direction)} limit ${first + 1}`;
  const walks = list.parts?.map((part) => sql`(${ordered(id, [part, ...where])})`) ?? [];
  const conditions = walks.length === 0 ? where : [sql`${id} = any(array(${join(walks, ' union all ')}))`];
  return database.query<Row>(sql`${raw(`/* ${list.name} */`)} ${ordered(list.columns, conditions)}`, 'PAGE');
}
