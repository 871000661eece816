/** Reads of plan requests: members read those of their account, administrators all. */
import { sql } from '../../../platform/database/database.ts';
import { inOrder } from '../../../platform/database/table.ts';
import { readPage, sortBy } from '../../../platform/lists/page.ts';
import type { AreaServices, BatchRead, Context } from '../../runtime/subgraph.ts';
import type { OpenRequestCounts, QueryPlanRequestsArgs } from '../generated/resolvers.ts';
import { isVisibleTo, visibleCondition } from '../partner-requests/visibility.ts';
import { planRequests, type PlanRequestPage, type PlanRequestRow } from './rows.ts';

/** Reads of plan requests over the area's database. */
export function createPlanRequestReads({ database, cursors }: AreaServices) {
  const byId: BatchRead<string, PlanRequestRow | null> = async (ids, { viewer }) => {
    const rows = await database.query<PlanRequestRow>(
      sql`/* planRequests.byIds */ select ${planRequests.columns} from plan_request where id = any(${[...ids]}::uuid[])`,
    );
    return inOrder(
      ids,
      rows.filter((row) => isVisibleTo(viewer, row)),
      (row) => row.id,
    );
  };

  return {
    byId,
    list({ viewer }: Context, { first, after, filter }: QueryPlanRequestsArgs): Promise<PlanRequestPage> {
      const where = visibleCondition(viewer, sql`plan_request.account_id`);
      if (filter?.status) where.push(sql`plan_request.status = any(${filter.status})`);
      if (filter?.accountId) where.push(sql`plan_request.account_id = ${filter.accountId}`);
      const list = {
        name: 'planRequests.list',
        columns: planRequests.columns,
        from: sql`plan_request`,
        id: sql`plan_request.id`,
        where,
        sort: sortBy(planRequests, 'createdAt', 'timestamptz', 'desc'),
        filter: filter ?? {},
      };
      return readPage(database, cursors, list, { first: first ?? 20, after });
    },
    async countOpen(): Promise<OpenRequestCounts> {
      const [counts] = await database.query<OpenRequestCounts>(sql`/* partnerRequests.countOpen */ select
        (select count(*)::int from plan_request where status = 'OPEN') as "planRequests",
        (select count(*)::int from verification_request where status = 'OPEN') as "verificationRequests"`);
      return counts ?? { planRequests: 0, verificationRequests: 0 };
    },
  };
}

export type PlanRequestReads = ReturnType<typeof createPlanRequestReads>;
