/** Resolvers of competitions. */
import type { AreaServices } from '../../runtime/subgraph.ts';
import { effectiveRules, rulesForApi } from '../ranking-rules/rules.ts';
import type { Reads } from '../reads.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { competitionResource, type CompetitionRow } from './rows.ts';
import { createCompetitionWrites } from './writes.ts';

export function competitionResolvers(services: AreaServices, { competitions, seasons }: Reads): Resolvers {
  const writes = createCompetitionWrites(services, competitions);

  const emblemOf = ({ imageId }: Pick<CompetitionRow, 'imageId'>): string | null =>
    imageId === null ? null : services.images.urlOf(imageId);

  return {
    Query: {
      competitions: (_, args, context) => competitions.list(context, args),
      competitionsByName: async (_, args, context) => {
        const found = await competitions.byName(context, args);
        return found.map((competition) => ({ ...competition, imageUrl: emblemOf(competition) }));
      },
      competition: (_, { id }, context) => context.load(competitions.byId, id),
      competitionsById: async (_, { ids }) =>
        (await competitions.read(ids)).map((row) => ({ ...row, public: competitionResource.isPublic(row) })),
    },
    Mutation: {
      createCompetition: (_, { input, idempotencyKey }, context) => writes.create(context, input, idempotencyKey),
      updateCompetition: (_, { id, input, ifMatch }, context) => writes.update(context, id, input, ifMatch),
      deleteCompetition: async (_, { id, ifMatch }, context) => {
        await writes.remove(context, id, ifMatch);
        return { id, deleted: true };
      },
      setCompetitionImage: (_, args, context) => writes.setImage(context, args),
      removeCompetitionImage: (_, args, context) => writes.setImage(context, { ...args, image: null }),
      publishCompetition: (_, args, context) => writes.transition(context, 'publish', args),
      archiveCompetition: (_, args, context) => writes.transition(context, 'archive', args),
      upsertCompetitions: (_, { items, idempotencyKey }, context) => writes.upsert(context, items, idempotencyKey),
    },
    Competition: {
      __resolveReference: ({ id }, context) => context.load(competitions.byId, id),
      organizer: ({ organizerId }) => (organizerId === null ? null : { id: organizerId }),
      imageUrl: emblemOf,
      rankingRules: (row) => rulesForApi(effectiveRules(row)),
      externalIds: ({ id }, _, context) => context.load(competitions.externalIds, id),
      promotesTo: ({ promotesToId }, _, context) =>
        promotesToId === null ? null : context.load(competitions.byId, promotesToId),
      relegatesTo: ({ id }, _, context) => context.load(competitions.relegations, id),
      currentSeason: ({ id }, _, context) => context.load(seasons.currentOfCompetitions, id),
      seasons: ({ id }, { first, after }, context) => context.load(seasons.pagesOfCompetitions, { owner: id, first, after }),
    },
    Organization: {
      competitions: ({ id }, { first, after }, context) =>
        context.load(competitions.pagesOfOrganizers, { owner: id, first, after }),
    },
  };
}
