/** The competitions area: leagues, cups, tournaments and meets with their seasons, matches, results and rankings. */
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
