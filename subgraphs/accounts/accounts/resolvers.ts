/** Resolvers of accounts. */
import type { AreaServices } from '../../runtime/subgraph.ts';
import { forAdministrators, forPlatform, forScope, requireAdministrator } from '../access.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import type { AccountReads } from './reads.ts';
import { createAccountWrites } from './writes.ts';

const managed = forScope('administration:write');

/** Accounts for administrators. */
export function accountResolvers(services: AreaServices, accounts: AccountReads) {
  const writes = createAccountWrites(services, accounts);
  return {
    Query: {
      accounts: forAdministrators((args) => accounts.list(args)),
      account: forAdministrators(({ id }, context) => context.load(accounts.byId, id)),
      activeAccountIds: forPlatform(({ ids }) => accounts.activeIds(ids)),
    },
    Account: {
      __resolveReference: ({ id }, context) => {
        requireAdministrator(context.viewer);
        return context.load(accounts.byId, id);
      },
    },
    Mutation: {
      createAccount: managed(({ input, idempotencyKey }, context) => writes.create(context, input, idempotencyKey)),
      updateAccount: managed(({ id, input, ifMatch }, context) => writes.update(context, id, input, ifMatch)),
      suspendAccount: managed((args, context) => writes.transition(context, 'suspend', args)),
      reinstateAccount: managed((args, context) => writes.transition(context, 'reinstate', args)),
      closeAccount: managed((args, context) => writes.transition(context, 'close', args)),
    },
  } satisfies Resolvers;
}
