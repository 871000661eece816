/** The scouting area: prospects, scored over its own projection of athletes; shortlists, and contact requests. */
import type { AreaDefinition } from '../runtime/subgraph.ts';
import { scoutingConstraints } from './constraints.ts';
import { keptConsumer } from './store/departed.ts';
import { openOpportunityConsumers } from './store/open-opportunity.ts';
import { scoutingConsumers } from './store/projection.ts';
import { scoutingResolvers } from './resolvers.ts';

export const scouting: AreaDefinition = {
  name: 'scouting',
  resolvers: scoutingResolvers,
  constraints: scoutingConstraints,
  consumers: (services) => [...scoutingConsumers(services), ...openOpportunityConsumers(services), keptConsumer(services)],
};
