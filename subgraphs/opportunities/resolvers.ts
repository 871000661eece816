/** Resolvers of the opportunities area. */
import type { AreaServices } from '../runtime/subgraph.ts';
import { applicationResolvers } from './applications/resolvers.ts';
import { createOpportunityReads } from './opportunities/reads.ts';
import { opportunityResolvers } from './opportunities/resolvers.ts';
import type { Resolvers } from './generated/resolvers.ts';

export function opportunitiesResolvers(services: AreaServices): Resolvers {
  const reads = createOpportunityReads(services);
  const opportunities = opportunityResolvers(services, reads);
  const applications = applicationResolvers(services, reads);

  return {
    ...opportunities,
    ...applications,
    Query: { ...opportunities.Query, ...applications.Query },
    Mutation: { ...opportunities.Mutation, ...applications.Mutation },
    Opportunity: { ...opportunities.Opportunity, ...applications.Opportunity },
  };
}
