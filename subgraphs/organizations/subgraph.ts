/** The organizations area: clubs, academies, universities and recruiters, their teams, and their memberships. */
import type { AreaDefinition } from '../runtime/subgraph.ts';
import { organizationConstraints } from './constraints.ts';
import { organizationConsumers } from './projections/consumers.ts';
import { areaResolvers } from './resolvers.ts';

export const organizations: AreaDefinition = {
  name: 'organizations',
  resolvers: areaResolvers,
  constraints: organizationConstraints,
  consumers: organizationConsumers,
};
