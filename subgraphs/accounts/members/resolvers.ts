/** Resolvers of members and invitations. */
import { hasFullAccess, owns } from '../../../schema/viewer.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { forAdministrators, forMembers, forMemberScope, forScope, requireAdministratorOrMember } from '../access.ts';
import type { AccountReads } from '../accounts/reads.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { ActorNames } from '../portal-users/actor-names.ts';
import type { PortalUserReads } from '../portal-users/reads.ts';
import type { SecondFactors } from '../sign-in/second-factors.ts';
import { createInvitationWrites } from './invitations.ts';
import type { MemberReads } from './reads.ts';
import { createMemberWrites } from './writes.ts';

/** Members read the contact and billing data of the account of the request only: of others, name and status. */
const noContact = { email: null, legalName: null, billingAddress: null, vatId: null, reverseCharge: false } as const;

interface Reads {
  readonly accounts: AccountReads;
  readonly members: MemberReads;
  readonly users: PortalUserReads;
  readonly factors: SecondFactors;
  readonly names: ActorNames;
}

/** Members: visible to the members of the account, managed by its owners and by administrators. */
export function memberResolvers(services: AreaServices, { accounts, members, users, factors, names }: Reads) {
  const invitations = createInvitationWrites(services);
  const writes = createMemberWrites(services);
  const manage = requireAdministratorOrMember('administration:write', 'members:write');
  return {
    Query: {
      accountMembers: forMembers((_, context, { accountId }) => context.load(members.ofAccounts, accountId)),
      accountInvitations: forMemberScope('members:write')((_, context, { accountId }) =>
        context.load(members.openInvitationsOf, accountId),
      ),
    },
    Mutation: {
      invitePortalUser: forScope('administration:write')((args, context) => invitations.invite(context, args)),
      inviteMember: forMemberScope('members:write')((args, context, { accountId }) =>
        invitations.invite(context, { ...args, accountId }),
      ),
      withdrawInvitation: manage(({ id }, context) => invitations.withdraw(context, id)),
      changeMemberRole: manage(({ id, role }, context) => writes.changeRole(context, id, role)),
      removeMember: manage(({ id }, context) => writes.remove(context, id)),
      leaveAccount: forMembers((_, context) => writes.leave(context)),
    },
    Account: {
      members: forAdministrators((_, context, { id }) => context.load(members.ofAccounts, id)),
      invitations: forAdministrators((_, context, { id }) => context.load(members.openInvitationsOf, id)),
    },
    AccountMember: {
      async account({ accountId }, _, context) {
        const account = await context.load(accounts.byId, accountId);
        if (account === null) throw new Error('The account of a member does not exist');
        return hasFullAccess(context.viewer) || owns(context.viewer, accountId) ? account : { ...account, ...noContact };
      },
      user: forAdministrators(async (_, context, { userId }) => {
        const user = await context.load(users.byId, userId);
        if (user === null) throw new Error('The user of a member does not exist');
        return user;
      }),
      hasSecondFactor: ({ userId }, _, context) => context.load(factors.areEnrolled, userId),
      isCurrent: ({ userId, accountId }, _, { viewer }) => viewer.member?.userId === userId && viewer.accountId === accountId,
    },
    AccountInvitation: {
      invitedBy: ({ invitedBy }, _, context) => names.nameOf(invitedBy, context),
    },
  } satisfies Resolvers;
}
