/** Resolvers of the scouting area: one line a field. */
import { exportOf } from '../athlete-facts.ts';
import type { AreaServices } from '../subgraph.ts';
import type { Resolvers } from './resolvers.generated.ts';
import { createProspectStore } from './store/prospect.ts';

export function scoutingResolvers(services: AreaServices): Resolvers {
  const prospects = createProspectStore(services);

  return {
    Query: {
      prospects: (_, args, context) => {
        context.notes.person = true;
        return prospects.list(context, args);
      },
      prospect: (_, { athleteId }, context) => {
        context.notes.person = true;
        return context.load(prospects.byAthlete, athleteId);
      },
    },
    AthleteExport: {
      __resolveReference: (reference, context) => exportOf(context, reference),
      prospect: ({ id }, _, context) => context.load(prospects.byAthlete, id),
    },
    Prospect: {
      athlete: ({ athleteId }) => ({ ref: athleteId }),
      cohort: (row) => row,
    },
    Cohort: {
      n: ({ cohort }, _, context) => context.load(prospects.cohortSizes, cohort),
    },
  };
}
