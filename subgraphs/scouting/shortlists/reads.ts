/** Shortlists: the SQL of their reads. An account sees its own, and nobody else knows of them. */
import { sql } from '../../../platform/database/database.ts';
import { externalIdsOf, type ExternalId } from '../../../platform/writes/external-id.ts';
import { readList, type ListServices } from '../../../platform/lists/list.ts';
import { sortBy, type Page } from '../../../platform/lists/page.ts';
import { requireAccount, type Resource, type ResourceRow } from '../../../platform/writes/resource.ts';
import { inOrder, table } from '../../../platform/database/table.ts';
import { owns, hasFullAccess } from '../../../schema/viewer.ts';
import type { BatchRead, Context } from '../../runtime/subgraph.ts';
import type { QueryShortlistsArgs } from '../resolvers.generated.ts';

export interface ShortlistRow extends ResourceRow {
  readonly name: string;
  readonly description: string | null;
}

export type ShortlistPage = Page<ShortlistRow>;

const shortlists = table<ShortlistRow>('shortlist', {
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

const newest = sortBy(shortlists, 'createdAt', 'timestamptz', 'desc');

/** Reads of shortlists over the area's database. */
export function createShortlistReads({ database, cursors }: ListServices) {
  const byId: BatchRead<string, ShortlistRow | null> = async (ids, { viewer, notes }) => {
    notes.person = true;
    const rows = await database.query<ShortlistRow>(
      sql`/* shortlists.byIds */ select ${shortlists.columns} from shortlist where id = any(${[...ids]}::uuid[])`,
    );
    return inOrder(
      ids,
      rows.filter(({ accountId }) => owns(viewer, accountId) || hasFullAccess(viewer)),
      (row) => row.id,
    );
  };

  const externalIds: BatchRead<string, ExternalId[]> = (ids) => externalIdsOf(database, shortlistResource.type, ids);

  return {
    byId,
    externalIds,
    /** Throws Problem api_key_missing (401) without a key. */
    list({ viewer, notes }: Context, args: QueryShortlistsArgs): Promise<ShortlistPage> {
      notes.person = true;
      const where = [sql`shortlist.account_id = ${requireAccount(viewer)}`];
      const list = { name: 'shortlists.list', resource: shortlistResource, where, sort: newest };
      return readList({ database, cursors }, list, viewer, { ...args, filter: { ...args.filter, mine: true } });
    },
  };
}

export type ShortlistReads = ReturnType<typeof createShortlistReads>;
