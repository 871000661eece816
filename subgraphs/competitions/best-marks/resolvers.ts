/** Resolvers of personal bests. */
import { eventOf } from '../../../schema/sports.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { displayMark } from '../rankings/mark.ts';
import type { Reads } from '../reads.ts';
import type { Resolvers } from '../generated/resolvers.ts';

export function bestMarkResolvers(_: AreaServices, { personalBests, matches }: Reads): Resolvers {
  return {
    Athlete: {
      personalBests: ({ ref }, _args, context) => context.load(personalBests, ref),
    },
    PersonalBest: {
      discipline: ({ sport, eventCode }) => eventOf(sport, eventCode)?.discipline ?? null,
      course: ({ course }) => course || null,
      mark: ({ value, unit }) => ({ value, unit, display: displayMark(value, unit) }),
      match: ({ matchId }, _args, context) => context.load(matches.byId, matchId),
    },
  };
}
