/** Resolvers of the numbers that the dashboard shows: one line a field. */
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import type { Resolvers } from '../resolvers.generated.ts';
import { requireAdministrator } from '../rules.ts';
import type { createApiKeyStore } from '../api-keys/reads.ts';
import { readKeysNearQuota, readTopKeys } from '../usage/busy-keys.ts';
import { createDependents, heldAs } from './dependents.ts';
import { readHealth } from './health.ts';
import { createRecentRequests } from '../usage/recent-requests.ts';
import { readUsages } from '../usage/reads.ts';
import { readPlatformSeries, seriesOf } from '../usage/series.ts';

/** The part of the area's resolvers that is about how the platform is used, and how it is. */
export function overviewResolvers(services: AreaServices, keys: ReturnType<typeof createApiKeyStore>) {
  const { database } = services;
  const dependents = createDependents(database);
  const recentRequests = createRecentRequests(database);
  const seriesOfLineages = seriesOf(database, 'quota_subject_id');
  const quotas = (publicIds: readonly string[]) => readUsages(services, publicIds);
  const keyOf = async (publicId: string, context: Context) => {
    const key = await context.load(keys.byPublicId, publicId);
    if (key === null) throw new Error('Keys are never deleted, and a key that was used is not there.');
    return key;
  };

  return {
    Query: {
      platformUsage: (_, args, { viewer }) => {
        requireAdministrator(viewer);
        return readPlatformSeries(database, args);
      },
      topKeys: (_, { window, first }, { viewer }) => {
        requireAdministrator(viewer);
        return readTopKeys(database, window, first);
      },
      keysNearQuota: (_, { first }, { viewer }) => {
        requireAdministrator(viewer);
        return readKeysNearQuota(database, first);
      },
      health: (_, __, context) => {
        requireAdministrator(context.viewer);
        return readHealth(services, context);
      },
    },
    KeyUse: { apiKey: ({ publicId }, _, context) => keyOf(publicId, context) },
    NearQuota: { apiKey: ({ publicId }, _, context) => keyOf(publicId, context) },
    ApiKey: {
      quota: ({ publicId }, _, context) => {
        requireAdministrator(context.viewer);
        return context.load(quotas, publicId);
      },
      usage: ({ quotaSubjectId }, args, context) => {
        requireAdministrator(context.viewer);
        return context.load(seriesOfLineages, { owner: quotaSubjectId, args });
      },
      requestsLast24Hours: ({ publicId, quotaSubjectId }, _, context) => {
        requireAdministrator(context.viewer);
        return context.load(dependents.requestsOfKeys, { publicId, quotaSubjectId });
      },
      recentRequests: ({ publicId }, { first }, context) => {
        requireAdministrator(context.viewer);
        return context.load(recentRequests, { publicId, first });
      },
    },
    Account: {
      requestsLast24Hours: ({ id }, _, context) => {
        requireAdministrator(context.viewer);
        return context.load(dependents.requestsOfAccounts, id);
      },
      liveKeys: ({ id }, _, context) => {
        requireAdministrator(context.viewer);
        return context.load(dependents.keysOfAccounts, id);
      },
    },
    Plan: {
      liveKeys: (plan, _, context) => {
        requireAdministrator(context.viewer);
        return context.load(dependents.keysOfPlans, heldAs(plan));
      },
    },
  } satisfies Resolvers;
}
