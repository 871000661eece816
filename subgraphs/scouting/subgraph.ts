/** The scouting area: prospects, scored over its own projection of athletes. */
import type { AreaDefinition } from '../subgraph.ts';
import { scoutingConsumers } from './store/projection.ts';
import { scoutingResolvers } from './resolvers.ts';

export const scouting: AreaDefinition = {
  name: 'scouting',
  resolvers: scoutingResolvers,
  constraints: {},
  consumers: scoutingConsumers,
};
