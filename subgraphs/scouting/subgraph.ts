/** The scouting area: prospects, scored over its own projection of athletes; shortlists, and contact requests. */
import type { AreaDefinition } from '../runtime/subgraph.ts';
import { scoutingConstraints } from './constraints.ts';
import { removedAthletesConsumer } from './projections/removed-athletes.ts';
import { openOpportunityConsumers } from './projections/open-opportunities.ts';
import { scoutingConsumers } from './projections/consumers.ts';
import { scoutingResolvers } from './resolvers.ts';

export const scouting: AreaDefinition = {
  name: 'scouting',
  resolvers: scoutingResolvers,
  constraints: scoutingConstraints,
  consumers: (services) => [
    ...scoutingConsumers(services),
    ...openOpportunityConsumers(services),
    removedAthletesConsumer(services),
  ],
};
