/** Acceptance of invitations: the holder of a link joins the account, once and until it expires. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { hashToken } from '../sign-in/sessions.ts';
import { invalidLink } from '../sign-in/setup-links.ts';
import { invitationRows, invitations, memberRows, type InvitationRow, type MemberRow } from './rows.ts';

/** An open invitation with what the page of its link shows. */
export interface FoundInvitation extends InvitationRow {
  readonly accountName: string;
  /** Whether the address belongs to a user, who accepts with an open session. Must not reach the page of the link: its author could read it there. */
  readonly isKnownUser: boolean;
}

/** Invitations that were neither used nor withdrawn and have not expired, to active accounts. */
const isOpen = sql`account_invitation.accepted_at is null and account_invitation.withdrawn_at is null
  and account_invitation.expires_at > now() and a.status = 'ACTIVE'`;

const from = sql`account_invitation join account a on a.id = account_invitation.account_id`;

/** The open invitation of a token, locked if `isLocked`; null for an invalid one. */
export async function findInvitation(queryable: Queryable, token: string, isLocked = false): Promise<FoundInvitation | null> {
  const [row] = await queryable.query<FoundInvitation>(sql`/* invitations.find */
    select ${invitations.columns}, a.name as "accountName",
      exists (select from portal_user u where lower(u.email) = lower(account_invitation.email)) as "isKnownUser"
    from ${from} where account_invitation.token_hash = ${hashToken(token)} and ${isOpen}
    ${isLocked ? sql`for update of account_invitation` : sql``}`);
  return row ?? null;
}

/** An invitation that is locked for its acceptance. `isByOperator`: an administrator invited, so that the link confirms the address. */
export async function lockInvitation(
  transaction: Queryable,
  token: string,
): Promise<FoundInvitation & { readonly isByOperator: boolean }> {
  const invitation = await findInvitation(transaction, token, true);
  if (!invitation) throw invalidLink('Ask for a new invitation.');
  return { ...invitation, isByOperator: !invitation.invitedBy.startsWith('user:') };
}

/** Uses a locked invitation: the user becomes a member. Throws the conflict of a user who is a member (409). */
export async function joinByInvitation(
  transaction: WriteTransaction,
  invitation: InvitationRow,
  userId: string,
): Promise<MemberRow> {
  const { accountId, role } = invitation;
  await invitationRows.change(transaction, invitation, {}, { action: 'accepted' }, { accepted_at: sql`now()` });
  return memberRows.insert(transaction, { accountId, userId, role }, { action: 'joined' });
}

const byOperator = sql`not starts_with(account_invitation.invited_by, 'user:')`;

/** Who invited an address: an administrator, only members of accounts, or nobody (null). */
export async function inviterOf(queryable: Queryable, email: string): Promise<'OPERATOR' | 'MEMBER' | null> {
  const [row] = await queryable.query<{ isByOperator: boolean | null }>(sql`/* invitations.ofEmail */
    select bool_or(${byOperator}) as "isByOperator" from ${from}
    where lower(account_invitation.email) = lower(${email}) and ${isOpen}`);
  if (row?.isByOperator == null) return null;
  return row.isByOperator ? 'OPERATOR' : 'MEMBER';
}

/**
 * Accepts the open invitations of administrators for a new user, whose address a provider verified. Anyone with an account can invite any address:
 * the user accepts an invitation of a member with its link.
 */
export async function acceptInvitationsOfOperator(
  transaction: WriteTransaction,
  { id, email }: { readonly id: string; readonly email: string },
): Promise<void> {
  const rows = await transaction.query<InvitationRow>(sql`/* invitations.lockOfEmail */ select ${invitations.columns}
    from ${from} where lower(account_invitation.email) = lower(${email}) and ${isOpen} and ${byOperator}
    order by account_invitation.id for update of account_invitation`);
  for (const row of rows) await joinByInvitation(transaction, row, id);
}
