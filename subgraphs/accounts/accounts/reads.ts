/** Reads of accounts. */
import { sql, type Sql } from '../../../platform/database/database.ts';
import { inOrder } from '../../../platform/database/table.ts';
import { readPage, sortBy, type Sort } from '../../../platform/lists/page.ts';
import { matchesWords } from '../../../platform/lists/search.ts';
import type { AreaServices, BatchRead } from '../../runtime/subgraph.ts';
import type { AccountSort, QueryAccountsArgs } from '../generated/resolvers.ts';
import { accounts, type AccountPage, type AccountRow } from './rows.ts';

const sorts: Readonly<Record<AccountSort, Sort<AccountRow>>> = {
  CREATED_DESC: sortBy(accounts, 'createdAt', 'timestamptz', 'desc'),
  CREATED_ASC: sortBy(accounts, 'createdAt', 'timestamptz', 'asc'),
  NAME_ASC: sortBy(accounts, 'name', 'text', 'asc'),
  NAME_DESC: sortBy(accounts, 'name', 'text', 'desc'),
};

function conditions(filter: NonNullable<QueryAccountsArgs['filter']>): Sql[] {
  const where: Sql[] = [];
  if (filter.q) where.push(matchesWords(sql`account.search`, filter.q));
  if (filter.name) where.push(sql`lower(account.name) = lower(${filter.name})`);
  if (filter.status) where.push(sql`account.status = any(${filter.status})`);
  return where;
}

/** Reads of accounts over the area's database. */
export function createAccountReads({ database, cursors }: Pick<AreaServices, 'database' | 'cursors'>) {
  const byId: BatchRead<string, AccountRow | null> = async (ids) =>
    inOrder(
      ids,
      await database.query<AccountRow>(
        sql`/* accounts.byIds */ select ${accounts.columns} from account where id = any(${[...ids]}::uuid[])`,
        'PAGE',
      ),
      (row) => row.id,
    );

  return {
    byId,
    /** Those of the accounts whose status is ACTIVE. */
    async activeIds(ids: readonly string[]): Promise<string[]> {
      const rows = await database.query<{ id: string }>(
        sql`/* accounts.activeIds */ select id from account where id = any(${[...ids]}::uuid[]) and status = 'ACTIVE'`,
      );
      return rows.map(({ id }) => id);
    },
    list(args: QueryAccountsArgs): Promise<AccountPage> {
      const filter = args.filter ?? {};
      const order = args.sort ?? 'CREATED_DESC';
      const list = {
        name: 'accounts.list',
        columns: accounts.columns,
        from: sql`account`,
        id: sql`account.id`,
        where: conditions(filter),
        sort: sorts[order],
        filter: [filter, order],
      };
      return readPage(database, cursors, list, { first: args.first ?? 20, after: args.after });
    },
  };
}

export type AccountReads = ReturnType<typeof createAccountReads>;
