/** Resolvers of usage and statements. */
import { requireAccount } from '../../../platform/writes/resource.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { forAccountOf, forAdministrators, requireKey } from '../access.ts';
import type { AccountReads } from '../accounts/reads.ts';
import type { AccountRow } from '../accounts/rows.ts';
import type { ApiKeyReads } from '../api-keys/reads.ts';
import type { ApiKeyRow } from '../api-keys/rows.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { readKeysNearQuota, readTopKeys } from './busy-keys.ts';
import { readDifferences } from './quota-differences.ts';
import { readUsage, readUsages } from './reads.ts';
import { createRecentCounts } from './recent-counts.ts';
import { createRecentRequests } from './recent-requests.ts';
import { readPlatformSeries, readSeries, seriesOf } from './series.ts';
import { totalsOf, type StatementPage, type StatementReads } from './statements.ts';

const forOwnKey = forAccountOf(({ accountId }: ApiKeyRow) => accountId);
const forOwnAccount = forAccountOf(({ id }: AccountRow) => id);

interface PageArguments {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
}

/** Usage of keys, accounts and the platform, for owners of keys and for administrators. */
export function usageResolvers(services: AreaServices, accounts: AccountReads, keys: ApiKeyReads) {
  const { database } = services;
  return {
    Query: {
      usage: (_, __, { viewer }) => readUsage(services, requireKey(viewer)),
      quotaDifferences: forAdministrators(({ first, after }) => readDifferences(services, { first, after })),
      platformUsage: forAdministrators((args) => readPlatformSeries(database, args)),
      topKeys: forAdministrators(({ window, first }) => readTopKeys(database, window, first)),
      keysNearQuota: forAdministrators(({ first }) => readKeysNearQuota(database, first)),
    },
    Usage: {
      async series({ quotaSubjectId, accountId }, { of, ...args }) {
        if ([of, ...Object.values(args)].every((each) => each === null || each === undefined)) return null;
        const [column, id] =
          of === 'ACCOUNT' ? (['account_id', accountId] as const) : (['quota_subject_id', quotaSubjectId] as const);
        const [series] = await readSeries(database, column, [id], args);
        return series ?? [];
      },
    },
    QuotaDifference: {
      account: ({ accountId }, _, context) => (accountId === null ? null : context.load(accounts.byId, accountId)),
    },
    ...keyUsageResolvers(services, keys),
  } satisfies Resolvers;
}

/** The usage fields of keys and accounts. */
function keyUsageResolvers(services: AreaServices, keys: ApiKeyReads) {
  const { database } = services;
  const recentCounts = createRecentCounts(database);
  const recentRequests = createRecentRequests(database);
  const seriesOfAccounts = seriesOf(database, 'account_id');
  const seriesOfLineages = seriesOf(database, 'quota_subject_id');
  const quotas = (publicIds: readonly string[]) => readUsages(services, publicIds);
  const apiKey = async ({ publicId }: { readonly publicId: string }, _: unknown, context: Context) => {
    const key = await context.load(keys.byPublicId, publicId);
    if (key === null) throw new Error('A key in the usage rollups does not exist, although keys are never deleted');
    return key;
  };

  return {
    KeyUse: { apiKey },
    NearQuota: { apiKey },
    ApiKey: {
      quota: forOwnKey((_, context, { publicId }) => context.load(quotas, publicId)),
      usage: forOwnKey((args, context, { quotaSubjectId }) => context.load(seriesOfLineages, { owner: quotaSubjectId, args })),
      requestsLast24Hours: forOwnKey((_, context, { publicId, quotaSubjectId }) =>
        context.load(recentCounts.ofKeys, { publicId, quotaSubjectId }),
      ),
      recentRequests: forOwnKey(({ first }, context, { publicId }) => context.load(recentRequests, { publicId, first })),
    },
    Account: {
      usage: forOwnAccount((args, context, { id }) => context.load(seriesOfAccounts, { owner: id, args })),
      requestsLast24Hours: forOwnAccount((_, context, { id }) => context.load(recentCounts.ofAccounts, id)),
    },
  } satisfies Resolvers;
}

/** Monthly statements, for accounts and administrators. */
export function statementResolvers(statements: StatementReads) {
  const statementsOf = (owner: string, { first, after }: PageArguments, context: Context): Promise<StatementPage> =>
    context.load(statements.ofAccounts, { owner, first: first ?? 20, after });

  return {
    Query: {
      usageStatements: (_, args, context) => statementsOf(requireAccount(context.viewer), args, context),
      usageStatement: (_, { month }, { viewer }) => statements.ofMonth(requireAccount(viewer), month),
    },
    Statement: {
      lines: ({ id }, _, context) => context.load(statements.linesOf, id),
      totals: async ({ id }, _, context) => totalsOf(await context.load(statements.linesOf, id)),
    },
    Account: {
      statements: forAdministrators((args, context, { id }) => statementsOf(id, args, context)),
      statement: forAdministrators(({ month }, _, { id }) => statements.ofMonth(id, month)),
    },
  } satisfies Resolvers;
}
