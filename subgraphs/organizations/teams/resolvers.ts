/** Resolvers of teams. */
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import type { Reads } from '../reads.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { createImageUrlOf } from '../organizations/image-url.ts';
import { createTeamBatch } from './batch.ts';
import type { TeamRow } from './rows.ts';
import { createTeamWrites } from './writes.ts';

export function teamResolvers(services: AreaServices, { organizations, teams, memberships }: Reads): Resolvers {
  const imageUrlOf = createImageUrlOf(services);
  const writes = createTeamWrites(services, teams);
  const upsert = createTeamBatch(services);

  type OfOrganization = Pick<TeamRow, 'organizationId'>;

  const organizationOf = async ({ organizationId }: OfOrganization, context: Context) =>
    organizationId === null ? null : context.load(organizations.byId, organizationId);

  const crestOf = async (team: OfOrganization, context: Context): Promise<string | null> => {
    const organization = await organizationOf(team, context);
    return organization && imageUrlOf(organization);
  };

  /** The short name of a team; without one that of its organization. */
  const shortNameOf = async (team: OfOrganization & { shortName?: string | null | undefined }, context: Context) =>
    team.shortName ?? (await organizationOf(team, context))?.shortName ?? null;

  return {
    Query: {
      teams: (_, args, context) => teams.list(context, args),
      teamsByName: async (_, args, context) => {
        const found = await teams.byName(context, args);
        const named = found.map(async (team) => ({
          ...team,
          shortName: await shortNameOf(team, context),
          imageUrl: await crestOf(team, context),
        }));
        return Promise.all(named);
      },
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
      organization: (team, _, context) => organizationOf(team, context),
      shortName: (team, _, context) => shortNameOf(team, context),
      imageUrl: (team, _, context) => crestOf(team, context),
      externalIds: ({ id }, _, context) => context.load(teams.externalIds, id),
      members: ({ id }, { first, after }, context) => context.load(memberships.pagesOfTeams, { owner: id, first, after }),
    },
  };
}
