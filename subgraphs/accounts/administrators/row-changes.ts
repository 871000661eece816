/** Locks, inserts and changes of administrator rows, each recorded in history. */
import { sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { insertInto, updateRow } from '../../../platform/database/table.ts';
import { resourceNotFound } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { administrators, type AdministratorRow } from './rows.ts';

/** The history entry of a change. */
export interface HistoryRecord {
  readonly action: string;
  readonly reason?: string | null | undefined;
}

/** Locks all administrators for a change of owners: otherwise two owners who remove each other concurrently would leave none. */
export async function lockAdministrators(transaction: Queryable): Promise<void> {
  await transaction.query(sql`/* administrators.lockAll */ select pg_advisory_xact_lock(hashtextextended('administrators', 0))`);
}

/** Locks an administrator. Throws Problem not_found (404). */
export async function lockAdministrator(transaction: Queryable, id: string): Promise<AdministratorRow> {
  const [row] = await transaction.query<AdministratorRow>(
    sql`/* administrators.lock */ select ${administrators.columns} from administrator where id = ${id} for update`,
  );
  if (!row) throw resourceNotFound('administrator', id);
  return row;
}

/** Records a history entry of an administrator; without a changed row, `before` and `after` are the same. Returns `after`. */
export function recordHistory(
  transaction: WriteTransaction,
  before: AdministratorRow | null,
  after: AdministratorRow,
  { action, reason }: HistoryRecord,
): AdministratorRow {
  // no event: administrators are not visible to accounts
  const data = reason ? { reason } : {};
  transaction.record({ action, event: null, resourceType: 'administrator', before, after, data });
  return after;
}

/** Inserts and records an administrator; `computed` are columns that are not part of the row. */
export async function insertAdministrator(
  transaction: WriteTransaction,
  values: Pick<AdministratorRow, 'name' | 'email' | 'role' | 'status'> & Partial<Pick<AdministratorRow, 'id'>>,
  record: HistoryRecord,
  computed: Readonly<Record<string, Sql>> = {},
): Promise<AdministratorRow> {
  const trimmed = { ...values, name: values.name.trim(), email: values.email.trim() };
  const [row] = await transaction.query<AdministratorRow>(insertInto(administrators, trimmed, computed));
  if (!row) throw new Error('insert into administrator returned no row');
  return recordHistory(transaction, null, row, record);
}

/** Updates a locked administrator, increments its version and records the change; `computed` are columns that are not part of the row. */
export async function changeAdministrator(
  transaction: WriteTransaction,
  before: AdministratorRow,
  values: Partial<AdministratorRow>,
  record: HistoryRecord,
  computed: Readonly<Record<string, Sql>> = {},
): Promise<AdministratorRow> {
  const [after] = await transaction.query<AdministratorRow>(updateRow(administrators, before, values, computed));
  if (!after) throw new Error('The version of a locked administrator changed');
  return recordHistory(transaction, before, after, record);
}
