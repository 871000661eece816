/** Reads of the activity of an account: the history of its resources in this area. */
import { raw, sql, type Sql } from '../../../platform/database/database.ts';
import { readPage, type Page, type Sort } from '../../../platform/lists/page.ts';
import { historyColumns, type HistoryRow } from '../../../platform/writes/history.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import type { AccountResourceType, QueryAccountActivityArgs } from '../generated/resolvers.ts';

export type ActivityRow = HistoryRow;
export type ActivityPage = Page<ActivityRow>;

/** The resource type of each name of the schema, and the table of its resources with the account in `account_id`. */
export const activityTypes = {
  ACCOUNT: 'account',
  API_KEY: 'api_key',
  ACCOUNT_MEMBER: 'account_member',
  ACCOUNT_INVITATION: 'account_invitation',
  WEBHOOK_ENDPOINT: 'webhook_endpoint',
  PLAN_REQUEST: 'plan_request',
  VERIFICATION_REQUEST: 'verification_request',
} as const satisfies Record<AccountResourceType, string>;

const newestFirst = {
  column: raw('history.at'),
  type: 'timestamptz',
  direction: 'desc',
  value: ({ at }: HistoryRow) => at,
} as const satisfies Sort<HistoryRow>;

const ownedTables = Object.values(activityTypes).filter((type) => type !== 'account');

/** The IDs of the resources of an account, including deleted ones. */
function resourcesOf(accountId: string): Sql {
  const parts = ownedTables.map((name) => sql`select id from ${raw(name)} where account_id = ${accountId}`);
  const deleted = sql`select resource_id from tombstone where account_id = ${accountId} and resource_type = 'webhook_endpoint'`;
  return parts.reduce((all, part) => sql`${all} union all ${part}`, sql`select ${accountId}::uuid union all ${deleted}`);
}

/** The activity of an account over the area's database. */
export function createActivityReads({ database, cursors }: AreaServices) {
  return {
    list(accountId: string, { first, after, filter }: QueryAccountActivityArgs): Promise<ActivityPage> {
      const types = filter?.resourceType ? filter.resourceType.map((type) => activityTypes[type]) : Object.values(activityTypes);
      const where = [
        sql`history.resource_type = any(${types})`,
        sql`history.resource_id in (${resourcesOf(accountId)})`,
        ...(filter?.resourceId ? [sql`history.resource_id = ${filter.resourceId}::uuid`] : []),
      ];
      const list = {
        name: 'accountActivity.list',
        columns: historyColumns,
        from: sql`history`,
        id: sql`history.id`,
        where,
        sort: newestFirst,
        filter: [accountId, filter ?? {}],
      };
      return readPage<ActivityRow>(database, cursors, list, { first: first ?? 20, after });
    },
  };
}
