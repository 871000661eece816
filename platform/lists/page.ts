/** Keyset pages: every list of every area is read through this, never with OFFSET. */
import { Problem } from '../../schema/errors.ts';
import { fingerprintOf, type CursorCodec } from './cursor.ts';
import { join, raw, sql, type Queryable, type Sql } from '../database/database.ts';
import { columnName, type Table } from '../database/table.ts';

/** One sort order: a column (or expression) that is never null, its SQL type, and the direction; the id breaks ties. */
export interface Sort<Row> {
  readonly column: Sql;
  readonly type: 'timestamptz' | 'text' | 'int' | 'date' | 'numeric' | 'real';
  readonly direction: 'asc' | 'desc';
  readonly value: (row: Row) => unknown;
  /** Column of the id, where the order is that of another table than the list's. */
  readonly id?: Sql;
}

/** The sort by a column of the row's own table; texts in the order of languages. */
export function sortBy<Row>(
  of: Table<Row>,
  field: keyof Row & string,
  type: Sort<Row>['type'],
  direction: Sort<Row>['direction'],
): Sort<Row> {
  const column = raw(`${of.name}.${columnName(field)}${type === 'text' ? ' collate "und-x-icu"' : ''}`);
  return { column, type, direction, value: (row) => row[field] };
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
  /** Set when the reader synchronizes (updatedSince), in the order of updatedAt. */
  readonly changes?: Changes | undefined;
}

/** What changed from a time on: rows, and tombstones of what left the list. */
export interface Changes {
  /** Tombstones are of this type. */
  readonly resourceType: string;
  readonly since: string;
  /** Which tombstones the reader may see. */
  readonly visibleTo: Sql;
  /** Column of the time of change. */
  readonly updatedAt: Sql;
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
    /** Where the reader of changes goes on: all that changed before this time is on this page or on earlier ones. */
    readonly updatedUntil: string | null;
  };
}

/** Members of pages that are functions, called when they are asked for. */
export const lazyMembers: ReadonlySet<string> = new Set(['edges', 'endCursor', 'nextCursor']);

/** A row of a page, or the tombstone of one, at its place in the order. */
interface Entry<Row> {
  readonly id: string;
  readonly at: unknown;
  readonly row: Row | null;
}

/** The rows of a list after a cursor, in the list's order, one more than asked for. */
async function readRows<Row extends { id: string }>(
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
  return database.query<Row>(sql`${raw(`/* ${list.name} */`)} select ${list.columns} from ${list.from} ${where.length > 0 ? sql`where ${join(where, ' and ')}` : sql``}
    order by ${column} ${raw(direction)}, ${id} ${raw(direction)} limit ${first + 1}`);
}

/**
 * The time up to which changes can be told: the start of the oldest transaction that still runs. What it writes bears times after
 * its start (table.ts) and may be committed after later changes were read. Read before the rows: a statement of its own has an older snapshot.
 */
async function readHorizon(database: Queryable): Promise<{ until: string; now: string }> {
  // A role sees the sessions of its own, and only an area's role writes its tables.
  const [row] = await database.query<{ until: string; now: string }>(sql`/* page.horizon */
    select date_trunc('milliseconds', min(xact_start)) as until, statement_timestamp() as now from pg_stat_activity
    where usename = current_user and datname = current_database()`);
  if (!row) throw new Error('PostgreSQL counts no session, not even this one');
  return row;
}

/** How far a clock of a reader may be ahead of ours, in milliseconds. */
const aheadMax = 60_000;

function refuseFuture(since: string, now: string): void {
  if (Date.parse(since) <= Date.parse(now) + aheadMax) return;
  const detail = `It lies in the future: here it is ${now}.`;
  throw new Problem('parameter_invalid', 'Nothing can have changed since a time that lies in the future.', {
    errors: [{ parameter: 'updatedSince', code: 'out_of_range', detail }],
  });
}

/** What left the list; not what only others lost sight of: the owner of a hidden row still has it in the list. */
async function readTombstones(
  database: Queryable,
  { name, from, id, where }: Pick<List<{ id: string }>, 'name' | 'from' | 'id' | 'where'>,
  { resourceType, since, visibleTo }: Changes,
  until: string,
  first: number,
  after: readonly unknown[] | null,
): Promise<{ id: string; at: string }[]> {
  return database.query(sql`${raw(`/* ${name}Tombstones */`)} select resource_id as id, at from tombstone
    where resource_type = ${resourceType} and at >= ${since}::timestamptz and at < ${until}::timestamptz and ${visibleTo}
      and not exists (select from ${from} where ${join([sql`${id ?? sql`id`} = tombstone.resource_id`, ...where], ' and ')})
      and ${after ? sql`(at, resource_id) > (${after[0]}::timestamptz, ${after[1]}::uuid)` : sql`true`}
    order by at, resource_id limit ${first + 1}`);
}

function pageOfEntries<Row>(
  codec: CursorCodec,
  fingerprint: string,
  first: number,
  entries: readonly Entry<Row>[],
  until: string | null,
): Page<Row> {
  const hasMore = entries.length > first;
  const page = hasMore ? entries.slice(0, first) : entries;
  const seal = ({ at, id }: Entry<Row>): string => codec.seal([at, id], fingerprint);
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
      updatedUntil: hasMore ? null : until,
    },
  };
}

const entriesOf = <Row extends { id: string }>(rows: readonly Row[], sort: Sort<Row>): Entry<Row>[] =>
  rows.map((row) => ({ id: row.id, at: sort.value(row), row }));

/** The page of rows that are in order, one more than `first` when there are more. */
export function pageOf<Row extends { id: string }>(
  codec: CursorCodec,
  sort: Sort<Row>,
  fingerprint: string,
  first: number,
  rows: readonly Row[],
): Page<Row> {
  return pageOfEntries(codec, fingerprint, first, entriesOf(rows, sort), null);
}

/** The same page with other rows in the places of its own, one for each. */
export function withNodes<Row, Other>(page: Page<Row>, nodes: readonly Other[]): Page<Other> {
  const edges = () =>
    page.edges().flatMap(({ cursor }, index) => nodes.slice(index, index + 1).map((node) => ({ cursor, node })));
  return { ...page, nodes: [...nodes], edges };
}

/** The page of a list with nothing in it, for who may not know what is. */
export function emptyPage(): Page<never> {
  const pageInfo = { hasMore: false, hasNextPage: false, endCursor: () => null, nextCursor: () => null, updatedUntil: null };
  return { nodes: [], tombstones: [], edges: () => [], pageInfo };
}

/** Reads one page. Throws Problem cursor_invalid (400), and parameter_invalid (400) for changes since a time in the future. */
export async function readPage<Row extends { id: string }>(
  database: Queryable,
  codec: CursorCodec,
  list: List<Row>,
  { first, after }: PageArguments,
): Promise<Page<Row>> {
  const { name, sort, changes } = list;
  const fingerprint = fingerprintOf(name, list.filter, null);
  const position = after ? codec.open(after, fingerprint) : null;
  if (!changes) return pageOf(codec, sort, fingerprint, first, await readRows(database, list, first, position));
  const { until, now } = await readHorizon(database);
  refuseFuture(changes.since, now);
  const where = [
    ...list.where,
    sql`${changes.updatedAt} >= ${changes.since}::timestamptz and ${changes.updatedAt} < ${until}::timestamptz`,
  ];
  const [rows, gone] = await Promise.all([
    readRows(database, { ...list, where }, first, position),
    readTombstones(database, list, changes, until, first, position),
  ]);
  // Both come in order of time and id; the page is their merge.
  const key = ({ at, id }: Entry<Row>): string => `${String(at)} ${id}`;
  const entries = [...entriesOf(rows, sort), ...gone.map(({ id, at }) => ({ id, at, row: null }))];
  entries.sort((a, b) => (key(a) < key(b) ? -1 : 1));
  // A reader that is ahead of the oldest transaction stays where it is; one that is ahead of time comes back.
  const since = Date.parse(changes.since);
  const reached = since > Date.parse(until) && since <= Date.parse(now) ? changes.since : until;
  return pageOfEntries(codec, fingerprint, first, entries, reached);
}
