/** Contracts: numbers of one account that override those of a plan. */
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
import type { ContractInput } from '../generated/resolvers.ts';
import { accountResource } from '../accounts/rows.ts';
import { requireOpen } from '../accounts/rules.ts';
import type { PlanReads } from './reads.ts';
import { unknownPlanViolation } from './rules.ts';
import type { Terms } from './terms.ts';

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

/** The terms of an input; an absent number is null, so that the plan's number applies. */
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
export function createContracts({ database, writer, announce }: AreaServices, plans: PlanReads) {
  /** The contracts of accounts that have not ended. */
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
    /** Throws Problem not_found (404: unknown account), conflict (409: closed account) or validation_failed (422). */
    async set(context: Context, accountId: string, plan: string, input: ContractInput): Promise<ContractRow> {
      const row = await writer.write(context, async (transaction) => {
        // the lock prevents concurrent requests from creating two contracts
        requireOpen(await lockRow(transaction, accountResource, accountId));
        const terms = termsOf(input);
        rejectInvalid([
          (await plans.current(plan, transaction)) === null && unknownPlanViolation(plan),
          Object.values(terms).every((number) => number === null) && {
            pointer: '/input',
            code: 'required',
            detail: 'A contract requires at least one number.',
          },
        ]);
        const before = (await live([accountId], transaction)).find(({ planCode }) => planCode === plan);
        if (before) return patchResource(transaction, contractResource, before, terms, undefined);
        return insertResource(transaction, contractResource, { accountId, planCode: plan, ...terms }, undefined);
      });
      await announce?.('*');
      return row;
    },
    /** Ends a contract; has no effect on a contract that has ended. Throws Problem not_found (404). */
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

export type Contracts = ReturnType<typeof createContracts>;
