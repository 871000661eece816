/** Resolvers of the match data that other areas compute statistics from. */
import type { AreaServices } from '../../runtime/subgraph.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { createMatchIds } from './match-ids.ts';
import { readMatchFacts } from './reads.ts';

export function participationResolvers(services: AreaServices): Resolvers {
  const matchIds = createMatchIds(services);
  return {
    Query: {
      matchIdsOf: (_, args) => matchIds(args),
      matchesById: (_, { ids }) => readMatchFacts(services.database, ids),
    },
  };
}
