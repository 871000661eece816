/** Resolvers of what was used, and of what it costs: one line a field. */
import { requireAccount } from '../../../platform/writes/resource.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import type { Resolvers } from '../resolvers.generated.ts';
import { requireAdministrator, requireKey } from '../rules.ts';
import type { createAccountStore } from '../accounts/reads.ts';
import { readDifferences } from './quota-differences.ts';
import { createStatementStore, totalsOf, type StatementPage } from './statements.ts';
import { readSeries, seriesOf } from './series.ts';
import { readUsage } from './reads.ts';

interface PageAsked {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
}

/** The part of the area's resolvers that is about usage. */
export function usageResolvers(services: AreaServices, accounts: ReturnType<typeof createAccountStore>) {
  const { database } = services;
  const statements = createStatementStore(services);
  const seriesOfAccounts = seriesOf(database, 'account_id');
  const statementsOf = (owner: string, { first, after }: PageAsked, context: Context): Promise<StatementPage> =>
    context.load(statements.ofAccounts, { owner, first: first ?? 20, after });

  return {
    Query: {
      usage: (_, __, { viewer }) => readUsage(services, requireKey(viewer)),
      usageStatements: (_, args, context) => statementsOf(requireAccount(context.viewer), args, context),
      usageStatement: (_, { month }, { viewer }) => statements.ofMonth(requireAccount(viewer), month),
      quotaDifferences(_, { first, after }, { viewer }) {
        requireAdministrator(viewer);
        return readDifferences(services, { first, after });
      },
    },
    Usage: {
      async series({ quotaSubjectId, accountId }, { of, ...args }) {
        if ([of, ...Object.values(args)].every((each) => each === null || each === undefined)) return null;
        const [series] =
          of === 'ACCOUNT'
            ? await readSeries(database, 'account_id', [accountId], args)
            : await readSeries(database, 'quota_subject_id', [quotaSubjectId], args);
        return series ?? [];
      },
    },
    Statement: {
      lines: ({ id }, _, context) => context.load(statements.linesOf, id),
      totals: async ({ id }, _, context) => totalsOf(await context.load(statements.linesOf, id)),
    },
    QuotaDifference: {
      account: ({ accountId }, _, context) => (accountId === null ? null : context.load(accounts.byId, accountId)),
    },
    Account: {
      usage(account, args, context) {
        requireAdministrator(context.viewer);
        return context.load(seriesOfAccounts, { owner: account.id, args });
      },
      statements(account, args, context) {
        requireAdministrator(context.viewer);
        return statementsOf(account.id, args, context);
      },
    },
  } satisfies Resolvers;
}
