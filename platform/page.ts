/** Keyset pages: every list of every area is read through this, never with OFFSET. */
import { fingerprintOf, type CursorCodec } from './cursor.ts';
import { join, raw, sql, type Queryable, type Sql } from './database.ts';

/** One sort order: a column (or expression) that is never null, its SQL type, and the direction; the id breaks ties. */
export interface Sort<Row> {
  readonly column: Sql;
  readonly type: 'timestamptz' | 'text' | 'int' | 'date' | 'numeric' | 'real';
  readonly direction: 'asc' | 'desc';
  readonly value: (row: Row) => unknown;
}

export interface PageArguments {
  readonly first: number;
  readonly after?: string | null | undefined;
}

export interface List<Row extends { id: string }> {
  /** Statement name, `area.listThings`; also binds cursors to this list. */
  readonly name: string;
  readonly columns: Sql;
  readonly from: Sql;
  /** Column of the id, where `from` joins. */
  readonly id?: Sql;
  readonly where: readonly Sql[];
  readonly sort: Sort<Row>;
  /** What the caller filtered and sorted by: a cursor is only good for the same. */
  readonly filter: unknown;
  /** Set when the reader synchronizes (updatedSince): what left the list since then comes with it. */
  readonly tombstones?: { readonly resourceType: string; readonly since: string; readonly visibleTo: Sql } | undefined;
}

export interface Tombstone {
  readonly id: string;
  readonly deleted: true;
}

/** One page, in the shape of a GraphQL connection; cursors are sealed only when asked for. */
export interface Page<Row> {
  readonly nodes: Row[];
  readonly edges: () => { readonly node: Row; readonly cursor: string }[];
  readonly tombstones: Tombstone[];
  readonly pageInfo: {
    readonly hasMore: boolean;
    readonly hasNextPage: boolean;
    readonly endCursor: () => string | null;
    readonly nextCursor: () => string | null;
  };
}

type Entry<Row> = { readonly sortValue: unknown; readonly id: string; readonly row: Row | null };

/** The rows of a list after a cursor, in the list's order, one more than asked for. */
async function readRows<Row extends { id: string }>(
  database: Queryable,
  list: List<Row>,
  first: number,
  after: readonly unknown[] | null,
): Promise<Row[]> {
  const { column, direction, type } = list.sort;
  const id = list.id ?? sql`id`;
  const where = [...list.where];
  const comparison = raw(direction === 'asc' ? '>' : '<');
  if (after) where.push(sql`(${column}, ${id}) ${comparison} (${after[0]}::${raw(type)}, ${after[1]}::uuid)`);
  return database.query<Row>(sql`${raw(`/* ${list.name} */`)} select ${list.columns} from ${list.from} ${where.length > 0 ? sql`where ${join(where, ' and ')}` : sql``}
    order by ${column} ${raw(direction)}, ${id} ${raw(direction)} limit ${first + 1}`);
}

async function readTombstones(
  database: Queryable,
  list: { name: string; tombstones: NonNullable<List<{ id: string }>['tombstones']> },
  first: number,
  after: readonly unknown[] | null,
): Promise<{ id: string; at: string }[]> {
  const { resourceType, since, visibleTo } = list.tombstones;
  return database.query(sql`${raw(`/* ${list.name}Tombstones */`)} select resource_id as id, at from tombstone
    where resource_type = ${resourceType} and at >= ${since}::timestamptz and ${visibleTo}
      and ${after ? sql`(at, resource_id) > (${after[0]}::timestamptz, ${after[1]}::uuid)` : sql`true`}
    order by at, resource_id limit ${first + 1}`);
}

/** Reads one page. Throws Problem cursor_invalid (400). */
export async function readPage<Row extends { id: string }>(
  database: Queryable,
  codec: CursorCodec,
  list: List<Row>,
  { first, after }: PageArguments,
): Promise<Page<Row>> {
  const fingerprint = fingerprintOf(list.name, list.filter, null);
  const position = after ? codec.open(after, fingerprint) : null;
  const [rows, gone] = await Promise.all([
    readRows(database, list, first, position),
    list.tombstones ? readTombstones(database, { name: list.name, tombstones: list.tombstones }, first, position) : [],
  ]);
  let entries: Entry<Row>[] = rows.map((row) => ({ sortValue: list.sort.value(row), id: row.id, row }));
  if (gone.length > 0) {
    // Both come in order of time and id; the page is their merge.
    const key = (entry: Entry<Row>): string => `${String(entry.sortValue)} ${entry.id}`;
    entries = [...entries, ...gone.map(({ id, at }) => ({ sortValue: at, id, row: null }))].sort((a, b) =>
      key(a) < key(b) ? -1 : 1,
    );
  }
  const hasMore = entries.length > first;
  const page = hasMore ? entries.slice(0, first) : entries;
  const seal = (entry: Entry<Row>): string => codec.seal([entry.sortValue, entry.id], fingerprint);
  const last = page.at(-1);
  return {
    nodes: page.flatMap(({ row }) => (row ? [row] : [])),
    tombstones: page.flatMap(({ row, id }) => (row ? [] : [{ id, deleted: true as const }])),
    edges: () => page.flatMap((entry) => (entry.row ? [{ node: entry.row, cursor: seal(entry) }] : [])),
    pageInfo: {
      hasMore,
      hasNextPage: hasMore,
      endCursor: () => (last ? seal(last) : null),
      nextCursor: () => (hasMore && last ? seal(last) : null),
    },
  };
}
