/** Contracts: the numbers of one account that override those of a plan. */
import { rejectInvalid } from '../../../schema/errors.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import {
  changeRow,
  insertResource,
  lockRow,
  patchResource,
  type Resource,
  type ResourceRow,
} from '../../../platform/writes/resource.ts';
import { table } from '../../../platform/database/table.ts';
import type { AreaServices, BatchRead, Context } from '../../runtime/subgraph.ts';
import type { ContractInput } from '../resolvers.generated.ts';
import { requireOpen, unknownPlan } from '../rules.ts';
import type { Terms } from './terms.ts';
import { accountResource } from '../accounts/reads.ts';
import type { createPlanStore } from './reads.ts';

export interface ContractRow extends ResourceRow, Terms {
  readonly planCode: string;
  readonly endedAt: string | null;
}

const contracts = table<ContractRow>('contract', {
  id: 'plain',
  accountId: 'plain',
  version: 'plain',
  createdAt: 'plain',
  updatedAt: 'plain',
  planCode: 'plain',
  burstPerMinute: 'plain',
  perDay: 'plain',
  perMonth: 'plain',
  webhooks: 'plain',
  streams: 'plain',
  priceAmountMinor: 'plain',
  currency: 'plain',
  endedAt: 'plain',
});

const contractResource: Resource<ContractRow> = {
  type: 'contract',
  table: contracts,
  created: 'contract.changed',
  updated: 'contract.changed',
  required: [],
  isPublic: () => false,
};

/** The numbers of an input; what it leaves out is the plan's. */
function termsOf({ price, ...given }: ContractInput): Terms {
  return {
    burstPerMinute: given.burstPerMinute ?? null,
    perDay: given.perDay ?? null,
    perMonth: given.perMonth ?? null,
    webhooks: given.webhooks ?? null,
    streams: given.streams ?? null,
    priceAmountMinor: price?.amountMinor ?? null,
    currency: price?.currency ?? null,
  };
}

/** Reads and writes of contracts over the area's database. */
export function createContractStore({ database, writer, announce }: AreaServices, plans: ReturnType<typeof createPlanStore>) {
  /** The contracts of accounts that count now. */
  const live = (accountIds: readonly string[], queryable: Queryable = database): Promise<ContractRow[]> =>
    queryable.query(sql`/* contracts.live */ select ${contracts.columns} from contract
      where account_id = any(${[...accountIds]}::uuid[]) and ended_at is null order by plan_code`);

  const ofAccount: BatchRead<string, ContractRow[]> = async (accountIds) => {
    const byAccount = Map.groupBy(await live(accountIds), ({ accountId }) => accountId);
    return accountIds.map((id) => byAccount.get(id) ?? []);
  };

  return {
    live,
    ofAccount,
    /** Throws Problem not_found (404: no such account), conflict (409: it is closed) or validation_failed (422). */
    async set(context: Context, accountId: string, plan: string, input: ContractInput): Promise<ContractRow> {
      const row = await writer.write(context, async (transaction) => {
        // the lock keeps two administrators from making two contracts
        requireOpen(await lockRow(transaction, accountResource, accountId));
        const terms = termsOf(input);
        rejectInvalid([
          (await plans.current(plan, transaction)) === null && unknownPlan(plan),
          Object.values(terms).every((number) => number === null) && {
            pointer: '/input',
            code: 'required',
            detail: 'A contract has at least one number of its own.',
          },
        ]);
        const before = (await live([accountId], transaction)).find(({ planCode }) => planCode === plan);
        if (before) return patchResource(transaction, contractResource, before, terms, undefined);
        return insertResource(transaction, contractResource, { accountId, planCode: plan, ...terms }, undefined);
      });
      await announce?.('*');
      return row;
    },
    /** Throws Problem not_found (404). Ending again what has ended changes nothing. */
    async end(context: Context, id: string): Promise<ContractRow> {
      const row = await writer.write(context, async (transaction) => {
        const before = await lockRow(transaction, contractResource, id);
        if (before.endedAt !== null) return before;
        const endedAt = new Date().toISOString();
        return changeRow(transaction, contractResource, before, { endedAt }, { action: 'ended', event: 'contract.changed' });
      });
      await announce?.('*');
      return row;
    },
  };
}
