/** Entries of shortlists: the SQL of their reads. What an account wrote stays its own to read, whatever becomes of the athlete's profile. */
import { sql, type Sql } from '../../../platform/database/database.ts';
import { externalIdsOf, type ExternalId } from '../../../platform/writes/external-id.ts';
import { readList, type ListServices } from '../../../platform/lists/list.ts';
import { readPages, type PageKey } from '../../../platform/lists/nested-pages.ts';
import { sortBy, type Page } from '../../../platform/lists/page.ts';
import type { Resource, ResourceRow } from '../../../platform/writes/resource.ts';
import { inOrder, table } from '../../../platform/database/table.ts';
import { owns, hasFullAccess } from '../../../schema/viewer.ts';
import type { BatchRead, Context } from '../../runtime/subgraph.ts';
import type { QueryShortlistEntriesArgs, ShortlistPriority, ShortlistStage } from '../resolvers.generated.ts';
import type { ShortlistReads } from '../shortlists/reads.ts';

export interface ShortlistEntryRow extends ResourceRow {
  readonly shortlistId: string;
  /** Whom it is about now. */
  readonly athleteId: string;
  /** The id that the account gave: of a profile that may have become one with another since. */
  readonly namedId: string;
  readonly stage: ShortlistStage;
  readonly priority: ShortlistPriority;
  readonly notes: string | null;
}

export type ShortlistEntryPage = Page<ShortlistEntryRow>;

export const entries = table<ShortlistEntryRow>('shortlist_entry', {
  id: 'plain',
  accountId: 'plain',
  version: 'plain',
  createdAt: 'plain',
  updatedAt: 'plain',
  shortlistId: 'plain',
  athleteId: 'plain',
  namedId: 'plain',
  stage: 'plain',
  priority: 'plain',
  notes: 'plain',
});

export const entryResource: Resource<ShortlistEntryRow> = {
  type: 'shortlist_entry',
  table: entries,
  created: 'shortlist_entry.created',
  updated: 'shortlist_entry.updated',
  deleted: 'shortlist_entry.deleted',
  required: ['priority'],
  isPublic: () => false,
  hasRegistryIds: false,
};

const newest = sortBy(entries, 'createdAt', 'timestamptz', 'desc');

/** Reads of entries over the area's database. A minor may be on any list: no cache keeps what is said of them. */
export function createShortlistEntryReads({ database, cursors }: ListServices, shortlists: ShortlistReads) {
  const byId: BatchRead<string, ShortlistEntryRow | null> = async (ids, { viewer, notes }) => {
    notes.minor = true;
    const rows = await database.query<ShortlistEntryRow>(
      sql`/* shortlistEntries.byIds */ select ${entries.columns} from shortlist_entry where id = any(${[...ids]}::uuid[])`,
    );
    return inOrder(
      ids,
      rows.filter(({ accountId }) => owns(viewer, accountId) || hasFullAccess(viewer)),
      (row) => row.id,
    );
  };

  /** The pages of shortlists that the viewer was shown. */
  const pagesOfShortlists: BatchRead<PageKey, ShortlistEntryPage> = (keys, { notes }) => {
    notes.minor = true;
    const list = { name: 'shortlistEntries.ofShortlists', columns: entries.columns, table: 'shortlist_entry' };
    return readPages(database, cursors, { ...list, owner: 'shortlist_id', where: [], sort: newest }, keys);
  };

  /** On how many shortlists athletes are. */
  const counts: BatchRead<string, number> = async (athleteIds) => {
    const rows = await database.query<{ id: string; count: number }>(sql`/* shortlistEntries.counts */
      select athlete_id as id, count(*) as count from shortlist_entry where athlete_id = any(${[...athleteIds]}::uuid[]) group by athlete_id`);
    const byAthlete = new Map(rows.map(({ id, count }) => [id, count]));
    return athleteIds.map((id) => byAthlete.get(id) ?? 0);
  };

  const externalIds: BatchRead<string, ExternalId[]> = (ids) => externalIdsOf(database, entryResource.type, ids);

  /** One entry of a shortlist; null when the viewer has none by that id on that list. */
  async function one({ load }: Context, shortlistId: string, id: string): Promise<ShortlistEntryRow | null> {
    const row = await load(byId, id);
    return row?.shortlistId === shortlistId ? row : null;
  }

  return {
    byId,
    one,
    pagesOfShortlists,
    counts,
    externalIds,
    /** Entries of one shortlist; null for a list that is not the viewer's. */
    async list(context: Context, { shortlistId, ...args }: QueryShortlistEntriesArgs): Promise<ShortlistEntryPage | null> {
      if (!(await context.load(shortlists.byId, shortlistId))) return null;
      context.notes.minor = true;
      const { stage, priority } = args.filter ?? {};
      const where: Sql[] = [sql`shortlist_entry.shortlist_id = ${shortlistId}`];
      if (stage) where.push(sql`shortlist_entry.stage = any(${stage})`);
      if (priority) where.push(sql`shortlist_entry.priority = any(${priority})`);
      const list = { name: 'shortlistEntries.list', resource: entryResource, where, sort: newest, order: shortlistId };
      return readList({ database, cursors }, list, context.viewer, { ...args, filter: { ...args.filter, mine: true } });
    },
  };
}

export type ShortlistEntryReads = ReturnType<typeof createShortlistEntryReads>;
