/** Batch upserts of memberships by external id. */
import { rejectInvalid } from '../../../schema/errors.ts';
import { rowValues } from '../../../platform/database/columns.ts';
import type { BatchResult } from '../../../platform/writes/batch.ts';
import { requireAccount } from '../../../platform/writes/resource.ts';
import { immutableViolation, upsertByExternalId } from '../../../platform/writes/upsert.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { organizationConstraints } from '../constraints.ts';
import type { CreateMembershipInput } from '../generated/resolvers.ts';
import { lockForParty } from './parties.ts';
import { loadReferences, type ReferenceReads } from './references.ts';
import { membershipResource, memberships, type MembershipRow } from './rows.ts';
import { changeViolations, insertMembership, patchMembership, rejectForeignChange } from './writes.ts';

/** Updates a membership. Its person and its organization cannot change. Throws Problem validation_failed (422), not_owner (403). */
async function updateItem(
  transaction: WriteTransaction,
  { viewer }: Context,
  before: MembershipRow,
  item: CreateMembershipInput,
): Promise<MembershipRow> {
  rejectInvalid([
    (item.personId ?? null) !== before.athleteId &&
      immutableViolation('personId', 'The person of a membership cannot be changed. End it and create another one.'),
    (item.organizationId ?? null) !== before.organizationId &&
      immutableViolation('organizationId', 'The organization of a membership cannot be changed. Transfer it instead.'),
    ...changeViolations(before, {
      positions: item.positions,
      startDate: item.startDate ?? before.startDate,
      endDate: item.endDate ?? before.endDate,
    }),
  ]);
  const { role, startDate, endDate, contractUntil, shirtNumber, positions, externalIds } = item;
  const patch = rowValues(memberships, {
    role,
    startDate,
    endDate,
    contractUntil,
    shirtNumber,
    positions: positions ?? undefined,
  });
  rejectForeignChange(viewer, before, patch);
  return patchMembership(transaction, viewer, before, patch, externalIds);
}

/** Creates the mutation that creates or updates each item by its first external id. */
export function createMembershipBatch({ writer }: AreaServices, others: ReferenceReads) {
  return async function upsert(
    context: Context,
    items: readonly CreateMembershipInput[],
    idempotencyKey: string | null | undefined,
  ): Promise<BatchResult> {
    const { viewer } = context;
    const accountId = requireAccount(viewer);
    const references = await loadReferences(context, others, items);
    return upsertByExternalId(writer, context, {
      operation: 'upsertMemberships',
      idempotencyKey,
      items,
      constraints: organizationConstraints,
      resource: membershipResource,
      accountId,
      insert: (transaction, item) => insertMembership(transaction, viewer, item, references),
      lock: (transaction, id) => lockForParty(transaction, viewer, id),
      update: (transaction, before, item) => updateItem(transaction, context, before, item),
    });
  };
}
