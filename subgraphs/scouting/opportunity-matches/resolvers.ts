/** Resolvers of opportunity matches. */
import { expectedScore, matchModelVersion } from '../matching/match.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { listOpportunityMatches } from './reads.ts';

export const opportunityMatchResolvers = {
  Query: {
    opportunityMatches: async (_, args, context) => ({ nodes: await listOpportunityMatches(context, args) }),
  },
  OpportunityMatch: {
    athlete: ({ athleteId }) => ({ ref: athleteId }),
    opportunity: ({ opportunityId }) => ({ id: opportunityId }),
    expectedScore: (match) => expectedScore(match),
    modelVersion: () => matchModelVersion,
  },
} satisfies Resolvers;
