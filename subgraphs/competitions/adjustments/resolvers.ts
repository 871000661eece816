/** Resolvers of adjustments. */
import type { AreaServices } from '../../runtime/subgraph.ts';
import type { Reads } from '../reads.ts';
import { loadRequired } from '../required-reads.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { createPartWrites } from '../season-parts/writes.ts';
import { adjustmentDescription } from './writes.ts';

export function adjustmentResolvers(services: AreaServices, { adjustments, participants, seasons, stages }: Reads): Resolvers {
  const writes = createPartWrites(services, adjustments, adjustmentDescription);

  return {
    Query: {
      adjustments: (_, args, context) => adjustments.list(context, args),
      adjustment: (_, path, context) => adjustments.one(context, path),
    },
    Mutation: {
      createAdjustment: (_, { seasonId, input, idempotencyKey }, context) =>
        writes.create(context, seasonId, input, idempotencyKey),
      updateAdjustment: (_, { input, ifMatch, ...path }, context) => writes.update(context, path, input, ifMatch),
      deleteAdjustment: (_, { ifMatch, ...path }, context) => writes.remove(context, path, ifMatch),
      upsertAdjustments: (_, { seasonId, items, idempotencyKey }, context) =>
        writes.upsert(context, seasonId, items, idempotencyKey),
    },
    Adjustment: {
      __resolveReference: ({ id }, context) => context.load(adjustments.byId, id),
      season: ({ seasonId }, _, context) => loadRequired(context, seasons.byId, seasonId),
      stage: ({ stageId }, _, context) => loadRequired(context, stages.byId, stageId),
      participant: ({ participantId }, _, context) => loadRequired(context, participants.byId, participantId),
      externalIds: ({ id }, _, context) => context.load(adjustments.externalIds, id),
    },
  };
}
