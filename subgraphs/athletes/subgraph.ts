/** The athletes area: profiles, who may see them, and statistics. */
import type { AreaDefinition } from '../runtime/subgraph.ts';
import { athleteConstraints } from './constraints.ts';
import { athleteConsumers } from './projections/consumers.ts';
import { athleteResolvers } from './resolvers.ts';

export const athletes: AreaDefinition = {
  name: 'athletes',
  resolvers: athleteResolvers,
  constraints: athleteConstraints,
  consumers: athleteConsumers,
};
