/** Locks, inserts and changes of rows whose changes are in the history but are no events: accounts cannot subscribe to them. */
import { raw, sql, type Queryable, type Sql } from '../../platform/database/database.ts';
import { insertInto, updateRow, type RowPatch, type Table } from '../../platform/database/table.ts';
import type { Snapshot } from '../../platform/writes/change.ts';
import { eraseHistory } from '../../platform/writes/erase-traces.ts';
import { resourceNotFound } from '../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../platform/writes/write.ts';
import type { ResourceType } from '../../schema/resource-names.ts';

/** The history entry of a change. */
export interface HistoryRecord {
  readonly action: string;
  readonly reason?: string | null | undefined;
}

/** Columns that are not part of the row, such as hashes. */
type Computed = Readonly<Record<string, Sql>>;

export interface RecordedRows<Row extends Snapshot> {
  readonly table: Table<Row>;
  readonly type: ResourceType;
  /** Locks a row. Throws Problem not_found (404). */
  lock(transaction: Queryable, id: string): Promise<Row>;
  /** Records a history entry; without a changed row, `before` and `after` are the same. Returns `after`. */
  record(transaction: WriteTransaction, before: Row | null, after: Row, record: HistoryRecord): Row;
  /** Records a history entry of an unchanged row. */
  recordUnchanged(transaction: WriteTransaction, row: Snapshot, record: HistoryRecord): void;
  /** Inserts and records a row. */
  insert(transaction: WriteTransaction, values: RowPatch<Row>, record: HistoryRecord, computed?: Computed): Promise<Row>;
  /** Updates a locked row, increments its version and records the change. */
  change(
    transaction: WriteTransaction,
    before: Row,
    values: RowPatch<Row>,
    record: HistoryRecord,
    computed?: Computed,
  ): Promise<Row>;
  /** Replaces the personal data of a locked row, removes the values from its history and records the erasure without values. */
  erase(transaction: WriteTransaction, before: Row, values: RowPatch<Row>, computed: Computed): Promise<Row>;
  /** Deletes a locked row and records the deletion. */
  remove(transaction: WriteTransaction, row: Row): Promise<Row>;
}

/** The rows of one table; the type of the resource is the name of the table. */
export function createRecordedRows<Row extends Snapshot>(table: Table<Row>, type: ResourceType): RecordedRows<Row> {
  const name = raw(table.name);

  function write(transaction: WriteTransaction, before: Snapshot | null, after: Snapshot, { action, reason }: HistoryRecord) {
    const data = reason ? { reason } : {};
    transaction.record({ action, event: null, resourceType: type, before, after, data });
  }

  function record(transaction: WriteTransaction, before: Row | null, after: Row, entry: HistoryRecord): Row {
    write(transaction, before, after, entry);
    return after;
  }

  async function update(transaction: Queryable, before: Row, values: RowPatch<Row>, computed: Computed): Promise<Row> {
    const [after] = await transaction.query<Row>(updateRow(table, before, values, computed));
    if (!after) throw new Error(`The version of a locked row of ${table.name} changed`);
    return after;
  }

  return {
    table,
    type,
    record,
    recordUnchanged: (transaction, row, entry) => write(transaction, row, row, entry),
    async lock(transaction, id) {
      const [row] = await transaction.query<Row>(
        sql`${raw(`/* ${table.name}.lock */`)} select ${table.columns} from ${name} where id = ${id} for update`,
      );
      if (!row) throw resourceNotFound(type, id);
      return row;
    },
    async insert(transaction, values, entry, computed = {}) {
      const [row] = await transaction.query<Row>(insertInto(table, values, computed));
      if (!row) throw new Error(`insert into ${table.name} returned no row`);
      return record(transaction, null, row, entry);
    },
    async change(transaction, before, values, entry, computed = {}) {
      return record(transaction, before, await update(transaction, before, values, computed), entry);
    },
    async erase(transaction, before, values, computed) {
      const after = await update(transaction, before, values, computed);
      await eraseHistory(transaction, type, [before.id]);
      return record(transaction, after, after, { action: 'erased' });
    },
    async remove(transaction, row) {
      await transaction.query(sql`${raw(`/* ${table.name}.delete */`)} delete from ${name} where id = ${row.id}`);
      transaction.record({ action: 'deleted', event: null, resourceType: type, before: row, after: null });
      return row;
    },
  };
}
