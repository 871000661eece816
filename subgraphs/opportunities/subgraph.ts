/** The opportunities area: scholarships, trials, showcases and talent requests. */
import type { AreaDefinition } from '../runtime/subgraph.ts';
import { opportunityConstraints } from './constraints.ts';
import { opportunityConsumers } from './projections/consumers.ts';
import { opportunityResolvers } from './resolvers.ts';

export const opportunities: AreaDefinition = {
  name: 'opportunities',
  resolvers: opportunityResolvers,
  constraints: opportunityConstraints,
  consumers: opportunityConsumers,
};
