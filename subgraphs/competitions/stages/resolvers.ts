/** Resolvers of stages. */
import type { AreaServices } from '../../runtime/subgraph.ts';
import { rulesForApi } from '../ranking-rules/rules.ts';
import type { Reads } from '../reads.ts';
import { loadRequired } from '../required-reads.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { createPartWrites } from '../season-parts/writes.ts';
import { stageDescription } from './writes.ts';

export function stageResolvers(services: AreaServices, { contests, seasons, stages }: Reads): Resolvers {
  const writes = createPartWrites(services, stages, stageDescription);

  return {
    Query: {
      stages: (_, args, context) => stages.list(context, args),
      stage: (_, path, context) => stages.one(context, path),
    },
    Mutation: {
      createStage: (_, { seasonId, input, idempotencyKey }, context) => writes.create(context, seasonId, input, idempotencyKey),
      updateStage: (_, { input, ifMatch, ...path }, context) => writes.update(context, path, input, ifMatch),
      deleteStage: (_, { ifMatch, ...path }, context) => writes.remove(context, path, ifMatch),
      upsertStages: (_, { seasonId, items, idempotencyKey }, context) => writes.upsert(context, seasonId, items, idempotencyKey),
    },
    Season: {
      stages: ({ id }, { first, after }, context) => context.load(stages.pagesOfSeasons, { owner: id, first, after }),
    },
    Stage: {
      __resolveReference: ({ id }, context) => context.load(stages.byId, id),
      season: ({ seasonId }, _, context) => loadRequired(context, seasons.byId, seasonId),
      contest: ({ contestId }, _, context) => loadRequired(context, contests.byId, contestId),
      order: ({ ordinal }) => ordinal,
      rankingRules: ({ rankingRules }) => (rankingRules === null ? null : rulesForApi(rankingRules)),
      externalIds: ({ id }, _, context) => context.load(stages.externalIds, id),
    },
    CarryOver: {
      fromStage: ({ fromStageId }, _, context) => context.load(stages.byId, fromStageId),
    },
    Advancement: {
      toStage: ({ toStageId }, _, context) => (toStageId === null ? null : context.load(stages.byId, toStageId)),
    },
  };
}
