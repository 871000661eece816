/** Resolvers of brackets. */
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { placingsOf } from '../rankings/bracket-placings.ts';
import type { Reads } from '../reads.ts';
import type { Resolvers } from '../generated/resolvers.ts';

export function bracketResolvers(_: AreaServices, { brackets, matches, participants }: Reads): Resolvers {
  const participant = (id: string | null, context: Context) => (id === null ? null : context.load(participants.byId, id));

  return {
    Query: { bracket: (_parent, args, context) => brackets.read(context, args) },
    Bracket: {
      rounds: ({ rounds }) => [...rounds],
      placings: (bracket) => placingsOf(bracket),
      champion: ({ championId }, _args, context) => participant(championId, context),
      runnerUp: ({ runnerUpId }, _args, context) => participant(runnerUpId, context),
      thirdPlace: ({ thirdPlaceId }, _args, context) => participant(thirdPlaceId, context),
      fourthPlace: ({ fourthPlaceId }, _args, context) => participant(fourthPlaceId, context),
    },
    BracketPlacing: { participant: ({ participantId }, _args, context) => participant(participantId, context) },
    BracketTie: {
      matches: async ({ matchIds }, _args, context) => {
        const found = await Promise.all(matchIds.map((id) => context.load(matches.byId, id)));
        return found.filter((each) => each !== null);
      },
      advanced: ({ advancedId }, _args, context) => participant(advancedId, context),
    },
    BracketSlot: {
      participant: ({ participantId }, _args, context) => participant(participantId, context),
      sourceTieId: ({ source }) => source?.tieId ?? null,
      sourceOutcome: ({ source }) => source?.outcome ?? null,
    },
  };
}
