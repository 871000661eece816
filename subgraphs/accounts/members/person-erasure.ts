/** What accounts have of an erased portal user: memberships, and the email address in invitations. */
import { sql } from '../../../platform/database/database.ts';
import { eraseHistory } from '../../../platform/writes/erase-traces.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { withdrawInvitations } from './invitations.ts';
import { invitationRows, invitations, memberRows, members, type InvitationRow, type MemberRow } from './rows.ts';

interface Person {
  readonly id: string;
  readonly email: string;
}

/** Locks the invitations by and for a person, before the memberships: an acceptance locks in this order. */
const lockInvitations = (transaction: WriteTransaction, { id, email }: Person): Promise<InvitationRow[]> =>
  transaction.query<InvitationRow>(sql`/* invitations.lockOfPerson */ select ${invitations.columns} from account_invitation
    where lower(email) = lower(${email}) or invited_by = ${`user:${id}`} order by id for update`);

/** Removes a locked user from all accounts, withdraws the open invitations, and replaces the address in all invitations. */
export async function eraseFromAccounts(transaction: WriteTransaction, person: Person, erasedEmail: string): Promise<void> {
  const found = await lockInvitations(transaction, person);
  const memberships = await transaction.query<MemberRow>(sql`/* members.lockOfPerson */ select ${members.columns}
    from account_member where user_id = ${person.id} order by id for update`);
  await withdrawInvitations(
    transaction,
    found.filter(({ status }) => status === 'OPEN'),
  );
  for (const row of memberships.filter(({ removedAt }) => removedAt === null))
    await memberRows.change(transaction, row, {}, { action: 'removed' }, { removed_at: sql`now()` });
  const addressed = await transaction.query<{ id: string }>(sql`/* invitations.erase */ update account_invitation
    set email = ${erasedEmail} where lower(email) = lower(${person.email}) returning id`);
  await eraseHistory(
    transaction,
    invitationRows.type,
    addressed.map(({ id }) => id),
  );
  await eraseHistory(
    transaction,
    memberRows.type,
    memberships.map(({ id }) => id),
  );
}
