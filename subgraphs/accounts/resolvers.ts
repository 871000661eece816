/** Assembles the resolvers of the accounts area from its resources. */
import type { Secrets } from '../../platform/security/secrets.ts';
import type { AreaServices } from '../runtime/subgraph.ts';
import { activityResolvers } from './account-activity/resolvers.ts';
import { createAccountReads } from './accounts/reads.ts';
import { billingDataResolvers } from './invoices/billing-data.ts';
import { accountResolvers } from './accounts/resolvers.ts';
import { createAdministratorReads } from './administrators/reads.ts';
import { administratorResolvers } from './administrators/resolvers.ts';
import { announcementResolvers } from './announcements/resolvers.ts';
import { createApiKeyReads } from './api-keys/reads.ts';
import { apiKeyResolvers } from './api-keys/resolvers.ts';
import { auditResolvers } from './audit/resolvers.ts';
import { eventDeliveryResolvers } from './event-delivery/resolvers.ts';
import { eventLogResolvers } from './event-log/resolvers.ts';
import { nodeResolvers } from './nodes/resolvers.ts';
import { eventResolvers } from './events/resolvers.ts';
import { createMemberReads } from './members/reads.ts';
import { invoiceResolvers } from './invoices/resolvers.ts';
import { memberResolvers } from './members/resolvers.ts';
import { meterEventResolvers } from './meter-events/resolvers.ts';
import { ownKeyResolvers } from './own-keys/resolvers.ts';
import { planRequestResolvers } from './plan-requests/resolvers.ts';
import { createContracts } from './plans/contracts.ts';
import { createPlanReads } from './plans/reads.ts';
import { planResolvers } from './plans/resolvers.ts';
import { createActorNames } from './portal-users/actor-names.ts';
import { createPortalUserReads } from './portal-users/reads.ts';
import { portalUserResolvers } from './portal-users/resolvers.ts';
import { overviewResolvers } from './platform-overview/resolvers.ts';
import { registeredDocumentResolvers } from './registered-documents/resolvers.ts';
import { reportResolvers } from './reports/resolvers.ts';
import { requestResolvers } from './requests/resolvers.ts';
import type { Resolvers } from './generated/resolvers.ts';
import { searchResolvers } from './search/resolvers.ts';
import { createAllSecondFactors, signInResolvers } from './sign-in/resolvers.ts';
import { statusResolvers } from './status/resolvers.ts';
import { statementResolvers, usageResolvers } from './usage/resolvers.ts';
import { createStatementReads } from './usage/statements.ts';
import { testDataResolvers } from './test-data/resolvers.ts';
import { verificationRequestResolvers } from './verification-requests/resolvers.ts';
import { webhookResolvers } from './webhooks/resolvers.ts';

/** Merges the resolvers of several resources: each may add fields to the same type. */
function mergeResolvers(parts: readonly Resolvers[]): Resolvers {
  const merged: Record<string, object> = {};
  for (const part of parts)
    for (const [type, fields] of Object.entries(part)) merged[type] = Object.assign({}, merged[type], fields);
  return merged;
}

/** The reads that several resources share. */
function createReads(services: AreaServices, secrets: Secrets) {
  const administrators = createAdministratorReads(services);
  const plans = createPlanReads(services);
  const users = createPortalUserReads(services);
  return {
    accounts: createAccountReads(services),
    administrators,
    contracts: createContracts(services, plans),
    factors: createAllSecondFactors(services, secrets),
    keys: createApiKeyReads(services),
    members: createMemberReads(services.database, plans),
    names: createActorNames(administrators, users),
    plans,
    statements: createStatementReads(services),
    users,
  };
}

/** @throws Error without secrets, from which the pepper of API keys is derived */
export function createAccountsResolvers(services: AreaServices): Resolvers {
  const { secrets } = services;
  if (!secrets) throw new Error('The accounts area requires `secrets` to derive the pepper of API keys.');
  const reads = createReads(services, secrets);
  const { accounts, administrators, contracts, factors, keys, plans, statements, users } = reads;
  const ofUsers = { ...reads, factors: factors.USERS };
  return mergeResolvers([
    accountResolvers(services, accounts),
    billingDataResolvers(services),
    planResolvers(services, plans, contracts),
    apiKeyResolvers(services, secrets, reads),
    testDataResolvers(services),
    usageResolvers(services, accounts, keys),
    statementResolvers(statements),
    invoiceResolvers(services, accounts, statements),
    meterEventResolvers(services),
    requestResolvers(services, accounts, keys),
    administratorResolvers(services, administrators, factors.ADMINISTRATORS),
    signInResolvers(services, secrets, reads),
    auditResolvers(services, administrators, users, keys),
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
    portalUserResolvers(services, ofUsers),
    memberResolvers(services, ofUsers),
    ownKeyResolvers(services, secrets, reads),
    planRequestResolvers(services, reads),
    verificationRequestResolvers(services, reads),
    announcementResolvers(services),
    activityResolvers(services, users),
  ]);
}
