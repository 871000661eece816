/** The account of a user who registers: with the plan `free`, and the user as its owner. */
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { insertAccount } from '../accounts/writes.ts';
import { memberRows, type MemberRow } from './rows.ts';

export async function createOwnAccount(
  transaction: WriteTransaction,
  userId: string,
  name: string,
  email: string | null,
): Promise<MemberRow> {
  const account = await insertAccount(transaction, { name, email });
  return memberRows.insert(transaction, { accountId: account.id, userId, role: 'OWNER' }, { action: 'created' });
}
