/** Resolvers of the competitions data in the export of an athlete. */
import { exportOf } from '../../clients/athlete-facts.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import type { Reads } from '../reads.ts';
import type { Resolvers } from '../generated/resolvers.ts';

export function athleteExportResolvers(_services: AreaServices, { matches, replays, results }: Reads): Resolvers {
  return {
    AthleteExport: {
      __resolveReference: (reference, context) => exportOf(context, reference),
      matches: ({ id }, { first, after }, context) => context.load(matches.pagesOfAthletes, { owner: id, first, after }),
      results: ({ id }, { first, after }, context) => context.load(results.pagesOfAthletes, { owner: id, first, after }),
      replays: ({ id }, { first, after }, context) => context.load(replays.pagesExported, { owner: id, first, after }),
    },
  };
}
