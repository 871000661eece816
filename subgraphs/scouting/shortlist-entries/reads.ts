/** SQL reads of shortlist entries. An account can read its entries regardless of the visibility of the athlete. */
import { owns, hasFullAccess, readsMinors, type Viewer } from '../../../schema/viewer.ts';
import { sql, type Sql } from '../../../platform/database/database.ts';
import { inOrder } from '../../../platform/database/table.ts';
import { readList, type ListServices } from '../../../platform/lists/list.ts';
import { readPages, type PageKey } from '../../../platform/lists/nested-pages.ts';
import { sortBy, type Sort } from '../../../platform/lists/page.ts';
import { externalIdsOf, type ExternalId } from '../../../platform/writes/external-id.ts';
import { createAdministratorReads } from '../../clients/administrator-reads.ts';
import type { BatchRead, Context } from '../../runtime/subgraph.ts';
import type { QueryShortlistEntriesArgs, ShortlistEntrySort } from '../generated/resolvers.ts';
import type { ShortlistReads } from '../shortlists/reads.ts';
import { createMoveReads } from './moves.ts';
import { entries, entryResource, type ShortlistEntryPage, type ShortlistEntryRow } from './rows.ts';

const newestFirst = sortBy(entries, 'createdAt', 'timestamptz', 'desc');

const priorities = ['LOW', 'MEDIUM', 'HIGH'];

const sorts: Readonly<Record<ShortlistEntrySort, Sort<ShortlistEntryRow>>> = {
  CREATED_AT_DESC: newestFirst,
  CREATED_AT_ASC: sortBy(entries, 'createdAt', 'timestamptz', 'asc'),
  UPDATED_AT_DESC: sortBy(entries, 'updatedAt', 'timestamptz', 'desc'),
  UPDATED_AT_ASC: sortBy(entries, 'updatedAt', 'timestamptz', 'asc'),
  PRIORITY_DESC: {
    // repeats the expression of the index word for word
    column: sql`array_position('{LOW,MEDIUM,HIGH}'::text[], shortlist_entry.priority)`,
    type: 'int',
    direction: 'desc',
    value: ({ priority }) => priorities.indexOf(priority) + 1,
  },
};

const administratorReads = createAdministratorReads<Pick<ShortlistEntryRow, 'athleteId'>>('SCOUTING', ({ athleteId }) => [
  athleteId,
]);

/** Administrators of a role that does not read minors. */
const readsAdultsOnly = (viewer: Viewer): boolean => hasFullAccess(viewer) && !readsMinors(viewer);

/** Entries can be about minors, so `notes.minor` prevents caching of every response with one. */
export function createShortlistEntryReads({ database, cursors }: ListServices, shortlists: ShortlistReads) {
  const byId: BatchRead<string, ShortlistEntryRow | null> = async (ids, context) => {
    const { viewer, notes } = context;
    notes.minor = true;
    const rows = await database.query<ShortlistEntryRow>(
      sql`/* shortlistEntries.byIds */ select ${entries.columns} from shortlist_entry where id = any(${[...ids]}::uuid[])`,
      'PAGE',
    );
    const visible = rows.filter(({ accountId }) => owns(viewer, accountId) || hasFullAccess(viewer));
    return inOrder(ids, await administratorReads.rows(context, visible), (row) => row.id);
  };

  /** Pages of shortlists that the viewer has already been authorized for. */
  const pagesOfShortlists: BatchRead<PageKey, ShortlistEntryPage> = async (keys, context) => {
    context.notes.minor = true;
    const list = { name: 'shortlistEntries.ofShortlists', columns: entries.columns, table: 'shortlist_entry' };
    const pages = await readPages(database, cursors, { ...list, owner: 'shortlist_id', where: [], sort: newestFirst }, keys);
    return administratorReads.pages(context, pages);
  };

  /** The number of shortlists that contain each athlete. */
  const counts: BatchRead<string, number> = async (athleteIds) => {
    const rows = await database.query<{ id: string; count: number }>(sql`/* shortlistEntries.counts */
      select athlete_id as id, count(*) as count from shortlist_entry where athlete_id = any(${[...athleteIds]}::uuid[]) group by athlete_id`);
    const byAthlete = new Map(rows.map(({ id, count }) => [id, count]));
    return athleteIds.map((id) => byAthlete.get(id) ?? 0);
  };

  /** The number of entries of each shortlist without those about minors. */
  async function readableSizes(context: Context, shortlistIds: readonly string[]): Promise<number[]> {
    const rows = await database.query<{ shortlistId: string; athleteId: string }>(sql`/* shortlistEntries.athletes */
      select shortlist_id as "shortlistId", athlete_id as "athleteId" from shortlist_entry where shortlist_id = any(${[...shortlistIds]}::uuid[])`);
    const byShortlist = Map.groupBy(await administratorReads.rows(context, rows), ({ shortlistId }) => shortlistId);
    return shortlistIds.map((id) => byShortlist.get(id)?.length ?? 0);
  }

  /** The number of entries of each shortlist. */
  const sizes: BatchRead<string, number> = async (shortlistIds, context) => {
    if (readsAdultsOnly(context.viewer)) return readableSizes(context, shortlistIds);
    const rows = await database.query<{ id: string; size: number }>(sql`/* shortlistEntries.sizes */
      select shortlist_id as id, count(*)::int as size from shortlist_entry where shortlist_id = any(${[...shortlistIds]}::uuid[]) group by shortlist_id`);
    const byShortlist = new Map(rows.map(({ id, size }) => [id, size]));
    return shortlistIds.map((id) => byShortlist.get(id) ?? 0);
  };

  const externalIds: BatchRead<string, ExternalId[]> = (ids) => externalIdsOf(database, entryResource.type, ids);

  /** An entry of a shortlist. Null if the viewer cannot read it or it is on another shortlist. */
  async function one({ load }: Context, shortlistId: string, id: string): Promise<ShortlistEntryRow | null> {
    const row = await load(byId, id);
    return row?.shortlistId === shortlistId ? row : null;
  }

  /** The entries of a shortlist. Null if the viewer cannot read the shortlist. */
  async function list(context: Context, { shortlistId, ...args }: QueryShortlistEntriesArgs): Promise<ShortlistEntryPage | null> {
    if (!(await context.load(shortlists.byId, shortlistId))) return null;
    context.notes.minor = true;
    const { stage, priority } = args.filter ?? {};
    const where: Sql[] = [sql`shortlist_entry.shortlist_id = ${shortlistId}`];
    if (stage) where.push(sql`shortlist_entry.stage = any(${stage})`);
    if (priority) where.push(sql`shortlist_entry.priority = any(${priority})`);
    const sort = args.sort ?? 'CREATED_AT_DESC';
    const order = `${shortlistId} ${sort}`;
    const description = { name: 'shortlistEntries.list', resource: entryResource, where, sort: sorts[sort], order };
    const filter = { ...args.filter, mine: true };
    const page = await readList({ database, cursors }, description, context.viewer, { ...args, filter });
    return administratorReads.page(context, page);
  }

  return { byId, one, list, pagesOfShortlists, counts, sizes, externalIds, moves: createMoveReads({ database }) };
}

export type ShortlistEntryReads = ReturnType<typeof createShortlistEntryReads>;
