/** Batch upserts of transfers by external id. */
import { rejectInvalid } from '../../../schema/errors.ts';
import type { BatchResult } from '../../../platform/writes/batch.ts';
import { requireAccount } from '../../../platform/writes/resource.ts';
import { immutableViolation, upsertByExternalId } from '../../../platform/writes/upsert.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { organizationConstraints } from '../constraints.ts';
import type { CreateTransferInput } from '../generated/resolvers.ts';
import type { ReferenceReads } from '../memberships/references.ts';
import { loadTransferReferences } from './references.ts';
import { transferResource, type TransferRow } from './rows.ts';
import { insertTransfer, lockForParty, patchTransfer } from './writes.ts';

/** Violations of members that cannot change, because they decided which memberships ended and started. */
function immutableViolations(before: TransferRow, item: CreateTransferInput) {
  const members = ['athleteId', 'type', 'date', 'fromOrganizationId', 'toOrganizationId'] as const;
  return members.map(
    (member) =>
      (item[member] ?? null) !== before[member] &&
      immutableViolation(member, 'This member cannot be changed. Delete the transfer and create another one.'),
  );
}

/** Creates the mutation that creates or updates each item by its first external id. */
export function createTransferBatch({ writer }: AreaServices, others: ReferenceReads) {
  return async function upsert(
    context: Context,
    items: readonly CreateTransferInput[],
    idempotencyKey: string | null | undefined,
  ): Promise<BatchResult> {
    const { viewer } = context;
    const accountId = requireAccount(viewer);
    const references = await loadTransferReferences(context, others, items);
    return upsertByExternalId(writer, context, {
      operation: 'upsertTransfers',
      idempotencyKey,
      items,
      constraints: organizationConstraints,
      resource: transferResource,
      accountId,
      insert: (transaction, item) => insertTransfer(transaction, viewer, item, references),
      lock: (transaction, id) => lockForParty(transaction, viewer, id),
      update: (transaction, before, item) => {
        rejectInvalid(immutableViolations(before, item));
        const { fee, loanUntil, externalIds } = item;
        return patchTransfer(transaction, viewer, before, { fee, loanUntil, externalIds });
      },
    });
  };
}
