/** The accounts area: plans, accounts, the keys they hold, and what those have used. */
import type { AreaDefinition } from '../runtime/subgraph.ts';
import { accountConstraints } from './constraints.ts';
import { accountConsumers } from './projections/consumers.ts';
import { accountResolvers } from './resolvers.ts';

export const accounts: AreaDefinition = {
  name: 'accounts',
  resolvers: accountResolvers,
  constraints: accountConstraints,
  consumers: accountConsumers,
};
