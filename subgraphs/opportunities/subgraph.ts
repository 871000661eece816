/** The opportunities area: scholarships, trials, showcases, talent requests and applications. */
import type { AreaDefinition } from '../runtime/subgraph.ts';
import { opportunityConstraints } from './constraints.ts';
import { opportunityConsumers } from './projections/consumers.ts';
import { opportunitiesResolvers } from './resolvers.ts';

export const opportunities: AreaDefinition = {
  name: 'opportunities',
  resolvers: opportunitiesResolvers,
  constraints: opportunityConstraints,
  consumers: opportunityConsumers,
};
