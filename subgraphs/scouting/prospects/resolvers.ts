/** Resolvers of prospects. */
import { exportOf } from '../../clients/athlete-facts.ts';
import { redirectTo } from '../../clients/athlete-redirect.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { ProspectReads } from './reads.ts';
import { cohortOf, comparedNumbersOf, radarOf, scoreOfRow, uncomparedNumbersOf } from './row-score.ts';

export function prospectResolvers(prospects: ProspectReads) {
  return {
    Query: {
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
    },
    AthleteExport: {
      __resolveReference: (reference, context) => exportOf(context, reference),
      prospect: ({ id }, _, context) => context.load(prospects.byAthlete, id),
    },
    Prospect: {
      athlete: ({ athleteId }) => ({ ref: athleteId }),
      components: (row) => scoreOfRow(row).components,
      scoreLowerBound: (row) => scoreOfRow(row).lowerBound,
      trend: (row) => scoreOfRow(row).trend,
      percentile: (row) => scoreOfRow(row).percentile,
      ageAdjustedPercentile: (row) => scoreOfRow(row).ageAdjustedPercentile,
      growthPercentile: (row) => scoreOfRow(row).growthPercentile,
      cohort: (row) => cohortOf(row),
      radar: (row) => radarOf(row),
      coverage: (row) => scoreOfRow(row).coverage,
      numbers: (row) => comparedNumbersOf(row),
      uncomparedNumbers: (row) => uncomparedNumbersOf(row),
    },
    TalentDiscovery: {
      facets: (discovery) => prospects.facets(discovery),
    },
  } satisfies Resolvers;
}
