/** Administrators: the SQL of their reads. The hash of the password never leaves the table through these columns. */
import type { Snapshot } from '../../../platform/writes/change.ts';
import { sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { readPage, sortBy, type Page } from '../../../platform/lists/page.ts';
import { matchesWords } from '../../../platform/lists/search.ts';
import { inOrder, table, updateRow } from '../../../platform/database/table.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { Problem } from '../../../schema/errors.ts';
import type { Role } from '../../../schema/roles.ts';
import type { AreaServices, BatchRead } from '../../runtime/subgraph.ts';
import type { AdministratorStatus, QueryAdministratorsArgs, SignInMethod } from '../resolvers.generated.ts';

export interface AdministratorRow extends Snapshot {
  readonly accountId: null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
  readonly status: AdministratorStatus;
  readonly lastSignedInAt: string | null;
  readonly signsInBy: SignInMethod | null;
}

export type AdministratorPage = Page<AdministratorRow>;

export const administrators = table<AdministratorRow>('administrator', {
  id: 'plain',
  accountId: sql`null`,
  version: 'plain',
  createdAt: 'plain',
  updatedAt: 'plain',
  name: 'plain',
  email: 'plain',
  role: 'plain',
  status: 'plain',
  lastSignedInAt: 'plain',
  signsInBy: sql`case when administrator.password_hash is not null then 'PASSWORD' when administrator.oidc_subject is not null then 'OIDC' end`,
});

const newestFirst = sortBy(administrators, 'createdAt', 'timestamptz', 'desc');

function conditions(filter: NonNullable<QueryAdministratorsArgs['filter']>): Sql[] {
  const where: Sql[] = [];
  if (filter.q) where.push(matchesWords(sql`platform.fold(administrator.name || ' ' || administrator.email)`, filter.q));
  if (filter.status) where.push(sql`administrator.status = any(${filter.status})`);
  if (filter.role) where.push(sql`administrator.role = any(${filter.role})`);
  return where;
}

/** Locks an administrator for a change. Throws Problem not_found (404). */
export async function lockAdministrator(transaction: Queryable, id: string): Promise<AdministratorRow> {
  const [row] = await transaction.query<AdministratorRow>(
    sql`/* administrators.lock */ select ${administrators.columns} from administrator where id = ${id} for update`,
  );
  if (!row) throw new Problem('not_found', `There is no administrator with the id ${id}.`);
  return row;
}

/** What happened to an administrator, for the history. */
export interface Happened {
  readonly action: string;
  readonly reason?: string | null | undefined;
}

/** Notes what happened to an administrator; where nothing of the row changed, `after` is the row as it is. */
export function note(
  transaction: WriteTransaction,
  before: AdministratorRow | null,
  after: AdministratorRow,
  { action, reason }: Happened,
): AdministratorRow {
  // no event: who administers is nobody's business outside
  const data = reason ? { reason } : {};
  transaction.record({ action, event: null, resourceType: 'administrator', before, after, data });
  return after;
}

/** Changes a locked administrator, one version up, and notes it; `computed` are columns that no answer shows. */
export async function changeAdministrator(
  transaction: WriteTransaction,
  before: AdministratorRow,
  values: Partial<AdministratorRow>,
  happened: Happened,
  computed: Readonly<Record<string, Sql>> = {},
): Promise<AdministratorRow> {
  const [after] = await transaction.query<AdministratorRow>(updateRow(administrators, before, values, computed));
  if (!after) throw new Error('a locked administrator has another version');
  return note(transaction, before, after, happened);
}

/** Reads of administrators over the area's database. */
export function createAdministratorStore({ database, cursors }: AreaServices) {
  const byId: BatchRead<string, AdministratorRow | null> = async (ids) =>
    inOrder(
      ids,
      await database.query<AdministratorRow>(
        sql`/* administrators.byIds */ select ${administrators.columns} from administrator where id = any(${[...ids]}::uuid[])`,
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
    /** Whether there is anybody; also who was only invited counts. */
    async exist(): Promise<boolean> {
      const [row] = await database.query(sql`/* administrators.exist */ select 1 as one from administrator limit 1`);
      return row !== undefined;
    },
  };
}

export type AdministratorStore = ReturnType<typeof createAdministratorStore>;
