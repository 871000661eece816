/** The billing data of an account, which its owners change. Administrators change it with `updateAccount`. */
import { rowValues } from '../../../platform/database/columns.ts';
import { requireVersion } from '../../../platform/writes/precondition.ts';
import { lockRow, patchResource } from '../../../platform/writes/resource.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { forMemberScope } from '../access.ts';
import type { Resolvers } from '../generated/resolvers.ts';
import { accountResource, accounts } from '../accounts/rows.ts';
import { requireOpen } from '../accounts/rules.ts';

export function billingDataResolvers({ writer }: AreaServices) {
  return {
    Mutation: {
      /** Throws Problem precondition_failed (412), validation_failed (422) or conflict (409: closed). */
      updateBillingData: forMemberScope('billing:write')(({ input, ifMatch }, context, { accountId }) =>
        writer.write(context, async (transaction) => {
          const before = await lockRow(transaction, accountResource, accountId);
          requireVersion(ifMatch, before.version);
          requireOpen(before);
          return patchResource(transaction, accountResource, before, rowValues(accounts, input), undefined);
        }),
      ),
    },
  } satisfies Resolvers;
}
