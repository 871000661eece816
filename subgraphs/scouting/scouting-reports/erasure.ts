/** Erases what deleted scouting reports leave in the history and the outbox. */
import { sql } from '../../../platform/database/database.ts';
import { eraseTraces } from '../../../platform/writes/erase-traces.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { reportResource } from './rows.ts';

/** Erases the traces of the reports on entries, and leaves their tombstones. Call it before the entries are deleted, which deletes their reports. */
export async function eraseReports(transaction: WriteTransaction, entryIds: readonly string[]): Promise<void> {
  const rows = await transaction.query<{ id: string }>(
    sql`/* scoutingReports.idsOfEntries */ select id from scouting_report where entry_id = any(${[...entryIds]}::uuid[])`,
  );
  const ids = rows.map(({ id }) => id);
  await transaction.query(sql`/* scoutingReports.tombstones */
    insert into tombstone (resource_type, resource_id, account_id, public, at)
    select ${reportResource.type}, id, account_id, false, statement_timestamp() from scouting_report where id = any(${ids}::uuid[])
    on conflict (resource_type, resource_id) do update set at = excluded.at`);
  await eraseTraces(transaction, reportResource.type, ids);
}
