/** Resolvers of recommendations. */
import { Problem } from '../../../schema/errors.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { expectedScore, matchModelVersion } from '../matching/match.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { createFeedbackStore } from './feedback.ts';
import { createRecommendationReads } from './reads.ts';
import { readRecipientKey } from './recipient.ts';
import { decodeRecommendationId, subjectTypeOf } from './recommendation-id.ts';

export function recommendationResolvers(services: AreaServices) {
  const feedback = createFeedbackStore(services);
  const recommendations = createRecommendationReads(services.expensiveDatabase, feedback);

  return {
    Query: {
      recommendations: async (_, args, context) => {
        const nodes = await context.load(recommendations.ofRecipients, { ...readRecipientKey(args), first: args.first });
        return nodes && { nodes };
      },
    },
    Mutation: {
      giveRecommendationFeedback: async (_, args, context) => {
        const key = decodeRecommendationId(args.id);
        const recommendation = key && (await recommendations.one(context, key));
        if (recommendation === null) throw new Problem('not_found', `There is no recommendation with the ID ${args.id}.`);
        return { ...recommendation, feedback: (await feedback.give(context, recommendation, args)).feedback };
      },
    },
    AthleteExport: {
      recommendationFeedback: ({ id }, _, context) => context.load(feedback.counts, id),
    },
    Athlete: {
      recommendedOpportunities: async ({ ref }, { first }, context) => {
        const nodes = await context.load(recommendations.ofRecipients, { type: 'ATHLETE', id: ref, first });
        return nodes && { nodes };
      },
    },
    Opportunity: {
      recommendedAthletes: async ({ id }, { first }, context) => {
        const nodes = await context.load(recommendations.ofRecipients, { type: 'OPPORTUNITY', id, first });
        return nodes && { nodes };
      },
    },
    Recommendation: {
      subject: ({ recipientType }) => subjectTypeOf(recipientType),
      athlete: ({ recipientType, recipientId, subjectId }) => ({ ref: recipientType === 'ATHLETE' ? recipientId : subjectId }),
      opportunity: ({ recipientType, recipientId, subjectId }) =>
        recipientType === 'ORGANIZATION' ? null : { id: recipientType === 'ATHLETE' ? subjectId : recipientId },
      organization: ({ recipientType, recipientId }) => (recipientType === 'ORGANIZATION' ? { id: recipientId } : null),
      score: ({ fit }) => fit.score ?? 0,
      expectedScore: ({ fit }) => expectedScore(fit) ?? 0,
      confidence: ({ fit }) => fit.confidence,
      reasons: ({ fit }) => [...fit.components],
      eligible: ({ fit }) => fit.eligible,
      modelVersion: () => matchModelVersion,
    },
  } satisfies Resolvers;
}
