/** Destroys the transfers of erased athletes and moves those of merged duplicates. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { eraseTraces } from '../../../platform/writes/erase-traces.ts';
import { changeRow, removeRow } from '../../../platform/writes/resource.ts';
import type { Writer } from '../../../platform/writes/write.ts';
import { transferResource, transfers, type TransferRow } from './rows.ts';

function lockOfAthletes(transaction: Queryable, athleteIds: readonly string[]): Promise<TransferRow[]> {
  return transaction.query<TransferRow>(sql`/* transfers.lockOfAthletes */ select ${transfers.columns} from transfer
    where athlete_id = any(${[...athleteIds]}::uuid[]) order by id for update`);
}

/** Destroys the transfers of athletes and the traces of their writes. */
export async function destroyTransfers(transaction: Queryable, writer: Writer, athleteIds: readonly string[]): Promise<void> {
  const rows = await lockOfAthletes(transaction, athleteIds);
  await writer.writeWithin(transaction, async (work) => {
    for (const row of rows) await removeRow(work, transferResource, row);
  });
  await eraseTraces(
    transaction,
    transferResource.type,
    rows.map(({ id }) => id),
  );
}

/** Transfers of a duplicate that repeat one of the target profile. */
async function findRepeated(transaction: Queryable, id: string, intoId: string): Promise<ReadonlySet<string>> {
  const rows = await transaction.query<{ id: string }>(sql`/* transfers.mergeConflicts */ select t.id from transfer t
    where t.athlete_id = ${id} and t.status <> 'CANCELLED' and exists (select from transfer o where o.athlete_id = ${intoId} and o.status <> 'CANCELLED'
      and (o.date, o.sport, o.from_organization_id, o.from_team_id, o.to_organization_id, o.to_team_id)
        is not distinct from (t.date, t.sport, t.from_organization_id, t.from_team_id, t.to_organization_id, t.to_team_id))`);
  return new Set(rows.map((row) => row.id));
}

/** Moves the transfers of a duplicate to the target profile, and deletes those that it already has. */
export async function moveTransfers(
  transaction: Queryable,
  writer: Writer,
  id: string,
  intoId: string,
  accountId: string,
): Promise<void> {
  const rows = await lockOfAthletes(transaction, [id]);
  if (rows.length === 0) return;
  const repeated = await findRepeated(transaction, id, intoId);
  const note = { action: 'merged', event: 'transfer.updated', data: { athleteId: intoId } } as const;
  await writer.writeWithin(transaction, async (work) => {
    for (const row of rows) {
      if (repeated.has(row.id)) await removeRow(work, transferResource, row);
      else await changeRow(work, transferResource, row, { athleteId: intoId, personAccountId: accountId }, note);
    }
  });
}
