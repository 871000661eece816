/** Resolvers of suggestions and discovery. */
import { metric } from '../../../schema/metrics.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { selectedColumns } from '../athletes/selected-columns.ts';
import type { Reads } from '../reads.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { createDiscovery } from './reads.ts';
import { createSuggestions } from './suggestions.ts';

export function discoveryResolvers(services: AreaServices, { athletes }: Reads): Resolvers {
  const suggestions = createSuggestions(services);
  const discovery = createDiscovery(services);

  return {
    Query: {
      athleteSuggestions: async (_, args, context) => ({ nodes: await suggestions(context, args) }),
      athleteDiscovery: (_, { sport }, { viewer }) => ({ sport: sport ?? viewer.sport }),
    },
    AthleteDiscovery: {
      count: async (of, _, context) => (await discovery.counters(of, context)).count,
      facets: async (of, _, context) => (await discovery.counters(of, context)).facets,
      rising: (of, { first }, context) => discovery.rising(context, of, first),
      newlyVerified: (of, { first }, context, info) =>
        discovery.curated(context, of, 'newlyVerified', first, selectedColumns.ofNodes(info, context.viewer)),
      openToOpportunities: (of, { first }, context, info) =>
        discovery.curated(context, of, 'openToOpportunities', first, selectedColumns.ofNodes(info, context.viewer)),
    },
    RisingAthlete: {
      athlete: ({ athleteId }, _, context) => context.load(athletes.byId, athleteId),
      unit: ({ metric: key }) => metric(key)?.unit ?? 'count',
    },
  };
}
