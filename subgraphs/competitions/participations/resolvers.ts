/** Resolvers of what areas ask that count participations. */
import type { AreaServices } from '../../runtime/subgraph.ts';
import type { Resolvers } from '../resolvers.generated.ts';
import { createMatchIds } from './match-ids.ts';

export function countingResolvers(services: AreaServices): Resolvers {
  const matchIds = createMatchIds(services);
  return { Query: { matchIdsOf: (_, args) => matchIds(args) } };
}
