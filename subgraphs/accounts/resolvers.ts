/** Assembles the resolvers of the accounts area from its resources. */
import type { AreaServices } from '../runtime/subgraph.ts';
import { createAccountReads } from './accounts/reads.ts';
import { accountResolvers } from './accounts/resolvers.ts';
import { createAdministratorReads } from './administrators/reads.ts';
import { administratorResolvers } from './administrators/resolvers.ts';
import { createSessionReads } from './administrators/sessions.ts';
import { createApiKeyReads } from './api-keys/reads.ts';
import { apiKeyResolvers } from './api-keys/resolvers.ts';
import { auditResolvers } from './audit/resolvers.ts';
import { eventDeliveryResolvers } from './event-delivery/resolvers.ts';
import { eventLogResolvers } from './event-log/resolvers.ts';
import { nodeResolvers } from './nodes/resolvers.ts';
import { eventResolvers } from './events/resolvers.ts';
import { createContracts } from './plans/contracts.ts';
import { createPlanReads } from './plans/reads.ts';
import { planResolvers } from './plans/resolvers.ts';
import { overviewResolvers } from './platform-overview/resolvers.ts';
import { registeredDocumentResolvers } from './registered-documents/resolvers.ts';
import { reportResolvers } from './reports/resolvers.ts';
import type { Resolvers } from './generated/resolvers.ts';
import { searchResolvers } from './search/resolvers.ts';
import { signInResolvers } from './sign-in/resolvers.ts';
import { statusResolvers } from './status/resolvers.ts';
import { statementResolvers, usageResolvers } from './usage/resolvers.ts';
import { webhookResolvers } from './webhooks/resolvers.ts';

/** Merges the resolvers of several resources: each may add fields to the same type. */
function mergeResolvers(parts: readonly Resolvers[]): Resolvers {
  const merged: Record<string, object> = {};
  for (const part of parts)
    for (const [type, fields] of Object.entries(part)) merged[type] = Object.assign({}, merged[type], fields);
  return merged;
}

/** @throws Error without secrets, from which the pepper of API keys is derived */
export function createAccountsResolvers(services: AreaServices): Resolvers {
  const { secrets } = services;
  if (!secrets) throw new Error('The accounts area requires `secrets` to derive the pepper of API keys.');
  const accounts = createAccountReads(services);
  const administrators = createAdministratorReads(services);
  const sessions = createSessionReads(services);
  const plans = createPlanReads(services);
  const contracts = createContracts(services, plans);
  const keys = createApiKeyReads(services);
  return mergeResolvers([
    accountResolvers(services, accounts),
    planResolvers(services, plans, contracts),
    apiKeyResolvers(services, secrets, { accounts, administrators, contracts, keys, plans }),
    usageResolvers(services, accounts, keys),
    statementResolvers(services),
    administratorResolvers(services, administrators, sessions),
    signInResolvers(services, administrators, sessions),
    auditResolvers(services, administrators, keys),
    eventDeliveryResolvers(services),
    registeredDocumentResolvers(services),
    reportResolvers(services, accounts, administrators),
    overviewResolvers(services),
    statusResolvers(services),
    nodeResolvers(),
    eventResolvers(services),
    eventLogResolvers(services, accounts),
    webhookResolvers(services, secrets, accounts),
    searchResolvers(),
  ]);
}
