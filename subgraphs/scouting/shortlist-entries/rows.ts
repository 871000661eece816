/** The `shortlist_entry` table: row type, columns and resource description. */
import { table } from '../../../platform/database/table.ts';
import type { Page } from '../../../platform/lists/page.ts';
import type { Resource, ResourceRow } from '../../../platform/writes/resource.ts';
import type { ShortlistPriority, ShortlistStage } from '../generated/resolvers.ts';

export interface ShortlistEntryRow extends ResourceRow {
  readonly shortlistId: string;
  /** The athlete now, after merges of profiles. */
  readonly athleteId: string;
  /** The athlete id that the account sent. The profile may have been merged since. */
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
