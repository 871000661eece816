/** The accounts area: plans, accounts, API keys and their usage, events and webhooks, administrators, audit log and reports. */
import type { AreaDefinition } from '../runtime/subgraph.ts';
import { accountConstraints } from './constraints.ts';
import { accountConsumers } from './projections/consumers.ts';
import { createAccountsResolvers } from './resolvers.ts';
import { accountWorkers } from './workers.ts';

export const accounts: AreaDefinition = {
  name: 'accounts',
  resolvers: createAccountsResolvers,
  constraints: accountConstraints,
  consumers: accountConsumers,
  workers: accountWorkers,
};
