/** Resolvers of the scouting area: one line a field. */
import { exportOf } from '../clients/athlete-facts.ts';
import { redirectTo } from '../clients/athlete-redirect.ts';
import type { AreaServices } from '../runtime/subgraph.ts';
import { expectedScore, matchModelVersion } from './matching/match.ts';
import { listOpportunityMatches } from './opportunity-matches/reads.ts';
import { keptResolvers } from './shortlists/resolvers.ts';
import { recommendationResolvers } from './recommendations/resolvers.ts';
import type { Resolvers } from './resolvers.generated.ts';
import { cohortOf, createProspectReads, comparedNumbersOf, scoreOfRow } from './prospects/reads.ts';

export function scoutingResolvers(services: AreaServices): Resolvers {
  const prospects = createProspectReads(services);
  const kept = keptResolvers(services);
  const recommending = recommendationResolvers(services);

  return {
    ...kept,
    ...recommending,
    Query: {
      ...kept.Query,
      ...recommending.Query,
      prospects: (_, args, context) => {
        context.notes.person = true;
        return prospects.list(context, args);
      },
      talentDiscovery: (_, args, context) => {
        context.notes.person = true;
        return prospects.list(context, args);
      },
      prospect: async (_, { athleteId }, context) => {
        context.notes.person = true;
        return (await context.load(prospects.byAthlete, athleteId)) ?? redirectTo(context, athleteId);
      },
      opportunityMatches: async (_, args, context) => ({ nodes: await listOpportunityMatches(context, args) }),
    },
    Mutation: { ...kept.Mutation, ...recommending.Mutation },
    AthleteExport: {
      ...kept.AthleteExport,
      ...recommending.AthleteExport,
      __resolveReference: (reference, context) => exportOf(context, reference),
      prospect: ({ id }, _, context) => context.load(prospects.byAthlete, id),
    },
    Prospect: {
      athlete: ({ athleteId }) => ({ ref: athleteId }),
      components: (row) => scoreOfRow(row).components,
      trend: (row) => scoreOfRow(row).trend,
      percentile: (row) => scoreOfRow(row).percentile,
      ageAdjustedPercentile: (row) => scoreOfRow(row).ageAdjustedPercentile,
      growthPercentile: (row) => scoreOfRow(row).growthPercentile,
      cohort: (row) => cohortOf(row),
      numbers: (row) => comparedNumbersOf(row),
    },
    TalentDiscovery: {
      facets: (discovered) => prospects.facets(discovered),
    },
    OpportunityMatch: {
      athlete: ({ athleteId }) => ({ ref: athleteId }),
      opportunity: ({ opportunityId }) => ({ id: opportunityId }),
      expectedScore: (match) => expectedScore(match),
      modelVersion: () => matchModelVersion,
    },
  };
}
