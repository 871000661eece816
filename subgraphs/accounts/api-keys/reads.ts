/** Reads of API keys. */
import { sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { inOrder } from '../../../platform/database/table.ts';
import { readPages, type PageKey } from '../../../platform/lists/nested-pages.ts';
import { readPage, sortBy, type Sort } from '../../../platform/lists/page.ts';
import { matchesWords } from '../../../platform/lists/search.ts';
import type { AreaServices, BatchRead } from '../../runtime/subgraph.ts';
import type { ApiKeySort, QueryApiKeysArgs } from '../generated/resolvers.ts';
import { apiKeys, type ApiKeyPage, type ApiKeyRow } from './rows.ts';

const newestFirst = sortBy(apiKeys, 'createdAt', 'timestamptz', 'desc');

/** Every key has a row in `key_use`; a key that was never used has the time -infinity. */
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

/** Reads of API keys over the area's database. */
export function createApiKeyReads({ database, cursors }: Pick<AreaServices, 'database' | 'cursors'>) {
  async function byIds(ids: readonly string[], queryable: Queryable = database): Promise<(ApiKeyRow | null)[]> {
    const rows = await queryable.query<ApiKeyRow>(
      sql`/* apiKeys.byIds */ select ${apiKeys.columns} from api_key where id = any(${[...ids]}::uuid[])`,
      'PAGE',
    );
    return inOrder(ids, rows, (row) => row.id);
  }
  const byId: BatchRead<string, ApiKeyRow | null> = (ids) => byIds(ids);
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
    byIds,
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

export type ApiKeyReads = ReturnType<typeof createApiKeyReads>;
