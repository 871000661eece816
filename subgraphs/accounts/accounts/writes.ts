/** Accounts: their changes, and the steps of their life. */
import { requireVersion } from '../../../platform/writes/precondition.ts';
import { changeRow, lockRow, patchResource } from '../../../platform/writes/resource.ts';
import { nextState } from '../../../platform/writes/transition.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import type { UpdateAccountInput } from '../resolvers.generated.ts';
import { accountTransitions, type AccountVerb, type Step } from '../rules.ts';
import { accountResource, type AccountRow, type createAccountStore } from './reads.ts';

/** Writes of accounts over the area's database. */
export function createAccountWrites({ writer, announce }: AreaServices, accounts: ReturnType<typeof createAccountStore>) {
  const reloading = replaysOf(accounts.byId);

  return {
    /** Throws Problem not_found (404), precondition_failed (412) or validation_failed (422). */
    update(context: Context, id: string, input: UpdateAccountInput, ifMatch: string): Promise<AccountRow> {
      return writer.write(context, async (transaction) => {
        const before = await lockRow(transaction, accountResource, id);
        requireVersion(ifMatch, before.version);
        // a deleted name is a null that patchResource refuses
        return patchResource(transaction, accountResource, before, input as Partial<AccountRow>, undefined);
      });
    },
    /** Takes a step of the state machine; what becomes of its keys follows from it. Throws Problem not_found (404) or invalid_transition (409). */
    async transition(context: Context, verb: AccountVerb, { id, reason, idempotencyKey }: Step): Promise<AccountRow> {
      const row = await writer.write(
        context,
        async (transaction) => {
          const before = await lockRow(transaction, accountResource, id);
          const status = nextState(accountTransitions, verb, before.status, ['MODERATOR']);
          const moved = { action: verb, event: 'account.status_changed', data: reason ? { reason } : {} } as const;
          return changeRow(transaction, accountResource, before, { status }, moved);
        },
        reloading(context, `${verb}Account`, idempotencyKey, { id, reason }),
      );
      await announce?.('*');
      return row;
    },
  };
}
