/** Accounts: the SQL of their reads, and how they are made. */
import { Problem } from '../../../schema/errors.ts';
import { sql, type Sql } from '../../../platform/database/database.ts';
import { readPage, sortBy, type Page, type Sort } from '../../../platform/lists/page.ts';
import type { Resource, ResourceRow } from '../../../platform/writes/resource.ts';
import { matchesWords } from '../../../platform/lists/search.ts';
import { inOrder, insertInto, table } from '../../../platform/database/table.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import type { AreaServices, BatchRead, Context } from '../../runtime/subgraph.ts';
import type { AccountSort, AccountStatus, CreateAccountInput, QueryAccountsArgs } from '../resolvers.generated.ts';

export interface AccountRow extends ResourceRow {
  readonly name: string;
  readonly email: string | null;
  readonly organizationId: string | null;
  readonly status: AccountStatus;
}

export type AccountPage = Page<AccountRow>;

const accounts = table<AccountRow>('account', {
  id: 'plain',
  accountId: sql`account.id`,
  version: 'plain',
  createdAt: 'plain',
  updatedAt: 'plain',
  name: 'plain',
  email: 'plain',
  organizationId: 'plain',
  status: 'plain',
});

export const accountResource: Resource<AccountRow> = {
  type: 'account',
  table: accounts,
  created: 'account.created',
  updated: 'account.updated',
  required: ['name'],
  isPublic: () => false,
};

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

/** Reads and writes of accounts over the area's database. */
export function createAccountStore({ database, cursors, writer }: AreaServices) {
  const byId: BatchRead<string, AccountRow | null> = async (ids) =>
    inOrder(
      ids,
      await database.query<AccountRow>(
        sql`/* accounts.byIds */ select ${accounts.columns} from account where id = any(${[...ids]}::uuid[])`,
      ),
      (row) => row.id,
    );

  async function insert(transaction: WriteTransaction, values: Partial<AccountRow>): Promise<AccountRow> {
    const [row] = await transaction.query<AccountRow>(insertInto(accounts, values));
    if (!row) throw new Error('insert into account returned no row');
    transaction.record({ action: 'created', event: 'account.created', before: null, after: row });
    return row;
  }

  return {
    byId,
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
    create(context: Context, input: CreateAccountInput, key: string | null | undefined): Promise<AccountRow> {
      const { name, email = null, organizationId = null } = input;
      return writer.write(context, (transaction) => insert(transaction, { name, email, organizationId }), {
        operation: 'createAccount',
        key,
        input,
        reload: (id) => context.load(byId, id),
      });
    },
    /** An account in the transaction of a write that needs it; null when there is none. */
    async find(transaction: WriteTransaction, id: string): Promise<AccountRow | null> {
      const [row] = await transaction.query<AccountRow>(
        sql`/* accounts.find */ select ${accounts.columns} from account where id = ${id} for share`,
      );
      return row ?? null;
    },
    /** The one account of a name, made when there is none. Throws Problem conflict (409) when several have it. */
    async findOrCreate(transaction: WriteTransaction, name: string): Promise<AccountRow> {
      // names are not unique, so only a lock keeps two commands from making the same account twice
      await transaction.query(
        sql`/* accounts.lockName */ select pg_advisory_xact_lock(hashtextextended('account ' || lower(${name}), 0))`,
      );
      const rows = await transaction.query<AccountRow>(
        sql`/* accounts.byName */ select ${accounts.columns} from account where lower(name) = lower(${name}) order by id limit 20 for share`,
      );
      if (rows.length > 1)
        throw new Problem(
          'conflict',
          `${rows.length} accounts are named "${name}". Give the id of one: ${rows.map(({ id }) => id).join(', ')}.`,
        );
      return rows[0] ?? insert(transaction, { name });
    },
  };
}
