/** Resolvers of match entries and line-ups. */
import type { AreaServices } from '../../runtime/subgraph.ts';
import type { Reads } from '../reads.ts';
import { athleteReference } from '../references.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { createEntryWrites } from './writes.ts';

export function matchParticipantResolvers(services: AreaServices, { entries, matches, participants }: Reads): Resolvers {
  const writes = createEntryWrites(services, matches);

  return {
    Mutation: {
      addMatchParticipant: (_, { matchId, input, idempotencyKey }, context) =>
        writes.add(context, matchId, input, idempotencyKey),
      updateMatchParticipant: (_, { input, ...path }, context) => writes.update(context, path, input),
      removeMatchParticipant: (_, path, context) => writes.remove(context, path),
      setLineup: (_, { input, ...path }, context) => writes.setLineup(context, path, input),
    },
    Match: { participants: ({ id }, _, context) => context.load(entries, id) },
    MatchParticipant: {
      entryId: ({ id }) => id,
      participant: ({ participantId }, _, context) =>
        participantId === null ? null : context.load(participants.byId, participantId),
      placeholder: (entry) => (entry.placeholderText === null && entry.sourceMatchId === null ? null : entry),
    },
    Placeholder: {
      text: ({ placeholderText }) => placeholderText,
      sourceMatch: ({ sourceMatchId }, _, context) => (sourceMatchId === null ? null : context.load(matches.byId, sourceMatchId)),
      outcome: ({ sourceOutcome }) => sourceOutcome,
    },
    LineupEntry: { athlete: ({ athleteId }) => athleteReference(athleteId) },
  };
}
