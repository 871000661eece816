/** Writes of members: roles, removals and the acceptance of invitations with an open session. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { resourceNotFound } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { Problem } from '../../../schema/errors.ts';
import type { MemberRole } from '../../../schema/member-roles.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { requireMember } from '../access.ts';
import type { MutationAcceptInvitationArgs } from '../generated/resolvers.ts';
import { userPopulation } from '../portal-users/population.ts';
import { actingAs, writeResult } from '../sign-in/session-start.ts';
import type { SessionRow } from '../sign-in/sessions.ts';
import { joinByInvitation, lockInvitation } from './acceptance.ts';
import { lockInvitationsOf, withdrawInvitations } from './invitations.ts';
import { lockVisible } from './locks.ts';
import { memberRows, members, type MemberRow } from './rows.ts';

/** Locks the members of an account: otherwise two owners who remove each other concurrently would leave none. */
const lockMembers = (transaction: Queryable, accountId: string) =>
  transaction.query(
    sql`/* members.lockAccount */ select pg_advisory_xact_lock(hashtextextended('account members ' || ${accountId}, 0))`,
  );

/** Throws Problem conflict (409) for the last owner of an account who can sign in. */
async function requireOtherOwner(transaction: Queryable, { id, accountId, role }: MemberRow): Promise<void> {
  if (role !== 'OWNER') return;
  const others = await transaction.query(sql`/* members.otherOwner */ select 1 as one
    from account_member m join portal_user u on u.id = m.user_id
    where m.account_id = ${accountId} and m.role = 'OWNER' and m.removed_at is null and m.id <> ${id} and u.status = 'ACTIVE' limit 1`);
  if (others.length === 0)
    throw new Problem('conflict', 'This member is the last owner of the account. Give another member the role OWNER first.');
}

/** Writes of members over the area's database. */
export function createMemberWrites({ database, writer }: AreaServices) {
  /** Locks the members of the account, then one, and runs the change. An owner who does not stay one loses the invitations that are still open. */
  function change(
    context: Context,
    id: string,
    work: (transaction: WriteTransaction, before: MemberRow) => Promise<MemberRow>,
  ): Promise<MemberRow> {
    return writer.write(context, async (transaction) => {
      const [found] = await transaction.query<MemberRow>(
        sql`/* members.find */ select ${members.columns} from account_member where id = ${id}`,
      );
      if (!found) throw resourceNotFound('account_member', id);
      const invited = await lockInvitationsOf(transaction, found.accountId, found.userId);
      await lockMembers(transaction, found.accountId);
      const before = await lockVisible(transaction, memberRows, context.viewer, id);
      if (before.removedAt !== null) throw new Problem('invalid_transition', 'This member was already removed.');
      const after = await work(transaction, before);
      if (after.role !== 'OWNER' || after.removedAt !== null) await withdrawInvitations(transaction, invited);
      return after;
    });
  }

  const remove = (context: Context, id: string, action: string): Promise<MemberRow> =>
    change(context, id, async (transaction, before) => {
      await requireOtherOwner(transaction, before);
      return memberRows.change(transaction, before, {}, { action }, { removed_at: sql`now()` });
    });

  return {
    /** Throws Problem not_found (404), invalid_transition (409: removed) or conflict (409: the last owner). */
    changeRole(context: Context, id: string, role: MemberRole): Promise<MemberRow> {
      return change(context, id, async (transaction, before) => {
        if (before.role === role) return before;
        await requireOtherOwner(transaction, before);
        return memberRows.change(transaction, before, { role }, { action: 'role_changed' });
      });
    },
    /** Throws Problem not_found (404), invalid_transition (409: removed) or conflict (409: the last owner). */
    remove: (context: Context, id: string): Promise<MemberRow> => remove(context, id, 'removed'),
    /** Throws Problem conflict (409: the last owner). */
    async leave(context: Context): Promise<MemberRow> {
      const { userId, accountId } = requireMember(context.viewer);
      const [own] = await database.query<{ id: string }>(sql`/* members.own */ select id from account_member
        where account_id = ${accountId} and user_id = ${userId} and removed_at is null`);
      if (!own) throw new Problem('account_unavailable', 'You are not a member of this account.');
      return remove(context, own.id, 'left');
    },
    /**
     * The user of an open session joins the account of an invitation. Null if the session has ended. Throws Problem gone (410: used, withdrawn
     * or expired), conflict (409: already a member) or account_unavailable (403: the invitation is for another address).
     */
    async accept({ sessionToken, token, address }: MutationAcceptInvitationArgs): Promise<SessionRow | null> {
      const { sessions } = userPopulation;
      const session = await sessions.open(database, sessionToken);
      if (!session) return null;
      const person = { id: session.personId };
      return writeResult(writer, actingAs(userPopulation, person, address), async (transaction) => {
        const { email } = await userPopulation.lock(transaction, person.id);
        const invitation = await lockInvitation(transaction, token);
        if (invitation.email.toLowerCase() !== email.toLowerCase())
          throw new Problem(
            'account_unavailable',
            `This invitation is for another address than ${email}. Sign in with that address.`,
          );
        await lockMembers(transaction, invitation.accountId);
        await joinByInvitation(transaction, invitation, person.id);
        return session;
      });
    },
  };
}
