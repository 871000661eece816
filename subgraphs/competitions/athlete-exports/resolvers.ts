/** Resolvers of what competitions add to the export of an athlete: one line a field. */
import { exportOf } from '../../clients/athlete-facts.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import type { Resolvers } from '../resolvers.generated.ts';
import type { Stores } from '../reads.ts';

export function exportResolvers(_services: AreaServices, { matches, replays, results }: Stores): Resolvers {
  return {
    AthleteExport: {
      __resolveReference: (reference, context) => exportOf(context, reference),
      matches: ({ id }, { first, after }, context) => context.load(matches.pagesOfAthletes, { owner: id, first, after }),
      results: ({ id }, { first, after }, context) => context.load(results.pagesOfAthletes, { owner: id, first, after }),
      replays: ({ id }, { first, after }, context) => context.load(replays.pagesExported, { owner: id, first, after }),
    },
  };
}
