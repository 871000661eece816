/** Resolvers of the accounts area: one line a field. */
import type { AreaServices, Context } from '../runtime/subgraph.ts';
import { administratorResolvers } from './administrators/resolvers.ts';
import { administratorIdOf, requireRight } from './administrators/rules.ts';
import { auditResolvers } from './audit/resolvers.ts';
import { reportResolvers } from './reports/resolvers.ts';
import type { Resolvers } from './resolvers.generated.ts';
import { requireAdministrator, requireKey } from './rules.ts';
import { createAdministratorStore } from './administrators/reads.ts';
import { createAccountStore } from './accounts/reads.ts';
import { createAccountWrites } from './accounts/writes.ts';
import { createApiKeyStore, type ApiKeyRow } from './api-keys/reads.ts';
import { createApiKeyRotation } from './api-keys/rotation.ts';
import { createApiKeyWrites } from './api-keys/writes.ts';
import { createContractStore } from './plans/contracts.ts';
import { createPlanMoves } from './api-keys/plan-changes.ts';
import { createPlanStore, planKey, type PlanRow } from './plans/reads.ts';
import { limitsOf, standing } from './plans/terms.ts';
import { overviewResolvers } from './platform-overview/resolvers.ts';
import { usageResolvers } from './usage/resolvers.ts';

/** The public schema does not have these fields; whoever reaches them past it is refused as well. */
function admin<Parent, Args, Result>(resolve: (args: Args, context: Context, parent: Parent) => Result) {
  return (parent: Parent, args: Args, context: Context): Result => {
    requireAdministrator(context.viewer);
    return resolve(args, context, parent);
  };
}

/** What changes accounts, keys and plans: by role. */
function managed<Args, Result>(resolve: (args: Args, context: Context) => Result) {
  return (_: unknown, args: Args, context: Context): Result => {
    requireRight(context.viewer, 'administration:write');
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
  const { secrets } = services;
  if (!secrets) throw new Error('The accounts area needs `secrets`: the pepper of its keys is derived from them.');
  const plans = createPlanStore(services);
  const accounts = createAccountStore(services);
  const keys = createApiKeyStore(services);
  const accountWrites = createAccountWrites(services, accounts);
  const contracts = createContractStore(services, plans);
  const writes = createApiKeyWrites(services, { secrets, keys, accounts, plans });
  const { rotate } = createApiKeyRotation(services, { secrets, keys, accounts });
  const moves = createPlanMoves(services, { keys, accounts, plans, contracts });

  const usage = usageResolvers(services, accounts);
  const administration = administratorResolvers(services);
  const administrators = createAdministratorStore(services);
  const audit = auditResolvers(services, administrators);
  const reports = reportResolvers(services, accounts, administrators);
  const overview = overviewResolvers(services, keys);

  const accountOf = async ({ accountId }: ApiKeyRow, context: Context) => present(await context.load(accounts.byId, accountId));
  const planOf = async (key: ApiKeyRow, context: Context): Promise<PlanRow> =>
    present(await context.load(plans.byVersion, planKey(standing(key).held)));
  const effectiveLimits = async (key: ApiKeyRow, context: Context) => {
    const [plan, live] = await Promise.all([planOf(key, context), context.load(contracts.ofAccount, key.accountId)]);
    return limitsOf(
      plan,
      live.find(({ planCode }) => planCode === plan.code),
    );
  };
  const nextPlanOf = (key: ApiKeyRow) => {
    const { next } = standing(key);
    return next && { code: next.planCode, version: next.planVersion, at: next.at };
  };
  const keyOf = (id: string | null, context: Context) => (id === null ? null : context.load(keys.byId, id));

  /** Administrators by name: the column keeps their id. */
  const actorName = async <Actor extends string | null>(actor: Actor, context: Context): Promise<Actor | string> => {
    const id = administratorIdOf(actor);
    return id === null ? actor : ((await context.load(administrators.byId, id))?.name ?? actor ?? '');
  };

  return {
    Query: {
      plans: (_, args) => plans.list(args),
      plan: (_, { code }) => plans.current(code),
      me: async (_, __, context) => present(await context.load(keys.byPublicId, requireKey(context.viewer))),
      ...usage.Query,
      ...audit.Query,
      ...reports.Query,
      ...administration.Query,
      ...overview.Query,
      accounts: admin((args) => accounts.list(args)),
      account: admin(({ id }, context) => context.load(accounts.byId, id)),
      apiKeys: admin((args) => keys.list(args)),
      apiKey: admin(({ id }, context) => context.load(keys.byId, id)),
      planVersions: admin(({ code }) => plans.versions(code)),
    },
    Mutation: {
      ...reports.Mutation,
      ...administration.Mutation,
      createAccount: managed(({ input, idempotencyKey }, context) => accounts.create(context, input, idempotencyKey)),
      updateAccount: managed(({ id, input, ifMatch }, context) => accountWrites.update(context, id, input, ifMatch)),
      suspendAccount: managed((args, context) => accountWrites.transition(context, 'suspend', args)),
      reinstateAccount: managed((args, context) => accountWrites.transition(context, 'reinstate', args)),
      closeAccount: managed((args, context) => accountWrites.transition(context, 'close', args)),
      setContract: managed(({ accountId, plan, input }, context) => contracts.set(context, accountId, plan, input)),
      endContract: managed(({ id }, context) => contracts.end(context, id)),
      issueApiKey: managed(({ input }, context) => writes.issue(context, input)),
      updateApiKey: managed(({ id, input, ifMatch }, context) => writes.update(context, id, input, ifMatch)),
      disableApiKey: managed((args, context) => writes.transition(context, 'disable', args)),
      enableApiKey: managed((args, context) => writes.transition(context, 'enable', args)),
      revokeApiKey: managed((args, context) => writes.transition(context, 'revoke', args)),
      rotateApiKey: managed(({ id, graceSeconds }, context) => rotate(context, id, graceSeconds)),
      moveApiKey: managed((args, context) => moves.moveKey(context, args)),
      moveAccount: managed((args, context) => moves.moveAccount(context, args)),
      createPlan: managed(({ input, idempotencyKey }, context) => plans.create(context, input, idempotencyKey)),
      changePlan: managed(({ code, input, ifMatch }, context) => plans.change(context, code, input, ifMatch)),
    },
    Plan: {
      ...overview.Plan,
      price: ({ priceAmountMinor, currency }) => ({ amountMinor: priceAmountMinor, currency }),
      limits: ({ burstPerMinute, perDay, perMonth }) => ({ burstPerMinute, perDay, perMonth }),
    },
    Me: {
      account: (key, _, context) => accountOf(key, context),
      key: (key) => key,
      plan: (key, _, context) => planOf(key, context),
      limits: (key, _, context) => effectiveLimits(key, context),
      nextPlan: (key) => nextPlanOf(key),
    },
    Administrator: administration.Administrator,
    AdministratorSession: administration.AdministratorSession,
    OpenSession: administration.OpenSession,
    Usage: usage.Usage,
    Statement: usage.Statement,
    AuditEntry: audit.AuditEntry,
    AuditActor: audit.AuditActor,
    Report: reports.Report,
    QuotaDifference: usage.QuotaDifference,
    KeyUse: overview.KeyUse,
    NearQuota: overview.NearQuota,
    Account: {
      ...usage.Account,
      ...audit.Account,
      ...overview.Account,
      keys: admin(({ first, after }, context, { id }) => context.load(keys.ofAccounts, { owner: id, first, after })),
      contracts: admin((_, context, { id }) => context.load(contracts.ofAccount, id)),
    },
    Contract: {
      plan: ({ planCode }) => planCode,
      price: ({ priceAmountMinor: amountMinor, currency }) =>
        amountMinor === null || currency === null ? null : { amountMinor, currency },
    },
    ApiKey: {
      ...audit.ApiKey,
      ...overview.ApiKey,
      account: (key, _, context) => accountOf(key, context),
      plan: (key, _, context) => planOf(key, context),
      limits: (key, _, context) => effectiveLimits(key, context),
      nextPlan: (key) => nextPlanOf(key),
      createdBy: ({ createdBy }, _, context) => actorName(createdBy, context),
      revokedBy: ({ revokedBy }, _, context) => actorName(revokedBy, context),
      rotatedTo: ({ rotatedTo }, _, context) => keyOf(rotatedTo, context),
      rotatedFrom: ({ rotatedFrom }, _, context) => keyOf(rotatedFrom, context),
    },
  };
}
