/** How transfers follow their memberships: a confirmed or declined proposal, and changed dates. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { changeRow } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import type { TransferStatus } from '../generated/resolvers.ts';
import type { MembershipRow } from '../memberships/rows.ts';
import { leave, lockMembership } from './career.ts';
import { transferResource, transfers, type TransferRow } from './rows.ts';

async function lockPending(transaction: Queryable, membershipId: string): Promise<TransferRow | undefined> {
  const [row] = await transaction.query<TransferRow>(sql`/* transfers.lockPending */ select ${transfers.columns} from transfer
    where to_membership_id = ${membershipId} and status = 'PENDING' for update`);
  return row;
}

async function settle(transaction: WriteTransaction, row: TransferRow, status: TransferStatus): Promise<void> {
  const action = status === 'COMPLETED' ? 'confirm' : 'decline';
  const note = { action, event: 'transfer.status_changed', data: { athleteId: row.athleteId } } as const;
  await changeRow(transaction, transferResource, row, { status }, note);
}

/**
 * Completes the transfer that waits for a membership. Call it before the membership becomes ACTIVE, because the athlete leaves the previous
 * organization first. Both parties of the new membership agreed, and the athlete's account can end the previous one.
 * Throws Problem validation_failed (422) if the previous membership started later.
 */
export async function completeTransferTo(transaction: WriteTransaction, { id }: MembershipRow): Promise<void> {
  const row = await lockPending(transaction, id);
  if (!row) return;
  const left = await lockMembership(transaction, row.fromMembershipId);
  if (left) await leave(transaction, left, row);
  await settle(transaction, row, 'COMPLETED');
}

/** Cancels the transfer that waits for a membership. */
export async function cancelTransferTo(transaction: WriteTransaction, { id }: MembershipRow): Promise<void> {
  const row = await lockPending(transaction, id);
  if (row) await settle(transaction, row, 'CANCELLED');
}
