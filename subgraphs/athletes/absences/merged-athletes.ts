/** The absences of a merged duplicate. */
import { sql } from '../../../platform/database/database.ts';
import { changeRow, removeRow } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import type { AthleteRow } from '../athletes/rows.ts';
import { absenceResource, absences, type AbsenceRow } from './rows.ts';

/**
 * Moves the absences of a duplicate to the target profile. Those that another account recorded about its own athlete are deleted: the athlete
 * entrusted them to that account only.
 */
export async function moveAbsences(transaction: WriteTransaction, duplicate: AthleteRow, target: AthleteRow): Promise<void> {
  const rows = await transaction.query<AbsenceRow>(sql`/* absences.ofDuplicate */ select ${absences.columns} from absence
    where athlete_id = ${duplicate.id} order by id for update`);
  const data = { athleteId: target.id };
  for (const row of rows) {
    const isEntrusted = row.accountId === duplicate.accountId && duplicate.accountId !== target.accountId;
    if (isEntrusted) await removeRow(transaction, absenceResource, row, data);
    else await changeRow(transaction, absenceResource, row, data, { action: 'merged', event: 'absence.updated', data });
  }
}
