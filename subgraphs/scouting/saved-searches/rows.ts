/** The `saved_search` and `saved_search_subject` tables: row types, columns and resource description. */
import { table } from '../../../platform/database/table.ts';
import type { Page } from '../../../platform/lists/page.ts';
import type { Resource, ResourceRow } from '../../../platform/writes/resource.ts';
import type { SavedSearchKind } from '../generated/resolvers.ts';
import type { SearchedList } from './searched-list.ts';

export interface SavedSearchRow extends ResourceRow {
  readonly name: string;
  readonly kind: SavedSearchKind;
  readonly filter: SearchedList;
  readonly intervalMinutes: number;
  readonly shortlistId: string | null;
  readonly paused: boolean;
  readonly lastMatchedAt: string | null;
}

export type SavedSearchPage = Page<SavedSearchRow>;

/** The columns of the resource. The state of the matching is in further columns, which `matching-state.ts` reads and writes. */
export const savedSearches = table<SavedSearchRow>('saved_search', {
  id: 'plain',
  accountId: 'plain',
  version: 'plain',
  createdAt: 'plain',
  updatedAt: 'plain',
  name: 'plain',
  kind: 'plain',
  filter: 'jsonb',
  intervalMinutes: 'plain',
  shortlistId: 'plain',
  paused: 'plain',
  lastMatchedAt: 'plain',
});

export const savedSearchResource: Resource<SavedSearchRow> = {
  type: 'saved_search',
  table: savedSearches,
  created: 'saved_search.created',
  updated: 'saved_search.updated',
  deleted: 'saved_search.deleted',
  required: ['name', 'filter', 'intervalMinutes', 'paused'],
  // a merge patch changes the filter within it: searched-list.ts
  replaced: ['filter'],
  isPublic: () => false,
  hasRegistryIds: false,
};

/** What a search found. */
export interface MatchRow {
  readonly id: string;
  /** An athlete, also of a search for prospects, or an opportunity. */
  readonly subjectId: string;
  readonly matchedAt: string;
}

/** A match that the viewer can read. */
export interface FoundMatch extends MatchRow {
  readonly kind: SavedSearchKind;
}

export type SavedSearchMatchPage = Page<FoundMatch>;

export const matchColumns = table<MatchRow>('saved_search_subject', {
  id: 'plain',
  subjectId: 'plain',
  matchedAt: 'plain',
});
