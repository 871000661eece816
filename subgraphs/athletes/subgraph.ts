/** The athletes area: profiles, consents, statistics, discovery. */
import type { AreaDefinition } from '../runtime/subgraph.ts';
import { athleteConstraints } from './constraints.ts';
import { athleteConsumers } from './projections/consumers.ts';
import { areaResolvers } from './resolvers.ts';

export const athletes: AreaDefinition = {
  name: 'athletes',
  resolvers: areaResolvers,
  constraints: athleteConstraints,
  consumers: athleteConsumers,
};
