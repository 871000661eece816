/** Resolvers of match actions. */
import type { AreaServices } from '../../runtime/subgraph.ts';
import type { Reads } from '../reads.ts';
import { athleteReference } from '../references.ts';
import { loadRequired } from '../required-reads.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { createMatchActionWrites } from './writes.ts';

export function matchActionResolvers(services: AreaServices, { actions, matches, participants }: Reads): Resolvers {
  const writes = createMatchActionWrites(services, actions);

  return {
    Query: { matchAction: (_, { matchId, id }, context) => actions.one(context, matchId, id) },
    Mutation: {
      createMatchAction: (_, { matchId, input, idempotencyKey }, context) =>
        writes.create(context, matchId, input, idempotencyKey),
      updateMatchAction: (_, { input, ...path }, context) => writes.update(context, path, input),
      deleteMatchAction: async (_, path, context) => {
        await writes.remove(context, path);
        return { id: path.id, deleted: true };
      },
    },
    Match: { actions: ({ id }, _, context) => context.load(actions.ofMatches, id) },
    MatchAction: {
      match: ({ matchId }, _, context) => loadRequired(context, matches.byId, matchId),
      participant: ({ participantId }, _, context) =>
        participantId === null ? null : context.load(participants.byId, participantId),
      athlete: ({ athleteId }) => athleteReference(athleteId),
      assist: ({ assistId }) => athleteReference(assistId),
    },
  };
}
