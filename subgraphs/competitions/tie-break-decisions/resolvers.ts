/** Resolvers of tie-break decisions. */
import type { AreaServices } from '../../runtime/subgraph.ts';
import type { Reads } from '../reads.ts';
import { loadRequired } from '../required-reads.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { createPartWrites } from '../season-parts/writes.ts';
import { tieBreakDecisionDescription } from './writes.ts';

export function tieBreakDecisionResolvers(
  services: AreaServices,
  { participants, seasons, stages, tieBreakDecisions }: Reads,
): Resolvers {
  const writes = createPartWrites(services, tieBreakDecisions, tieBreakDecisionDescription);

  return {
    Query: {
      tieBreakDecisions: (_, args, context) => tieBreakDecisions.list(context, args),
      tieBreakDecision: (_, path, context) => tieBreakDecisions.one(context, path),
    },
    Mutation: {
      createTieBreakDecision: (_, { seasonId, input, idempotencyKey }, context) =>
        writes.create(context, seasonId, input, idempotencyKey),
      updateTieBreakDecision: (_, { input, ifMatch, ...path }, context) => writes.update(context, path, input, ifMatch),
      deleteTieBreakDecision: (_, { ifMatch, ...path }, context) => writes.remove(context, path, ifMatch),
      upsertTieBreakDecisions: (_, { seasonId, items, idempotencyKey }, context) =>
        writes.upsert(context, seasonId, items, idempotencyKey),
    },
    TieBreakDecision: {
      __resolveReference: ({ id }, context) => context.load(tieBreakDecisions.byId, id),
      season: ({ seasonId }, _, context) => loadRequired(context, seasons.byId, seasonId),
      stage: ({ stageId }, _, context) => loadRequired(context, stages.byId, stageId),
      group: ({ groupName }) => groupName,
      participants: ({ participantIds }, _, context) =>
        Promise.all(participantIds.map((id) => loadRequired(context, participants.byId, id))),
      externalIds: ({ id }, _, context) => context.load(tieBreakDecisions.externalIds, id),
    },
  };
}
