/** The organizations area: clubs, academies, universities and recruiters, their teams, and who belongs to them. */
import type { AreaDefinition } from '../runtime/subgraph.ts';
import { organizationConstraints } from './constraints.ts';
import { organizationResolvers } from './resolvers.ts';
import { organizationConsumers } from './projections/consumers.ts';

export const organizations: AreaDefinition = {
  name: 'organizations',
  resolvers: organizationResolvers,
  constraints: organizationConstraints,
  consumers: organizationConsumers,
};
