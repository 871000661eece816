/** Resolvers of plan requests. */
import type { AreaServices } from '../../runtime/subgraph.ts';
import { forAdministrators, forMemberScope, forScope } from '../access.ts';
import type { AccountReads } from '../accounts/reads.ts';
import type { AdministratorReads } from '../administrators/reads.ts';
import { createPlanChanges } from '../api-keys/plan-changes.ts';
import type { ApiKeyReads } from '../api-keys/reads.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { Contracts } from '../plans/contracts.ts';
import type { PlanReads } from '../plans/reads.ts';
import type { ActorNames } from '../portal-users/actor-names.ts';
import { createPlanRequestReads } from './reads.ts';
import { createPlanRequestWrites } from './writes.ts';

const decided = forScope('administration:write');
const requested = forMemberScope('requests:write');

interface Reads {
  readonly accounts: AccountReads;
  readonly administrators: AdministratorReads;
  readonly contracts: Contracts;
  readonly keys: ApiKeyReads;
  readonly names: ActorNames;
  readonly plans: PlanReads;
}

/** Requests for another plan: of members, decided by administrators. */
export function planRequestResolvers(services: AreaServices, reads: Reads) {
  const { accounts, administrators, names, plans } = reads;
  const requests = createPlanRequestReads(services);
  const writes = createPlanRequestWrites(services, { plans, requests, planChanges: createPlanChanges(services, reads) });
  return {
    Query: {
      planRequests: (_, args, context) => requests.list(context, args),
      planRequest: (_, { id }, context) => context.load(requests.byId, id),
      openRequestCounts: forAdministrators(() => requests.countOpen()),
    },
    Mutation: {
      createPlanRequest: requested((args, context, member) => writes.create(context, member, args)),
      withdrawPlanRequest: requested(({ id }, context) => writes.withdraw(context, id)),
      grantPlanRequest: decided((args, context) => writes.grant(context, args)),
      declinePlanRequest: decided((args, context) => writes.decline(context, args)),
    },
    PlanRequest: {
      async account({ accountId }, _, context) {
        const account = await context.load(accounts.byId, accountId);
        if (account === null) throw new Error('The account of a plan request does not exist');
        return account;
      },
      plan: ({ planCode }) => plans.current(planCode),
      requestedBy: ({ requestedBy }, _, context) => names.nameOf(requestedBy, context),
      decidedBy: ({ decidedBy }, _, context) => (decidedBy === null ? null : context.load(administrators.byId, decidedBy)),
    },
  } satisfies Resolvers;
}
