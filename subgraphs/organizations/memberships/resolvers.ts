/** Resolvers of memberships, including those of athletes and of their exports. */
import { exportOf } from '../../clients/athlete-facts.ts';
import { redirectTo } from '../../clients/athlete-redirect.ts';
import { isProfileReadable } from '../../clients/readable-profile.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import type { Reads } from '../reads.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { createAthleteMemberships } from './athlete-memberships.ts';
import { createMembershipBatch } from './batch.ts';
import { createMembershipWrites } from './writes.ts';

export function membershipResolvers(services: AreaServices, reads: Reads): Resolvers {
  const { organizations, teams, memberships } = reads;
  const { ofAthletes, exported } = createAthleteMemberships(services);
  const writes = createMembershipWrites(services, memberships, reads);
  const upsert = createMembershipBatch(services, reads);

  return {
    Query: {
      organizationMembers: async (_, args, context) =>
        (await context.load(organizations.byId, args.organizationId)) && memberships.ofOrganization(context, args),
      memberships: (_, args, context) => memberships.list(context, args),
      athleteMemberships: async (_, { athleteId, asOf, first, after }, context) =>
        (await isProfileReadable(context, athleteId))
          ? context.load(ofAthletes, { owner: athleteId, asOf: asOf ?? null, first, after })
          : redirectTo(context, athleteId),
      membership: (_, { id }, context) => context.load(memberships.byId, id),
      membershipsById: (_, { ids }) => memberships.read(ids),
      athleteOrganizations: (_, { ids }) => memberships.organizationsOf(ids),
    },
    Mutation: {
      createMembership: (_, { input, idempotencyKey }, context) => writes.create(context, input, idempotencyKey),
      updateMembership: (_, { id, input, ifMatch }, context) => writes.update(context, id, input, ifMatch),
      confirmMembership: (_, args, context) => writes.transition(context, 'confirm', args),
      declineMembership: (_, args, context) => writes.transition(context, 'decline', args),
      loanMembership: (_, args, context) => writes.transition(context, 'loan', args),
      recallMembership: (_, args, context) => writes.transition(context, 'recall', args),
      endMembership: (_, args, context) => writes.transition(context, 'end', args),
      transferMembership: (_, { id, input, idempotencyKey }, context) => writes.transfer(context, id, input, idempotencyKey),
      upsertMemberships: (_, { items, idempotencyKey }, context) => upsert(context, items, idempotencyKey),
    },
    Membership: {
      __resolveReference: ({ id }, context) => context.load(memberships.byId, id),
      athlete: ({ athleteId }) => (athleteId === null ? null : { ref: athleteId }),
      organization: ({ organizationId }, _, context) =>
        organizationId === null ? null : context.load(organizations.byId, organizationId),
      team: ({ teamId }, _, context) => (teamId === null ? null : context.load(teams.byId, teamId)),
      externalIds: ({ id }, _, context) => context.load(memberships.externalIds, id),
    },
    Athlete: {
      memberships: ({ ref }, { asOf, first, after }, context) =>
        context.load(ofAthletes, { owner: ref, asOf: asOf ?? null, first, after }),
    },
    AthleteExport: {
      __resolveReference: (reference, context) => exportOf(context, reference),
      memberships: ({ id }, { first, after }, context) => context.load(exported, { owner: id, first, after }),
    },
  };
}
