/** Reads of verification requests: members read those of their account, administrators all. */
import { sql } from '../../../platform/database/database.ts';
import { inOrder } from '../../../platform/database/table.ts';
import { readPage, sortBy } from '../../../platform/lists/page.ts';
import type { AreaServices, BatchRead, Context } from '../../runtime/subgraph.ts';
import type { QueryVerificationRequestsArgs } from '../generated/resolvers.ts';
import { isVisibleTo, visibleCondition } from '../partner-requests/visibility.ts';
import { verificationRequests, type VerificationRequestPage, type VerificationRequestRow } from './rows.ts';

/** Reads of verification requests over the area's database. */
export function createVerificationRequestReads({ database, cursors }: AreaServices) {
  const byId: BatchRead<string, VerificationRequestRow | null> = async (ids, { viewer }) => {
    const rows = await database.query<VerificationRequestRow>(sql`/* verificationRequests.byIds */
      select ${verificationRequests.columns} from verification_request where id = any(${[...ids]}::uuid[])`);
    return inOrder(
      ids,
      rows.filter((row) => isVisibleTo(viewer, row)),
      (row) => row.id,
    );
  };

  return {
    byId,
    list({ viewer }: Context, { first, after, filter }: QueryVerificationRequestsArgs): Promise<VerificationRequestPage> {
      const where = visibleCondition(viewer, sql`verification_request.account_id`);
      if (filter?.status) where.push(sql`verification_request.status = any(${filter.status})`);
      if (filter?.organizationId) where.push(sql`verification_request.organization_id = ${filter.organizationId}`);
      if (filter?.accountId) where.push(sql`verification_request.account_id = ${filter.accountId}`);
      const list = {
        name: 'verificationRequests.list',
        columns: verificationRequests.columns,
        from: sql`verification_request`,
        id: sql`verification_request.id`,
        where,
        sort: sortBy(verificationRequests, 'createdAt', 'timestamptz', 'desc'),
        filter: filter ?? {},
      };
      return readPage(database, cursors, list, { first: first ?? 20, after });
    },
  };
}

export type VerificationRequestReads = ReturnType<typeof createVerificationRequestReads>;
