/** Resolvers of plans and contracts. */
import type { AreaServices } from '../../runtime/subgraph.ts';
import { forAdministrators, forScope } from '../access.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { Contracts } from './contracts.ts';
import type { PlanReads } from './reads.ts';
import { createPlanWrites } from './writes.ts';

const managed = forScope('administration:write');

/** Plans for all callers; contracts for administrators. */
export function planResolvers(services: AreaServices, plans: PlanReads, contracts: Contracts) {
  const writes = createPlanWrites(services, plans);
  return {
    Query: {
      plans: (_, args) => plans.list(args),
      plan: (_, { code }) => plans.current(code),
      planVersions: forAdministrators(({ code }) => plans.versions(code)),
    },
    Mutation: {
      setContract: managed(({ accountId, plan, input }, context) => contracts.set(context, accountId, plan, input)),
      endContract: managed(({ id }, context) => contracts.end(context, id)),
      createPlan: managed(({ input, idempotencyKey }, context) => writes.create(context, input, idempotencyKey)),
      changePlan: managed(({ code, input, ifMatch }, context) => writes.change(context, code, input, ifMatch)),
    },
    Plan: {
      price: ({ priceAmountMinor, currency }) => ({ amountMinor: priceAmountMinor, currency }),
      limits: ({ burstPerMinute, perDay, perMonth }) => ({ burstPerMinute, perDay, perMonth }),
    },
    Account: {
      contracts: forAdministrators((_, context, { id }) => context.load(contracts.ofAccount, id)),
    },
    Contract: {
      plan: ({ planCode }) => planCode,
      price: ({ priceAmountMinor: amountMinor, currency }) =>
        amountMinor === null || currency === null ? null : { amountMinor, currency },
    },
  } satisfies Resolvers;
}
