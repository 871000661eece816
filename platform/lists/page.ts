/** Keyset pagination for all lists; there is no OFFSET. */
import { Problem } from '../../schema/errors.ts';
import { fingerprintOf, type CursorCodec } from './cursor.ts';
import { join, raw, sql, type Queryable, type Sql } from '../database/database.ts';
import { columnName, type Table } from '../database/table.ts';
import { readRows } from './list-rows.ts';

/** A sort order: a column or expression that is never null, its SQL type and the direction; the ID breaks ties. */
export interface Sort<Row> {
  readonly column: Sql;
  readonly type: 'timestamptz' | 'text' | 'int' | 'date' | 'numeric' | 'real';
  readonly direction: 'asc' | 'desc';
  readonly value: (row: Row) => unknown;
  /** Column of the ID, if the sort column belongs to another table than the list. */
  readonly id?: Sql;
}

/** Sorts by a column of the row's own table; texts in language order. */
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
  /** Statement name, `area.listThings`; cursors are bound to it. */
  readonly name: string;
  readonly columns: Sql;
  readonly from: Sql;
  /** Column of the ID, if `from` joins tables. */
  readonly id?: Sql;
  readonly where: readonly Sql[];
  /**
   * Conditions of disjoint parts of the list, if an index provides the order of each part but not that of the list: each part has its own
   * index walk, and the first rows of all parts are merged.
   */
  readonly parts?: readonly Sql[];
  readonly sort: Sort<Row>;
  /** The filters and sort order of the request: cursors are bound to them. */
  readonly filter: unknown;
  /** Set for a synchronizing client (updatedSince); rows are then in the order of updatedAt. */
  readonly changes?: Changes | undefined;
}

/** Changes since a time: rows, and tombstones of rows that left the list. */
export interface Changes {
  /** Resource type of the tombstones. */
  readonly resourceType: string;
  readonly since: string;
  /** Condition on the tombstones that are visible to the viewer. */
  readonly visibleTo: Sql;
  /** Column with the time of the change. */
  readonly updatedAt: Sql;
}

export interface Tombstone {
  readonly id: string;
  readonly deleted: true;
}

/** One page in the form of a GraphQL connection. Cursors are created only when selected. */
export interface Page<Row> {
  readonly nodes: Row[];
  readonly edges: () => { readonly node: Row; readonly cursor: string }[];
  readonly tombstones: Tombstone[];
  readonly pageInfo: {
    readonly hasMore: boolean;
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: () => string | null;
    readonly endCursor: () => string | null;
    readonly nextCursor: () => string | null;
    /** The next `updatedSince`: all changes before this time are on this page or an earlier one. */
    readonly updatedUntil: string | null;
  };
}

/** Page members that are functions, called only when selected. */
export const lazyMembers: ReadonlySet<string> = new Set(['edges', 'startCursor', 'endCursor', 'nextCursor']);

/** A row or a tombstone at its position in the order. */
interface Entry<Row> {
  readonly id: string;
  readonly at: unknown;
  readonly row: Row | null;
}

/**
 * The time up to which changes are complete: the start of the oldest running transaction. It writes times after its start (table.ts) and may
 * commit after later changes were read. Read before the rows, because a separate statement has an older snapshot.
 */
async function readHorizon(database: Queryable): Promise<{ until: string; now: string }> {
  // pg_stat_activity shows a role its own sessions, and only the area's role writes its tables
  const [row] = await database.query<{ until: string; now: string }>(sql`/* page.horizon */
    select date_trunc('milliseconds', min(xact_start)) as until, statement_timestamp() as now from pg_stat_activity
    where usename = current_user and datname = current_database()`);
  if (!row) throw new Error('pg_stat_activity returned no session');
  return row;
}

/** Tolerance for a client clock that is ahead. */
const aheadMaxMs = 60_000;

function rejectFuture(since: string, now: string): void {
  if (Date.parse(since) <= Date.parse(now) + aheadMaxMs) return;
  const detail = `The time is in the future. The server's time is ${now}.`;
  throw new Problem('parameter_invalid', '`updatedSince` must not be in the future.', {
    errors: [{ parameter: 'updatedSince', code: 'out_of_range', detail }],
  });
}

/** Tombstones of rows that left the list. A row that is hidden from others is still in its owner's list and has no tombstone there. */
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
  { first, after }: PageArguments,
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
      hasPreviousPage: isContinued(after),
      startCursor: () => (page[0] ? seal(page[0]) : null),
      endCursor: () => (last ? seal(last) : null),
      nextCursor: () => (hasMore && last ? seal(last) : null),
      updatedUntil: hasMore ? null : until,
    },
  };
}

const entriesOf = <Row extends { id: string }>(rows: readonly Row[], sort: Sort<Row>): Entry<Row>[] =>
  rows.map((row) => ({ id: row.id, at: sort.value(row), row }));

/** Whether a page continues a list after a cursor; readers treat an empty cursor as none. */
const isContinued = (after: PageArguments['after']): boolean => after !== undefined && after !== null && after !== '';

/** The page of sorted rows, of which there is one more than `first` if there is a next page. */
export function pageOf<Row extends { id: string }>(
  codec: CursorCodec,
  sort: Sort<Row>,
  fingerprint: string,
  page: PageArguments,
  rows: readonly Row[],
): Page<Row> {
  return pageOfEntries(codec, fingerprint, page, entriesOf(rows, sort), null);
}

/** The same page with each row replaced. */
export function withNodes<Row, Other>(page: Page<Row>, nodes: readonly Other[]): Page<Other> {
  const edges = () =>
    page.edges().flatMap(({ cursor }, index) => nodes.slice(index, index + 1).map((node) => ({ cursor, node })));
  return { ...page, nodes: [...nodes], edges };
}

/** The rows of a page that the viewer can read. The cursors stay valid, so a page can have fewer rows than requested. */
export const filterPage = <Row>(page: Page<Row>, isReadable: (row: Row) => boolean): Page<Row> => ({
  ...page,
  nodes: page.nodes.filter(isReadable),
  edges: () => page.edges().filter(({ node }) => isReadable(node)),
});

/** An empty page, for viewers without access. */
export function emptyPage(after?: PageArguments['after']): Page<never> {
  const none = () => null;
  return {
    nodes: [],
    tombstones: [],
    edges: () => [],
    pageInfo: {
      hasMore: false,
      hasNextPage: false,
      hasPreviousPage: isContinued(after),
      startCursor: none,
      endCursor: none,
      nextCursor: none,
      updatedUntil: null,
    },
  };
}

/** Reads one page. Throws Problem cursor_invalid (400), or parameter_invalid (400) for changes since a time in the future. */
export async function readPage<Row extends { id: string }>(
  database: Queryable,
  codec: CursorCodec,
  list: List<Row>,
  { first, after }: PageArguments,
): Promise<Page<Row>> {
  const { name, sort, changes } = list;
  const fingerprint = fingerprintOf(name, list.filter, null);
  const position = after ? codec.open(after, fingerprint) : null;
  if (!changes) return pageOf(codec, sort, fingerprint, { first, after }, await readRows(database, list, first, position));
  const { until, now } = await readHorizon(database);
  rejectFuture(changes.since, now);
  const where = [
    ...list.where,
    sql`${changes.updatedAt} >= ${changes.since}::timestamptz and ${changes.updatedAt} < ${until}::timestamptz`,
  ];
  const [rows, gone] = await Promise.all([
    readRows(database, { ...list, where }, first, position),
    readTombstones(database, list, changes, until, first, position),
  ]);
  // both are sorted by time and ID: merge them
  const key = ({ at, id }: Entry<Row>): string => `${String(at)} ${id}`;
  const entries = [...entriesOf(rows, sort), ...gone.map(({ id, at }) => ({ id, at, row: null }))];
  entries.sort((a, b) => (key(a) < key(b) ? -1 : 1));
  // A client that is ahead of the oldest transaction keeps its time; a client with a time in the future gets the current horizon.
  const since = Date.parse(changes.since);
  const reached = since > Date.parse(until) && since <= Date.parse(now) ? changes.since : until;
  return pageOfEntries(codec, fingerprint, { first, after }, entries, reached);
}
