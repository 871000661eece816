/** Resolvers of competitions, seasons and the registry of sports: one line a field. */
import { sportRegistry } from '../../../schema/sport-registry.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { rulesOf, shownRules } from '../ranking-rules/rules.ts';
import type { Resolvers } from '../resolvers.generated.ts';
import { competitionResource } from './reads.ts';
import { createCompetitionWrites } from './writes.ts';
import { createSeasonWrites } from '../seasons/writes.ts';
import type { Stores } from '../reads.ts';

export function competitionResolvers(services: AreaServices, { competitions, seasons }: Stores): Resolvers {
  const competitionWrites = createCompetitionWrites(services, competitions);
  const seasonWrites = createSeasonWrites(services, seasons);

  return {
    Query: {
      competitions: (_, args, context) => competitions.list(context, args),
      competition: (_, { id }, context) => context.load(competitions.byId, id),
      seasons: (_, args, context) => seasons.list(context, args),
      season: (_, { id }, context) => context.load(seasons.byId, id),
      sports: () => ({ nodes: [...sportRegistry] }),
      competitionsById: async (_, { ids }) =>
        (await competitions.read(ids)).map((row) => ({ ...row, public: competitionResource.isPublic(row) })),
      seasonsById: async (_, { ids }) => (await seasons.read(ids)).map((row) => ({ ...row, public: row.published })),
    },
    Mutation: {
      createCompetition: (_, { input, idempotencyKey }, context) => competitionWrites.create(context, input, idempotencyKey),
      updateCompetition: (_, { id, input, ifMatch }, context) => competitionWrites.update(context, id, input, ifMatch),
      deleteCompetition: async (_, { id, ifMatch }, context) => {
        await competitionWrites.remove(context, id, ifMatch);
        return { id, deleted: true };
      },
      publishCompetition: (_, args, context) => competitionWrites.transition(context, 'publish', args),
      archiveCompetition: (_, args, context) => competitionWrites.transition(context, 'archive', args),
      upsertCompetitions: (_, { items, idempotencyKey }, context) => competitionWrites.upsert(context, items, idempotencyKey),
      createSeason: (_, { input, idempotencyKey }, context) => seasonWrites.create(context, input, idempotencyKey),
      updateSeason: (_, { id, input, ifMatch }, context) => seasonWrites.update(context, id, input, ifMatch),
      startSeason: (_, args, context) => seasonWrites.transition(context, 'start', args),
      finishSeason: (_, args, context) => seasonWrites.transition(context, 'finish', args),
      archiveSeason: (_, args, context) => seasonWrites.transition(context, 'archive', args),
      cancelSeason: (_, args, context) => seasonWrites.transition(context, 'cancel', args),
      upsertSeasons: (_, { items, idempotencyKey }, context) => seasonWrites.upsert(context, items, idempotencyKey),
    },
    Competition: {
      __resolveReference: ({ id }, context) => context.load(competitions.byId, id),
      organizer: ({ organizerId }) => (organizerId === null ? null : { id: organizerId }),
      rankingRules: (row) => shownRules(rulesOf(row)),
      externalIds: ({ id }, _, context) => context.load(competitions.externalIds, id),
      seasons: ({ id }, { first, after }, context) => context.load(seasons.pagesOfCompetitions, { owner: id, first, after }),
    },
    Organization: {
      competitions: ({ id }, { first, after }, context) =>
        context.load(competitions.pagesOfOrganizers, { owner: id, first, after }),
    },
    SportEvent: { members: ({ members }) => members ?? null },
    SportMetric: {
      integer: ({ valueType }) => valueType === 'INTEGER',
      positions: ({ positions }) => (positions ? [...positions] : null),
    },
    Season: {
      __resolveReference: ({ id }, context) => context.load(seasons.byId, id),
      competition: async ({ id, competitionId }, _, context) => {
        const competition = await context.load(competitions.byId, competitionId);
        if (!competition) throw new Error(`season ${id} is shown without its competition`);
        return competition;
      },
      rankingRules: (row) => shownRules(rulesOf(row)),
      externalIds: ({ id }, _, context) => context.load(seasons.externalIds, id),
    },
  };
}
