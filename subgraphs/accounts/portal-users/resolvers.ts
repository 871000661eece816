/** Resolvers of portal users. */
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { forAdministrators, forMembers, forScope, requireMember } from '../access.ts';
import type { AccountReads } from '../accounts/reads.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { MemberReads } from '../members/reads.ts';
import { readAccountPlans } from '../own-keys/account-plan.ts';
import type { PlanReads } from '../plans/reads.ts';
import { planKey } from '../plans/rows.ts';
import type { SecondFactors } from '../sign-in/second-factors.ts';
import { userPasskeys, userSessions } from './population.ts';
import type { PortalUserReads } from './reads.ts';
import { createPortalUserWrites } from './writes.ts';

const managed = forScope('administration:write');

interface Reads {
  readonly accounts: AccountReads;
  readonly members: MemberReads;
  readonly plans: PlanReads;
  readonly users: PortalUserReads;
  readonly factors: SecondFactors;
}

/** A row that a foreign key guarantees. */
function required<Row>(row: Row | null): Row {
  if (row === null) throw new Error('A row that a foreign key refers to does not exist');
  return row;
}

/** Whether the viewer is the user, or an administrator. Colleagues do not read each other's memberships and sessions. */
const isOwn = (id: string, { viewer }: Context): boolean => viewer.member === undefined || viewer.member.userId === id;

/** Users of the portal: each reads the own profile, administrators read all. */
export function portalUserResolvers(services: AreaServices, { accounts, members, plans, users, factors }: Reads) {
  const { database, resetTestData } = services;
  const writes = createPortalUserWrites(services, factors);
  const sessionsOf = userSessions.ofPersons(database);
  const haveRegistered = userPasskeys.areRegistered(database);
  const planOf = async (accountId: string, context: Context) => {
    const [version] = await readAccountPlans(database, [accountId]);
    return required(version ? await context.load(plans.byVersion, planKey(version)) : null);
  };
  return {
    Query: {
      member: (_, __, { viewer }) => ({ ...requireMember(viewer), scopes: viewer.scopes }),
      portalUsers: forAdministrators((args) => users.list(args)),
      portalUser: forAdministrators(({ id }, context) => context.load(users.byId, id)),
    },
    Mutation: {
      updateOwnProfile: forMembers(({ name }, context, { userId }) => writes.rename(context, userId, name)),
      endOwnSession: forMembers(({ id }, context, { userId }) => writes.endSession(context, userId, id)),
      endPortalUserSessions: managed(({ id }, context) => writes.endSessions(context, id)),
      resetPortalUser: managed(({ id }, context) => writes.reset(context, id)),
      disablePortalUser: managed(({ id, reason }, context) => writes.disable(context, id, reason)),
      enablePortalUser: managed(({ id }, context) => writes.enable(context, id)),
      erasePortalUser: forScope('administrators:write')(({ id }, context) => writes.erase(context, id)),
      removePortalUserSecondFactor: managed(({ id }, context) => writes.removeSecondFactor(context, id)),
    },
    Member: {
      user: async ({ userId }, _, context) => required(await context.load(users.byId, userId)),
      account: async ({ accountId }, _, context) => required(await context.load(accounts.byId, accountId)),
      plan: ({ accountId }, _, context) => planOf(accountId, context),
      scopes: ({ scopes }) => [...scopes],
      testMode: () => resetTestData !== undefined,
    },
    PortalUser: {
      hasSecondFactor: ({ id }, _, context) => context.load(factors.areEnrolled, id),
      hasPasskeys: ({ id }, _, context) => context.load(haveRegistered, id),
      memberships: ({ id }, _, context) => (isOwn(id, context) ? context.load(members.ofUsers, id) : null),
      sessions: ({ id }, _, context) => (isOwn(id, context) ? context.load(sessionsOf, id) : null),
    },
    PortalSession: {
      current: ({ id }, _, { viewer }) => viewer.member?.sessionId === id,
    },
  } satisfies Resolvers;
}
