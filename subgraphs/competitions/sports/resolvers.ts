/** Resolvers of the sports registry. */
import { sportRegistry } from '../../../schema/sport-registry.ts';
import type { Resolvers } from '../generated/resolvers.ts';

export function sportResolvers(): Resolvers {
  return {
    Query: {
      sports: (_, __, { viewer }) => ({
        nodes: sportRegistry.filter(({ sport }) => viewer.sport === null || sport === viewer.sport),
      }),
    },
    SportEvent: { members: ({ members }) => members ?? null },
    SportMetric: {
      integer: ({ valueType }) => valueType === 'INTEGER',
      positions: ({ positions }) => (positions ? [...positions] : null),
    },
  };
}
