/** Resolvers of the request log and its analytics, for accounts and administrators. */
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { forAccountOf, forAdministrators } from '../access.ts';
import type { AccountReads } from '../accounts/reads.ts';
import type { ApiKeyReads } from '../api-keys/reads.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { createAnalyticsReads } from './analytics.ts';
import { createRequestReads, readableAccount } from './reads.ts';
import type { LoggedRequestRow } from './rows.ts';

export function requestResolvers(services: AreaServices, accounts: AccountReads, keys: ApiKeyReads) {
  const reads = createRequestReads(services);
  const analytics = createAnalyticsReads(services.database);
  return {
    Query: {
      requests: (_, args, { viewer }) => reads.list(viewer, args),
      request: (_, { id }, { viewer }) => reads.byId(viewer, id),
      requestAnalytics: (_, { accountId, ...args }, { viewer }) => analytics.read(readableAccount(viewer, accountId), args),
    },
    LoggedRequest: {
      account: forAdministrators((_, context: Context, { accountId }: LoggedRequestRow) =>
        context.load(accounts.byId, accountId),
      ),
      apiKey: forAccountOf(({ accountId }: LoggedRequestRow) => accountId)((_: unknown, context: Context, { key }) =>
        context.load(keys.byPublicId, key),
      ),
    },
    RequestAnalytics: {
      series: ({ range }) => analytics.series(range),
      errors: ({ range }) => analytics.errors(range),
      markers: ({ range }) => analytics.markers(range),
    },
  } satisfies Resolvers;
}
