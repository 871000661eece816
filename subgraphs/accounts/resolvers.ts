/** Resolvers of the accounts area: one line a field. */
import type { AreaServices, Context } from '../subgraph.ts';
import type { Resolvers } from './resolvers.generated.ts';
import { requireAdministrator, requireKey } from './rules.ts';
import { createAccountStore } from './store/account.ts';
import { createApiKeyStore, type ApiKeyRow } from './store/api-key.ts';
import { createApiKeyWrites } from './store/api-key-writes.ts';
import { createPlanStore, planKey, type PlanRow } from './store/plan.ts';
import { readUsage } from './store/usage.ts';

/** The public schema does not have these fields; whoever reaches them past it is refused as well. */
function admin<Parent, Args, Result>(resolve: (args: Args, context: Context) => Result) {
  return (_: Parent, args: Args, context: Context): Result => {
    requireAdministrator(context.viewer);
    return resolve(args, context);
  };
}

/** Rows that a foreign key promises. */
function present<Row>(row: Row | null): Row {
  if (row === null) throw new Error('A row that a foreign key refers to is missing.');
  return row;
}

/** @throws Error when the services have no secrets: keys cannot be hashed without the pepper. */
export function accountResolvers(services: AreaServices): Resolvers {
  const { database, secrets } = services;
  if (!secrets) throw new Error('The accounts area needs `secrets`: the pepper of its keys is derived from them.');
  const plans = createPlanStore(services);
  const accounts = createAccountStore(services);
  const keys = createApiKeyStore(services);
  const writes = createApiKeyWrites(services, { secrets, keys, accounts, plans });

  const accountOf = async ({ accountId }: ApiKeyRow, context: Context) => present(await context.load(accounts.byId, accountId));
  const planOf = async (key: ApiKeyRow, context: Context): Promise<PlanRow> =>
    present(await context.load(plans.byVersion, planKey(key)));

  return {
    Query: {
      plans: (_, args) => plans.list(args),
      plan: (_, { code }) => plans.current(code),
      me: async (_, __, context) => present(await context.load(keys.byPublicId, requireKey(context.viewer))),
      usage: (_, __, { viewer }) => readUsage(database, requireKey(viewer)),
      accounts: admin((args) => accounts.list(args)),
      account: admin(({ id }, context) => context.load(accounts.byId, id)),
      apiKeys: admin((args) => keys.list(args)),
      apiKey: admin(({ id }, context) => context.load(keys.byId, id)),
      planVersions: admin(({ code }) => plans.versions(code)),
    },
    Mutation: {
      createAccount: admin(({ input, idempotencyKey }, context) => accounts.create(context, input, idempotencyKey)),
      issueApiKey: admin(({ input }, context) => writes.issue(context, input)),
      updateApiKey: admin(({ id, input, ifMatch }, context) => writes.update(context, id, input, ifMatch)),
      disableApiKey: admin((args, context) => writes.transition(context, 'disable', args)),
      enableApiKey: admin((args, context) => writes.transition(context, 'enable', args)),
      revokeApiKey: admin((args, context) => writes.transition(context, 'revoke', args)),
      createPlan: admin(({ input, idempotencyKey }, context) => plans.create(context, input, idempotencyKey)),
      changePlan: admin(({ code, input, ifMatch }, context) => plans.change(context, code, input, ifMatch)),
    },
    Plan: {
      price: ({ priceAmountMinor, currency }) => ({ amountMinor: priceAmountMinor, currency }),
      limits: ({ burstPerMinute, perDay, perMonth }) => ({ burstPerMinute, perDay, perMonth }),
    },
    Me: {
      account: (key, _, context) => accountOf(key, context),
      key: (key) => key,
      plan: (key, _, context) => planOf(key, context),
      limits: (key, _, context) => planOf(key, context),
    },
    ApiKey: {
      account: (key, _, context) => accountOf(key, context),
      plan: (key, _, context) => planOf(key, context),
    },
  };
}
