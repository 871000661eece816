/** Resolvers of the organizations area: one line a field. */
import { exportOf, visibleAthleteIds } from '../clients/athlete-facts.ts';
import { redirectTo } from '../clients/athlete-redirect.ts';
import type { AreaServices } from '../runtime/subgraph.ts';
import type { Resolvers } from './resolvers.generated.ts';
import { createAthleteMemberships } from './memberships/athlete-memberships.ts';
import { createMembershipReads } from './memberships/reads.ts';
import { createMembershipWrites } from './memberships/writes.ts';
import { createOrganizationReads } from './organizations/reads.ts';
import { createOrganizationWrites } from './organizations/writes.ts';
import { createTeamReads } from './teams/reads.ts';
import { createTeamWrites } from './teams/writes.ts';

const deleted = ({ id }: { id: string }) => ({ id, deleted: true });

export function organizationResolvers(services: AreaServices): Resolvers {
  const teams = createTeamReads(services);
  const teamWrites = createTeamWrites(services, teams);
  const organizations = createOrganizationReads(services);
  const organizationWrites = createOrganizationWrites(services, organizations, teamWrites);
  const memberships = createMembershipReads(services);
  const { ofAthletes, exported } = createAthleteMemberships(services);
  const membershipWrites = createMembershipWrites(services, memberships, {
    organizations: organizations.read,
    teams: teams.read,
  });

  return {
    Query: {
      organizations: (_, args, context) => organizations.list(context, args),
      organization: (_, { id }, context) => context.load(organizations.byId, id),
      teams: (_, args, context) => teams.list(context, args),
      team: (_, { id }, context) => context.load(teams.byId, id),
      organizationMembers: async (_, args, context) =>
        (await context.load(organizations.byId, args.organizationId)) && memberships.ofOrganization(context, args),
      memberships: (_, args, context) => memberships.list(context, args),
      athleteMemberships: async (_, { athleteId, asOf, first, after }, context) => {
        const known = await visibleAthleteIds(context, [athleteId]);
        return known.has(athleteId)
          ? context.load(ofAthletes, { owner: athleteId, asOf: asOf ?? null, first, after })
          : redirectTo(context, athleteId);
      },
      membership: (_, { id }, context) => context.load(memberships.byId, id),
      teamsById: async (_, { ids }) => (await teams.read(ids)).map((row) => ({ ...row, public: row.published })),
      membershipsById: (_, { ids }) => memberships.read(ids),
      athleteOrganizations: (_, { ids }) => memberships.organizationsOf(ids),
      organizationOwners: async (_, { ids }) =>
        (await organizations.read(ids)).map(({ id, version, accountId, status, verification, safeguarding }) => ({
          id,
          version,
          accountId,
          status,
          verified: status === 'ACTIVE' && verification.status === 'VERIFIED',
          safeguarded: !!safeguarding?.officerName,
        })),
    },
    Mutation: {
      createOrganization: (_, { input, idempotencyKey }, context) => organizationWrites.create(context, input, idempotencyKey),
      updateOrganization: (_, { id, input, ifMatch }, context) => organizationWrites.update(context, id, input, ifMatch),
      deleteOrganization: async (_, { id, ifMatch }, context) => deleted(await organizationWrites.remove(context, id, ifMatch)),
      activateOrganization: (_, args, context) => organizationWrites.transition(context, 'activate', args),
      closeOrganization: (_, args, context) => organizationWrites.transition(context, 'close', args),
      suspendOrganization: (_, args, context) => organizationWrites.transition(context, 'suspend', args),
      reinstateOrganization: (_, args, context) => organizationWrites.transition(context, 'reinstate', args),
      verifyOrganization: (_, { method, ...args }, context) =>
        organizationWrites.decide(context, 'verify', { ...args, reason: method }),
      rejectOrganization: (_, args, context) => organizationWrites.decide(context, 'reject', args),
      upsertOrganizations: (_, { items, idempotencyKey }, context) => organizationWrites.upsert(context, items, idempotencyKey),
      createTeam: (_, { input, idempotencyKey }, context) => teamWrites.create(context, input, idempotencyKey),
      updateTeam: (_, { id, input, ifMatch }, context) => teamWrites.update(context, id, input, ifMatch),
      deleteTeam: async (_, { id, ifMatch }, context) => deleted(await teamWrites.remove(context, id, ifMatch)),
      upsertTeams: (_, { items, idempotencyKey }, context) => teamWrites.upsert(context, items, idempotencyKey),
      createMembership: (_, { input, idempotencyKey }, context) => membershipWrites.create(context, input, idempotencyKey),
      updateMembership: (_, { id, input, ifMatch }, context) => membershipWrites.update(context, id, input, ifMatch),
      confirmMembership: (_, args, context) => membershipWrites.transition(context, 'confirm', args),
      declineMembership: (_, args, context) => membershipWrites.transition(context, 'decline', args),
      loanMembership: (_, args, context) => membershipWrites.transition(context, 'loan', args),
      recallMembership: (_, args, context) => membershipWrites.transition(context, 'recall', args),
      endMembership: (_, args, context) => membershipWrites.transition(context, 'end', args),
      transferMembership: (_, { id, input, idempotencyKey }, context) =>
        membershipWrites.transfer(context, id, input, idempotencyKey),
      upsertMemberships: (_, { items, idempotencyKey }, context) => membershipWrites.upsert(context, items, idempotencyKey),
    },
    Organization: {
      __resolveReference: ({ id }, context) => context.load(organizations.byId, id),
      parentOrganization: ({ parentOrganizationId }, _, context) =>
        parentOrganizationId === null ? null : context.load(organizations.byId, parentOrganizationId),
      externalIds: ({ id }, _, context) => context.load(organizations.externalIds, id),
      teams: ({ id }, { first, after }, context) => context.load(teams.pagesOfOrganizations, { owner: id, first, after }),
      members: ({ id }, { first, after }, context) => context.load(memberships.pagesOfOrganizations, { owner: id, first, after }),
    },
    Team: {
      __resolveReference: ({ id }, context) => context.load(teams.byId, id),
      organization: ({ organizationId }, _, context) =>
        organizationId === null ? null : context.load(organizations.byId, organizationId),
      externalIds: ({ id }, _, context) => context.load(teams.externalIds, id),
      members: ({ id }, { first, after }, context) => context.load(memberships.pagesOfTeams, { owner: id, first, after }),
    },
    Athlete: {
      memberships: ({ ref }, { asOf, first, after }, context) =>
        context.load(ofAthletes, { owner: ref, asOf: asOf ?? null, first, after }),
    },
    AthleteExport: {
      __resolveReference: (reference, context) => exportOf(context, reference),
      memberships: ({ id }, { first, after }, context) => context.load(exported, { owner: id, first, after }),
    },
    Membership: {
      __resolveReference: ({ id }, context) => context.load(memberships.byId, id),
      athlete: ({ athleteId }) => (athleteId === null ? null : { ref: athleteId }),
      organization: ({ organizationId }, _, context) =>
        organizationId === null ? null : context.load(organizations.byId, organizationId),
      team: ({ teamId }, _, context) => (teamId === null ? null : context.load(teams.byId, teamId)),
      externalIds: ({ id }, _, context) => context.load(memberships.externalIds, id),
    },
  };
}
