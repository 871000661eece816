/** Writes of invitations: administrators and owners invite, and withdraw invitations. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import type { MemberRole } from '../../../schema/member-roles.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { findAccount } from '../accounts/writes.ts';
import { actorOf } from '../administrators/actor.ts';
import { emailOf, emailViolations } from '../sign-in/email.ts';
import { createErasedBlocks } from '../sign-in/erased-blocks.ts';
import { createToken } from '../sign-in/sessions.ts';
import type { CreatedLink } from '../sign-in/setup-links.ts';
import { lockVisible } from './locks.ts';
import { invitationRows, invitations, type InvitationRow } from './rows.ts';

export interface NewInvitation extends CreatedLink {
  readonly invitation: InvitationRow;
}

interface Invited {
  readonly accountId: string;
  readonly email: string;
  readonly role: MemberRole;
}

const lifetime = sql`interval '7 days'`;

/** Maximum number of open invitations of an account, far above normal use. */
const openMax = 50;

/** Throws Problem conflict (409) if the address belongs to a member, or if the account has too many open invitations. */
async function requireInvitable(transaction: Queryable, { accountId, email }: Invited): Promise<void> {
  await transaction.query(
    sql`/* invitations.lockAccount */ select pg_advisory_xact_lock(hashtextextended('invitation ' || ${accountId}, 0))`,
  );
  const [state] = await transaction.query<{ isMember: boolean; open: number }>(sql`/* invitations.state */ select
    exists (select from account_member m join portal_user u on u.id = m.user_id
      where m.account_id = ${accountId} and m.removed_at is null and lower(u.email) = lower(${email})) as "isMember",
    (select count(*)::int from account_invitation i where i.account_id = ${accountId} and i.accepted_at is null
      and i.withdrawn_at is null and i.expires_at > now()) as open`);
  if (state?.isMember === true) throw new Problem('conflict', `${email} is already a member of the account.`);
  if ((state?.open ?? 0) >= openMax)
    throw new Problem('conflict', `The account has ${openMax} open invitations. Withdraw some of them first.`);
}

/** Withdraws the earlier invitation of the address, so that only the new link is valid. */
async function replaceEarlier(transaction: WriteTransaction, { accountId, email }: Invited): Promise<void> {
  const earlier = await transaction.query<InvitationRow>(sql`/* invitations.lockEarlier */ select ${invitations.columns}
    from account_invitation where account_id = ${accountId} and lower(email) = lower(${email})
      and accepted_at is null and withdrawn_at is null for update`);
  await withdrawInvitations(transaction, earlier);
}

/** Locks the open invitations of an account that a user made, before its members are locked: an acceptance locks in this order. */
export const lockInvitationsOf = (transaction: Queryable, accountId: string, userId: string): Promise<InvitationRow[]> =>
  transaction.query<InvitationRow>(sql`/* invitations.lockOfUser */ select ${invitations.columns} from account_invitation
    where account_id = ${accountId} and invited_by = ${`user:${userId}`} and accepted_at is null and withdrawn_at is null
      and expires_at > now() order by id for update`);

/** Withdraws locked invitations. */
export async function withdrawInvitations(transaction: WriteTransaction, rows: readonly InvitationRow[]): Promise<void> {
  for (const row of rows)
    await invitationRows.change(transaction, row, {}, { action: 'withdrawn' }, { withdrawn_at: sql`now()` });
}

/** Writes of invitations over the area's database. */
export function createInvitationWrites(services: AreaServices) {
  const { writer } = services;
  const blocks = createErasedBlocks(services);
  return {
    /** Throws Problem validation_failed (422) or conflict (409: a member, an inactive account, or too many invitations). */
    async invite(context: Context, given: Invited): Promise<NewInvitation> {
      const invited = { ...given, email: emailOf(given.email) };
      rejectInvalid(emailViolations(invited.email));
      const { token, hash } = createToken();
      const invitation = await writer.write(context, async (transaction) => {
        const account = await findAccount(transaction, invited.accountId);
        const detail = `There is no account with the ID ${invited.accountId}.`;
        rejectInvalid([account === null && { pointer: '/accountId', code: 'unknown_account', detail }]);
        if (account && account.status !== 'ACTIVE') throw new Problem('conflict', `The account "${account.name}" is not active.`);
        await requireInvitable(transaction, invited);
        await replaceEarlier(transaction, invited);
        if (!context.viewer.member) await blocks.lift(transaction, { name: 'USERS' }, invited.email);
        const values = { ...invited, invitedBy: actorOf(context.viewer) };
        const columns = { token_hash: sql`${hash}`, expires_at: sql`now() + ${lifetime}` };
        return invitationRows.insert(transaction, values, { action: 'invited' }, columns);
      });
      return { invitation, setupPath: `/portal/setup#${token}`, expiresAt: invitation.expiresAt };
    },
    /** Throws Problem not_found (404) or invalid_transition (409: used, withdrawn or expired). */
    withdraw(context: Context, id: string): Promise<InvitationRow> {
      return writer.write(context, async (transaction) => {
        const before = await lockVisible(transaction, invitationRows, context.viewer, id);
        if (before.status !== 'OPEN') throw new Problem('invalid_transition', 'This invitation is no longer open.');
        return invitationRows.change(transaction, before, {}, { action: 'withdrawn' }, { withdrawn_at: sql`now()` });
      });
    },
  };
}
