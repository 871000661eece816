/** API keys: the SQL of their reads. The hash never leaves the table through here. */
import { sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { readPages, type PageKey } from '../../../platform/lists/nested-pages.ts';
import { readPage, sortBy, type Page, type Sort } from '../../../platform/lists/page.ts';
import type { Resource, ResourceRow } from '../../../platform/writes/resource.ts';
import { matchesWords } from '../../../platform/lists/search.ts';
import { inOrder, table } from '../../../platform/database/table.ts';
import type { AreaServices, BatchRead } from '../../runtime/subgraph.ts';
import type { ApiKeySort, ApiKeyStatus, QueryApiKeysArgs } from '../resolvers.generated.ts';

export interface ApiKeyRow extends ResourceRow {
  readonly publicId: string;
  readonly name: string;
  readonly planCode: string;
  readonly planVersion: number;
  /** A move to come; null: none. Once its moment has passed it counts, written down or not: `heldPlan`. */
  readonly nextPlanCode: string | null;
  readonly nextPlanVersion: number | null;
  readonly nextPlanAt: string | null;
  readonly scopes: string[];
  readonly allowedCidrs: string[];
  readonly quotaSubjectId: string;
  readonly rotatedTo: string | null;
  readonly rotatedFrom: string | null;
  readonly status: ApiKeyStatus;
  readonly expiresAt: string | null;
  readonly createdBy: string;
  readonly revokedAt: string | null;
  readonly revokedBy: string | null;
  readonly revokedWhy: string | null;
  readonly lastUsedAt: string | null;
}

export type ApiKeyPage = Page<ApiKeyRow>;

/** Without `hash`: what is not a field of the row cannot come into an answer, the history or an event. */
export const apiKeys = table<ApiKeyRow>('api_key', {
  id: 'plain',
  accountId: 'plain',
  version: 'plain',
  createdAt: 'plain',
  updatedAt: 'plain',
  publicId: 'plain',
  name: 'plain',
  planCode: 'plain',
  planVersion: 'plain',
  nextPlanCode: 'plain',
  nextPlanVersion: 'plain',
  nextPlanAt: 'plain',
  scopes: 'plain',
  allowedCidrs: 'plain',
  quotaSubjectId: 'plain',
  rotatedTo: 'plain',
  rotatedFrom: 'plain',
  status: 'plain',
  expiresAt: 'plain',
  createdBy: 'plain',
  revokedAt: 'plain',
  revokedBy: 'plain',
  revokedWhy: 'plain',
  lastUsedAt: sql`select nullif(u.used_at, '-infinity') from key_use u where u.key_id = api_key.id`,
});

export const apiKeyResource: Resource<ApiKeyRow> = {
  type: 'api_key',
  table: apiKeys,
  created: 'api_key.issued',
  updated: 'api_key.updated',
  required: ['name'],
  isPublic: () => false,
};

const newestFirst = sortBy(apiKeys, 'createdAt', 'timestamptz', 'desc');

/** Every key has a row in `key_use`: one that was never used, of the time before all others. */
const byUse = (direction: 'asc' | 'desc'): Sort<ApiKeyRow> => ({
  column: sql`key_use.used_at`,
  type: 'timestamptz',
  direction,
  value: ({ lastUsedAt }) => lastUsedAt ?? '-infinity',
  id: sql`key_use.key_id`,
});

const sorts: Readonly<Record<ApiKeySort, { readonly sort: Sort<ApiKeyRow>; readonly from?: Sql }>> = {
  CREATED_DESC: { sort: newestFirst },
  CREATED_ASC: { sort: sortBy(apiKeys, 'createdAt', 'timestamptz', 'asc') },
  NAME_ASC: { sort: sortBy(apiKeys, 'name', 'text', 'asc') },
  NAME_DESC: { sort: sortBy(apiKeys, 'name', 'text', 'desc') },
  LAST_USED_DESC: { sort: byUse('desc'), from: sql`api_key join key_use on key_use.key_id = api_key.id` },
  LAST_USED_ASC: { sort: byUse('asc'), from: sql`api_key join key_use on key_use.key_id = api_key.id` },
};

function conditions(filter: NonNullable<QueryApiKeysArgs['filter']>): Sql[] {
  const where: Sql[] = [];
  if (filter.q) where.push(matchesWords(sql`api_key.search`, filter.q));
  if (filter.accountId) where.push(sql`api_key.account_id = ${filter.accountId}`);
  if (filter.publicId) where.push(sql`api_key.public_id = ${filter.publicId}`);
  if (filter.plan) where.push(sql`api_key.plan_code = ${filter.plan}`);
  if (filter.status) where.push(sql`api_key.status = any(${filter.status})`);
  if (filter.scope) where.push(sql`api_key.scopes @> array[${filter.scope}]`);
  if (filter.expiresBefore) where.push(sql`api_key.expires_at < ${filter.expiresBefore}`);
  return where;
}

/** Reads of keys over the area's database. */
export function createApiKeyStore({ database, cursors }: AreaServices) {
  async function read(ids: readonly string[], queryable: Queryable = database): Promise<(ApiKeyRow | null)[]> {
    const rows = await queryable.query<ApiKeyRow>(
      sql`/* apiKeys.byIds */ select ${apiKeys.columns} from api_key where id = any(${[...ids]}::uuid[])`,
    );
    return inOrder(ids, rows, (row) => row.id);
  }
  const byId: BatchRead<string, ApiKeyRow | null> = (ids) => read(ids);
  const ofAccounts: BatchRead<PageKey, ApiKeyPage> = (pageKeys) =>
    readPages(
      database,
      cursors,
      {
        name: 'apiKeys.ofAccounts',
        columns: apiKeys.columns,
        table: 'api_key',
        owner: 'account_id',
        where: [],
        sort: newestFirst,
      },
      pageKeys,
    );
  const byPublicId: BatchRead<string, ApiKeyRow | null> = async (publicIds) =>
    inOrder(
      publicIds,
      await database.query<ApiKeyRow>(
        sql`/* apiKeys.byPublicIds */ select ${apiKeys.columns} from api_key where public_id = any(${[...publicIds]})`,
      ),
      (row) => row.publicId,
    );

  return {
    read,
    byId,
    byPublicId,
    /** Pages of the keys of accounts, newest first. */
    ofAccounts,
    list(args: QueryApiKeysArgs): Promise<ApiKeyPage> {
      const filter = args.filter ?? {};
      const order = args.sort ?? 'CREATED_DESC';
      const list = {
        name: 'apiKeys.list',
        columns: apiKeys.columns,
        from: sql`api_key`,
        id: sql`api_key.id`,
        where: conditions(filter),
        ...sorts[order],
        filter: [filter, order],
      };
      return readPage(database, cursors, list, { first: args.first ?? 20, after: args.after });
    },
  };
}
