/** SQL reads of saved searches and their matches. A saved search is visible to its account and to administrators. */
import { hasFullAccess, owns, type Viewer } from '../../../schema/viewer.ts';
import { sql, type Sql } from '../../../platform/database/database.ts';
import { inOrder } from '../../../platform/database/table.ts';
import { readList, type ListServices } from '../../../platform/lists/list.ts';
import { readPage, sortBy, type Page } from '../../../platform/lists/page.ts';
import { requireAccount } from '../../../platform/writes/resource.ts';
import { visibleAthletes } from '../../clients/visible-athletes.ts';
import { visibleOpportunityIds } from '../../clients/visible-opportunities.ts';
import type { BatchRead, Context } from '../../runtime/subgraph.ts';
import type {
  QuerySavedSearchesArgs,
  QuerySavedSearchMatchesArgs,
  SavedSearchFilter,
  SavedSearchKind,
} from '../generated/resolvers.ts';
import { findVisibleAthleteIds } from '../prospects/visibility.ts';
import {
  matchColumns,
  savedSearches,
  savedSearchResource,
  type MatchRow,
  type SavedSearchMatchPage,
  type SavedSearchPage,
  type SavedSearchRow,
} from './rows.ts';

const newestFirst = sortBy(savedSearches, 'createdAt', 'timestamptz', 'desc');
const latestFirst = sortBy(matchColumns, 'matchedAt', 'timestamptz', 'desc');

/** The subjects that the viewer can read now. */
const visibleSubjects: Readonly<
  Record<SavedSearchKind, (context: Context, ids: readonly string[]) => Promise<ReadonlySet<string>>>
> = {
  ATHLETES: async (context, ids) => new Set((await visibleAthletes(context, ids)).keys()),
  PROSPECTS: findVisibleAthleteIds,
  OPPORTUNITIES: visibleOpportunityIds,
};

function conditionsOf(viewer: Viewer, { kind, shortlistId, accountId }: SavedSearchFilter): Sql[] {
  const where = hasFullAccess(viewer) ? [] : [sql`saved_search.account_id = ${requireAccount(viewer)}`];
  if (kind) where.push(sql`saved_search.kind = any(${[...kind]})`);
  if (shortlistId) where.push(sql`saved_search.shortlist_id = ${shortlistId}`);
  if (accountId) where.push(sql`saved_search.account_id = ${accountId}`);
  return where;
}

/** The matches that the viewer can read now. The cursors stay valid. */
async function withoutHidden(context: Context, kind: SavedSearchKind, page: Page<MatchRow>): Promise<SavedSearchMatchPage> {
  const visible = await visibleSubjects[kind](
    context,
    page.nodes.map(({ subjectId }) => subjectId),
  );
  const isVisible = ({ subjectId }: MatchRow): boolean => visible.has(subjectId);
  return {
    ...page,
    nodes: page.nodes.filter(isVisible).map((row) => ({ ...row, kind })),
    edges: () => page.edges().flatMap(({ node, cursor }) => (isVisible(node) ? [{ cursor, node: { ...node, kind } }] : [])),
  };
}

export function createSavedSearchReads({ database, cursors }: ListServices) {
  const byId: BatchRead<string, SavedSearchRow | null> = async (ids, { viewer, notes }) => {
    notes.person = true;
    const rows = await database.query<SavedSearchRow>(
      sql`/* savedSearches.byIds */ select ${savedSearches.columns} from saved_search where id = any(${[...ids]}::uuid[])`,
      'PAGE',
    );
    return inOrder(
      ids,
      rows.filter(({ accountId }) => owns(viewer, accountId) || hasFullAccess(viewer)),
      (row) => row.id,
    );
  };

  /** The searches of shortlists that the viewer has already been authorized for. */
  const ofShortlists: BatchRead<string, SavedSearchRow[]> = async (shortlistIds) => {
    const rows =
      await database.query<SavedSearchRow>(sql`/* savedSearches.ofShortlists */ select ${savedSearches.columns} from saved_search
      where shortlist_id = any(${[...shortlistIds]}::uuid[]) order by created_at desc, id desc`);
    return shortlistIds.map((id) => rows.filter(({ shortlistId }) => shortlistId === id));
  };

  /** The number of stored matches, visible and hidden ones: for administrators only. */
  const matchCounts: BatchRead<string, number> = async (ids) => {
    const rows = await database.query<{ id: string; count: number }>(sql`/* savedSearches.matchCounts */
      select search_id as id, count(*)::int as count from saved_search_subject
      where search_id = any(${[...ids]}::uuid[]) and matched_at is not null group by search_id`);
    const counts = new Map(rows.map(({ id, count }) => [id, count]));
    return ids.map((id) => counts.get(id) ?? 0);
  };

  return {
    byId,
    ofShortlists,
    matchCounts,
    /** The searches of the account, or of all accounts for administrators. Throws Problem api_key_missing (401). */
    list({ viewer, notes }: Context, args: QuerySavedSearchesArgs): Promise<SavedSearchPage> {
      notes.person = true;
      const mine = !hasFullAccess(viewer);
      const where = conditionsOf(viewer, args.filter ?? {});
      const list = { name: 'savedSearches.list', resource: savedSearchResource, where, sort: newestFirst };
      return readList({ database, cursors }, list, viewer, { ...args, filter: { ...args.filter, mine } });
    },
    /** The matches of a search. Null if the viewer cannot read the search. */
    async matches(
      context: Context,
      { savedSearchId, since, first, after }: QuerySavedSearchMatchesArgs,
    ): Promise<SavedSearchMatchPage | null> {
      const search = await context.load(byId, savedSearchId);
      if (!search) return null;
      context.notes.minor = true;
      const where = [sql`search_id = ${savedSearchId}`, sql`matched_at is not null`];
      if (since) where.push(sql`matched_at >= ${since}::timestamptz`);
      const list = {
        name: 'savedSearchMatches.list',
        columns: matchColumns.columns,
        from: sql`saved_search_subject`,
        where,
        sort: latestFirst,
        filter: [savedSearchId, since ?? null],
      };
      return withoutHidden(context, search.kind, await readPage(database, cursors, list, { first: first ?? 20, after }));
    },
  };
}

export type SavedSearchReads = ReturnType<typeof createSavedSearchReads>;
