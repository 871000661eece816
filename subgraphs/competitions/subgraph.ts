/** The competitions area: leagues, cups, tournaments and meets, and their seasons. */
import type { AreaDefinition } from '../runtime/subgraph.ts';
import { competitionConstraints } from './constraints.ts';
import { competitionConsumers } from './projections/consumers.ts';
import { areaResolvers } from './resolvers.ts';

export const competitions: AreaDefinition = {
  name: 'competitions',
  resolvers: areaResolvers,
  constraints: competitionConstraints,
  consumers: competitionConsumers,
};
