/** Resolvers of the sports registry. */
import { sportRegistry } from '../../../schema/sport-registry.ts';
import type { Resolvers } from '../resolvers.generated.ts';

export function sportResolvers(): Resolvers {
  return {
    Query: { sports: () => ({ nodes: [...sportRegistry] }) },
    SportEvent: { members: ({ members }) => members ?? null },
    SportMetric: {
      integer: ({ valueType }) => valueType === 'INTEGER',
      positions: ({ positions }) => (positions ? [...positions] : null),
    },
  };
}
