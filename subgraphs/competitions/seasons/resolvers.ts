/** Resolvers of seasons. */
import type { AreaServices } from '../../runtime/subgraph.ts';
import { effectiveRules, rulesForApi } from '../ranking-rules/rules.ts';
import type { Reads } from '../reads.ts';
import { loadRequired } from '../required-reads.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { createSeasonWrites } from './writes.ts';

export function seasonResolvers(services: AreaServices, { competitions, seasons, winners }: Reads): Resolvers {
  const writes = createSeasonWrites(services, seasons);

  return {
    Query: {
      seasons: (_, args, context) => seasons.list(context, args),
      season: (_, { id }, context) => context.load(seasons.byId, id),
      seasonsById: async (_, { ids }) => (await seasons.read(ids)).map((row) => ({ ...row, public: row.published })),
    },
    Mutation: {
      createSeason: (_, { input, idempotencyKey }, context) => writes.create(context, input, idempotencyKey),
      updateSeason: (_, { id, input, ifMatch }, context) => writes.update(context, id, input, ifMatch),
      startSeason: (_, args, context) => writes.transition(context, 'start', args),
      finishSeason: (_, args, context) => writes.transition(context, 'finish', args),
      archiveSeason: (_, args, context) => writes.transition(context, 'archive', args),
      cancelSeason: (_, args, context) => writes.transition(context, 'cancel', args),
      upsertSeasons: (_, { items, idempotencyKey }, context) => writes.upsert(context, items, idempotencyKey),
    },
    Season: {
      __resolveReference: ({ id }, context) => context.load(seasons.byId, id),
      competition: ({ competitionId }, _, context) => loadRequired(context, competitions.byId, competitionId),
      rankingRules: (row) => rulesForApi(effectiveRules(row)),
      currentMatchday: ({ id }, _, context) => context.load(seasons.currentMatchdays, id),
      winner: (season, _, context) => winners.read(context, season),
      externalIds: ({ id }, _, context) => context.load(seasons.externalIds, id),
    },
  };
}
