/** The scouting area: prospects, matches, recommendations, shortlists and contact requests. */
import type { AreaDefinition } from '../runtime/subgraph.ts';
import { scoutingConstraints } from './constraints.ts';
import { scoutingConsumers } from './projections/consumers.ts';
import { scoutingResolvers } from './resolvers.ts';

export const scouting: AreaDefinition = {
  name: 'scouting',
  resolvers: scoutingResolvers,
  constraints: scoutingConstraints,
  consumers: scoutingConsumers,
};
