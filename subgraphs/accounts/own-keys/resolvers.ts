/** Resolvers of the keys of an account, for its members. */
import { memberScopes } from '../../../schema/member-roles.ts';
import { keyScopes } from '../../../schema/scopes.ts';
import type { Secrets } from '../../../platform/security/secrets.ts';
import { owns } from '../../../schema/viewer.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { forMembers, forMemberScope, requireMember, requireMemberScope } from '../access.ts';
import type { ApiKeyReads } from '../api-keys/reads.ts';
import { createApiKeyRotation } from '../api-keys/rotation.ts';
import { createApiKeyWrites } from '../api-keys/writes.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { Contracts } from '../plans/contracts.ts';
import type { PlanReads } from '../plans/reads.ts';
import { planKey, type PlanRow } from '../plans/rows.ts';
import { limitsOf, planStateOf } from '../plans/terms.ts';
import { liveKeysMax, lockRotation, readAllowance, type KeyAllowanceRow } from './allowance.ts';
import { createOwnKey } from './writes.ts';

interface Reads {
  readonly contracts: Contracts;
  readonly keys: ApiKeyReads;
  readonly plans: PlanReads;
}

const managed = forMemberScope('keys:write');

/** Keys of the account: read by all members, managed by owners and developers. */
export function ownKeyResolvers(services: AreaServices, secrets: Secrets, { contracts, keys, plans }: Reads) {
  const writes = createApiKeyWrites(services, { secrets, keys, plans });
  const { rotate } = createApiKeyRotation(services, { secrets, keys });

  async function planOf({ assignment }: KeyAllowanceRow, context: Context): Promise<PlanRow> {
    const plan = await context.load(plans.byVersion, planKey(planStateOf(assignment).current));
    if (plan === null) throw new Error('The plan of an account does not exist');
    return plan;
  }

  return {
    Query: {
      ownKeys: forMembers(({ filter, ...page }, _, { accountId }) => keys.list({ ...page, filter: { ...filter, accountId } })),
      async ownKey(_, { id }, context) {
        const key = await context.load(keys.byId, id);
        return key !== null && owns(context.viewer, key.accountId) ? key : null;
      },
      keyAllowance: forMembers((_, __, { accountId }) => readAllowance(services.database, accountId)),
    },
    Mutation: {
      createOwnKey: managed(({ input }, context, member) => createOwnKey(services, { secrets, plans }, context, member, input)),
      updateOwnKey: managed(({ id, input, ifMatch }, context) => writes.update(context, id, input, ifMatch)),
      disableOwnKey: managed((args, context) => writes.transition(context, 'disable', args)),
      enableOwnKey: managed((args, context) => writes.transition(context, 'enable', args)),
      revokeOwnKey: managed((args, context) => writes.transition(context, 'revoke', args)),
      async rotateOwnKey(_, { id, graceSeconds }, context) {
        const { accountId } = requireMemberScope(context.viewer, 'keys:write');
        return rotate(context, id, graceSeconds, (transaction) => lockRotation(transaction, accountId));
      },
    },
    KeyAllowance: {
      plan: (allowance, _, context) => planOf(allowance, context),
      async limits(allowance, _, context) {
        const [plan, live] = await Promise.all([
          planOf(allowance, context),
          context.load(contracts.ofAccount, allowance.accountId),
        ]);
        return limitsOf(
          plan,
          live.find(({ planCode }) => planCode === plan.code),
        );
      },
      async scopes(allowance, { mode }, context) {
        const { role } = requireMember(context.viewer);
        const hasWrites = mode === 'TEST' || (await planOf(allowance, context)).writes;
        const own = memberScopes(role, hasWrites);
        return keyScopes.filter((scope) => own.includes(scope));
      },
      liveKeysMax: () => liveKeysMax,
    },
  } satisfies Resolvers;
}
