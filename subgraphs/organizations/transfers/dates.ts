/** Keeps the dates of transfers equal to those of their memberships. */
import { sql } from '../../../platform/database/database.ts';
import { changeRow } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { dayAfter } from '../memberships/days.ts';
import { transferResource, transfers, type TransferRow } from './rows.ts';

interface Dates {
  readonly id: string;
  readonly startDate: string | null;
  readonly endDate: string | null;
}

/**
 * Moves a transfer with the start of the membership that it started. A transfer that started none, and a loan return, move with the end of
 * the membership that they ended.
 */
export async function followMembership(transaction: WriteTransaction, before: Dates, after: Dates): Promise<void> {
  const start = after.startDate !== before.startDate ? after.startDate : null;
  const end = after.endDate !== before.endDate ? after.endDate : null;
  if (start === null && end === null) return;
  const rows = await transaction.query<TransferRow>(sql`/* transfers.ofMembership */ select ${transfers.columns} from transfer
    where status <> 'CANCELLED' and (
      to_membership_id = ${after.id} and type <> 'LOAN_RETURN' and date <> ${start}::date
      or from_membership_id = ${after.id} and (to_membership_id is null or type = 'LOAN_RETURN') and type <> 'LOAN' and date <> ${end}::date + 1)
    for update`);
  for (const row of rows) {
    const date = row.toMembershipId === after.id ? start : end === null ? null : dayAfter(end);
    if (date === null) continue;
    const loanUntil = row.loanUntil !== null && row.loanUntil < date ? date : row.loanUntil;
    const note = { action: 'updated', event: 'transfer.updated', data: { athleteId: row.athleteId } } as const;
    await changeRow(transaction, transferResource, row, { date, loanUntil }, note);
  }
}
