/** The `shortlist` table: row type, columns and resource description. */
import { table } from '../../../platform/database/table.ts';
import type { Page } from '../../../platform/lists/page.ts';
import type { Resource, ResourceRow } from '../../../platform/writes/resource.ts';

export interface ShortlistRow extends ResourceRow {
  readonly name: string;
  readonly description: string | null;
}

export type ShortlistPage = Page<ShortlistRow>;

export const shortlists = table<ShortlistRow>('shortlist', {
  id: 'plain',
  accountId: 'plain',
  version: 'plain',
  createdAt: 'plain',
  updatedAt: 'plain',
  name: 'plain',
  description: 'plain',
});

export const shortlistResource: Resource<ShortlistRow> = {
  type: 'shortlist',
  table: shortlists,
  created: 'shortlist.created',
  updated: 'shortlist.updated',
  deleted: 'shortlist.deleted',
  required: ['name'],
  isPublic: () => false,
  hasRegistryIds: false,
};
