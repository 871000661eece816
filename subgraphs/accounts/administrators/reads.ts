/** Reads of administrators. */
import { sql, type Sql } from '../../../platform/database/database.ts';
import { inOrder } from '../../../platform/database/table.ts';
import { readPage, sortBy } from '../../../platform/lists/page.ts';
import { matchesWords } from '../../../platform/lists/search.ts';
import type { AreaServices, BatchRead } from '../../runtime/subgraph.ts';
import type { QueryAdministratorsArgs } from '../generated/resolvers.ts';
import { administrators, type AdministratorPage, type AdministratorRow } from './rows.ts';

const newestFirst = sortBy(administrators, 'createdAt', 'timestamptz', 'desc');

function conditions(filter: NonNullable<QueryAdministratorsArgs['filter']>): Sql[] {
  const where: Sql[] = [];
  if (filter.q) where.push(matchesWords(sql`platform.fold(administrator.name || ' ' || administrator.email)`, filter.q));
  if (filter.status) where.push(sql`administrator.status = any(${filter.status})`);
  if (filter.role) where.push(sql`administrator.role = any(${filter.role})`);
  return where;
}

/** Reads of administrators over the area's database. */
export function createAdministratorReads({ database, cursors }: AreaServices) {
  const byId: BatchRead<string, AdministratorRow | null> = async (ids) =>
    inOrder(
      ids,
      await database.query<AdministratorRow>(
        sql`/* administrators.byIds */ select ${administrators.columns} from administrator where id = any(${[...ids]}::uuid[])`,
        'PAGE',
      ),
      (row) => row.id,
    );

  return {
    byId,
    list(args: QueryAdministratorsArgs): Promise<AdministratorPage> {
      const filter = args.filter ?? {};
      const list = {
        name: 'administrators.list',
        columns: administrators.columns,
        from: sql`administrator`,
        id: sql`administrator.id`,
        where: conditions(filter),
        sort: newestFirst,
        filter,
      };
      return readPage(database, cursors, list, { first: args.first ?? 20, after: args.after });
    },
    /** Whether there is an administrator, including invited ones. */
    async exist(): Promise<boolean> {
      const [row] = await database.query(sql`/* administrators.exist */ select 1 as one from administrator limit 1`);
      return row !== undefined;
    },
  };
}

export type AdministratorReads = ReturnType<typeof createAdministratorReads>;
