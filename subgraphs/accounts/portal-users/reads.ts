/** Reads of portal users. */
import { sql, type Sql } from '../../../platform/database/database.ts';
import { inOrder } from '../../../platform/database/table.ts';
import { readPage, sortBy } from '../../../platform/lists/page.ts';
import { matchesWords } from '../../../platform/lists/search.ts';
import type { AreaServices, BatchRead } from '../../runtime/subgraph.ts';
import type { PortalUserFilter, QueryPortalUsersArgs } from '../generated/resolvers.ts';
import { portalUsers, type PortalUserPage, type PortalUserRow } from './rows.ts';

function conditions({ q, accountId, status }: PortalUserFilter): Sql[] {
  const where: Sql[] = [];
  if (q) where.push(matchesWords(sql`platform.fold(portal_user.name || ' ' || portal_user.email)`, q));
  if (status) where.push(sql`portal_user.status = any(${status})`);
  if (accountId)
    where.push(sql`exists (select from account_member m where m.user_id = portal_user.id and m.account_id = ${accountId}
      and m.removed_at is null)`);
  return where;
}

/** Reads of portal users over the area's database. The callers authorize the viewer. */
export function createPortalUserReads({ database, cursors }: AreaServices) {
  const byId: BatchRead<string, PortalUserRow | null> = async (ids) => {
    const rows = await database.query<PortalUserRow>(
      sql`/* portalUsers.byIds */ select ${portalUsers.columns} from portal_user where id = any(${[...ids]}::uuid[])`,
      'PAGE',
    );
    return inOrder(ids, rows, (row) => row.id);
  };

  return {
    byId,
    list({ first, after, filter }: QueryPortalUsersArgs): Promise<PortalUserPage> {
      const list = {
        name: 'portalUsers.list',
        columns: portalUsers.columns,
        from: sql`portal_user`,
        id: sql`portal_user.id`,
        where: conditions(filter ?? {}),
        sort: sortBy(portalUsers, 'createdAt', 'timestamptz', 'desc'),
        filter: filter ?? {},
      };
      return readPage(database, cursors, list, { first: first ?? 20, after });
    },
  };
}

export type PortalUserReads = ReturnType<typeof createPortalUserReads>;
