/** Resolvers of teams. */
import type { AreaServices } from '../../runtime/subgraph.ts';
import type { Reads } from '../reads.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { createImageUrlOf } from '../organizations/image-url.ts';
import { createTeamBatch } from './batch.ts';
import { createTeamWrites } from './writes.ts';

export function teamResolvers(services: AreaServices, { organizations, teams, memberships }: Reads): Resolvers {
  const imageUrlOf = createImageUrlOf(services);
  const writes = createTeamWrites(services, teams);
  const upsert = createTeamBatch(services);

  return {
    Query: {
      teams: (_, args, context) => teams.list(context, args),
      teamsByName: (_, args, context) => teams.byName(context, args),
      team: (_, { id }, context) => context.load(teams.byId, id),
      teamsById: async (_, { ids }) => (await teams.read(ids)).map((row) => ({ ...row, public: row.published })),
    },
    Mutation: {
      createTeam: (_, { input, idempotencyKey }, context) => writes.create(context, input, idempotencyKey),
      updateTeam: (_, { id, input, ifMatch }, context) => writes.update(context, id, input, ifMatch),
      deleteTeam: async (_, { id, ifMatch }, context) => {
        await writes.remove(context, id, ifMatch);
        return { id, deleted: true };
      },
      upsertTeams: (_, { items, idempotencyKey }, context) => upsert(context, items, idempotencyKey),
    },
    Team: {
      __resolveReference: ({ id }, context) => context.load(teams.byId, id),
      organization: ({ organizationId }, _, context) =>
        organizationId === null ? null : context.load(organizations.byId, organizationId),
      imageUrl: async ({ organizationId }, _, context) => {
        const organization = organizationId === null ? null : await context.load(organizations.byId, organizationId);
        return organization && imageUrlOf(organization);
      },
      externalIds: ({ id }, _, context) => context.load(teams.externalIds, id),
      members: ({ id }, { first, after }, context) => context.load(memberships.pagesOfTeams, { owner: id, first, after }),
    },
  };
}
