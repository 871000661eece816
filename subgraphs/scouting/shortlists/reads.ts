/** SQL reads of shortlists. A shortlist is visible to its account only. */
import { owns, hasFullAccess } from '../../../schema/viewer.ts';
import { sql } from '../../../platform/database/database.ts';
import { inOrder } from '../../../platform/database/table.ts';
import { readList, type ListServices } from '../../../platform/lists/list.ts';
import { sortBy } from '../../../platform/lists/page.ts';
import { externalIdsOf, type ExternalId } from '../../../platform/writes/external-id.ts';
import { requireAccount } from '../../../platform/writes/resource.ts';
import type { BatchRead, Context } from '../../runtime/subgraph.ts';
import type { QueryShortlistsArgs } from '../generated/resolvers.ts';
import { shortlistResource, shortlists, type ShortlistPage, type ShortlistRow } from './rows.ts';

const newestFirst = sortBy(shortlists, 'createdAt', 'timestamptz', 'desc');

export function createShortlistReads({ database, cursors }: ListServices) {
  const byId: BatchRead<string, ShortlistRow | null> = async (ids, { viewer, notes }) => {
    notes.person = true;
    const rows = await database.query<ShortlistRow>(
      sql`/* shortlists.byIds */ select ${shortlists.columns} from shortlist where id = any(${[...ids]}::uuid[])`,
      'PAGE',
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
    /** Throws Problem api_key_missing (401). */
    list({ viewer, notes }: Context, args: QueryShortlistsArgs): Promise<ShortlistPage> {
      notes.person = true;
      const where = [sql`shortlist.account_id = ${requireAccount(viewer)}`];
      const list = { name: 'shortlists.list', resource: shortlistResource, where, sort: newestFirst };
      return readList({ database, cursors }, list, viewer, { ...args, filter: { ...args.filter, mine: true } });
    },
  };
}

export type ShortlistReads = ReturnType<typeof createShortlistReads>;
