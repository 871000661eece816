/** Resolvers of API keys. */
import { keyModeOf } from '../../../platform/security/api-key.ts';
import type { Secrets } from '../../../platform/security/secrets.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { forAccountOf, forAdministrators, forScope, requireKey } from '../access.ts';
import type { AccountReads } from '../accounts/reads.ts';
import type { AccountRow } from '../accounts/rows.ts';
import type { Contracts } from '../plans/contracts.ts';
import type { ActorNames } from '../portal-users/actor-names.ts';
import type { PlanReads } from '../plans/reads.ts';
import { keyOfPlan, planKey, type PlanRow } from '../plans/rows.ts';
import { limitsOf, planStateOf } from '../plans/terms.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { createLiveKeyCounts } from './live-keys.ts';
import { createPlanChanges } from './plan-changes.ts';
import type { ApiKeyReads } from './reads.ts';
import { createApiKeyRotation } from './rotation.ts';
import type { ApiKeyRow } from './rows.ts';
import { createApiKeyWrites } from './writes.ts';

const managed = forScope('administration:write');

interface Reads {
  readonly accounts: AccountReads;
  readonly names: ActorNames;
  readonly contracts: Contracts;
  readonly keys: ApiKeyReads;
  readonly plans: PlanReads;
}

/** A row that a foreign key guarantees. */
function required<Row>(row: Row | null): Row {
  if (row === null) throw new Error('A row that a foreign key refers to does not exist');
  return row;
}

/** The fields of a key that other tables provide. */
function createApiKeyFields({ accounts, contracts, keys, plans }: Reads) {
  const planOf = async (key: ApiKeyRow, context: Context): Promise<PlanRow> =>
    required(await context.load(plans.byVersion, planKey(planStateOf(key).current)));
  return {
    planOf,
    accountOf: async ({ accountId }: ApiKeyRow, context: Context) => required(await context.load(accounts.byId, accountId)),
    async limitsOf(key: ApiKeyRow, context: Context) {
      const [plan, live] = await Promise.all([planOf(key, context), context.load(contracts.ofAccount, key.accountId)]);
      const contract = live.find(({ planCode }) => planCode === plan.code);
      return limitsOf(plan, contract);
    },
    nextPlanOf(key: ApiKeyRow) {
      const { scheduled } = planStateOf(key);
      return scheduled && { code: scheduled.planCode, version: scheduled.planVersion, at: scheduled.at };
    },
    keyOf: (id: string | null, context: Context) => (id === null ? null : context.load(keys.byId, id)),
  };
}

/** API keys for administrators; `me` for the owner of a key. */
export function apiKeyResolvers(services: AreaServices, secrets: Secrets, reads: Reads) {
  const { keys, plans, names } = reads;
  const writes = createApiKeyWrites(services, { secrets, keys, plans });
  const { rotate } = createApiKeyRotation(services, { secrets, keys });
  const planChanges = createPlanChanges(services, reads);
  const liveKeys = createLiveKeyCounts(services.database);
  const fields = createApiKeyFields(reads);

  return {
    Query: {
      me: async (_, __, context) => required(await context.load(keys.byPublicId, requireKey(context.viewer))),
      apiKeys: forAdministrators((args) => keys.list(args)),
      apiKey: forAdministrators(({ id }, context) => context.load(keys.byId, id)),
    },
    Mutation: {
      issueApiKey: managed(({ input }, context) => writes.issue(context, input)),
      updateApiKey: managed(({ id, input, ifMatch }, context) => writes.update(context, id, input, ifMatch)),
      disableApiKey: managed((args, context) => writes.transition(context, 'disable', args)),
      enableApiKey: managed((args, context) => writes.transition(context, 'enable', args)),
      revokeApiKey: managed((args, context) => writes.transition(context, 'revoke', args)),
      rotateApiKey: managed(({ id, graceSeconds }, context) => rotate(context, id, graceSeconds)),
      moveApiKey: managed((args, context) => planChanges.moveKey(context, args)),
      moveAccount: managed((args, context) => planChanges.moveAccount(context, args)),
    },
    Me: {
      account: (key, _, context) => fields.accountOf(key, context),
      key: (key) => key,
      plan: (key, _, context) => fields.planOf(key, context),
      limits: (key, _, context) => fields.limitsOf(key, context),
      nextPlan: (key) => fields.nextPlanOf(key),
    },
    ApiKey: {
      mode: ({ publicId }) => keyModeOf(publicId),
      account: (key, _, context) => fields.accountOf(key, context),
      plan: (key, _, context) => fields.planOf(key, context),
      limits: (key, _, context) => fields.limitsOf(key, context),
      nextPlan: (key) => fields.nextPlanOf(key),
      createdBy: ({ createdBy }, _, context) => names.nameOf(createdBy, context),
      revokedBy: ({ revokedBy }, _, context) => names.nameOf(revokedBy, context),
      rotatedTo: ({ rotatedTo }, _, context) => fields.keyOf(rotatedTo, context),
      rotatedFrom: ({ rotatedFrom }, _, context) => fields.keyOf(rotatedFrom, context),
    },
    Account: {
      keys: forAdministrators(({ first, after }, context, { id }) => context.load(keys.ofAccounts, { owner: id, first, after })),
      liveKeys: forAccountOf(({ id }: AccountRow) => id)((_, context, { id }) => context.load(liveKeys.ofAccounts, id)),
    },
    Plan: {
      liveKeys: forAdministrators((_, context, plan) => context.load(liveKeys.ofPlans, keyOfPlan(plan))),
    },
  } satisfies Resolvers;
}
