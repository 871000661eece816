/** Batch upserts of organizations by external id. */
import { rejectInvalid } from '../../../schema/errors.ts';
import { upsertOutcome, writeBatch, type BatchResult } from '../../../platform/writes/batch.ts';
import { externalIdOrder, findByExternalId, firstExternalId } from '../../../platform/writes/external-id.ts';
import { lockRow, requireAccount } from '../../../platform/writes/resource.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { organizationConstraints } from '../constraints.ts';
import type { CreateOrganizationInput } from '../resolvers.generated.ts';
import { organizationResource } from './rows.ts';
import { insertOrganization, patchOrganization } from './writes.ts';

/** Creates the mutation that creates or updates each item by its first external id. */
export function createOrganizationBatch({ writer }: AreaServices) {
  return function upsert(
    context: Context,
    items: readonly CreateOrganizationInput[],
    idempotencyKey: string | null | undefined,
  ): Promise<BatchResult> {
    const accountId = requireAccount(context.viewer);
    const request = {
      operation: 'upsertOrganizations',
      idempotencyKey,
      items,
      orderBy: externalIdOrder,
      constraints: organizationConstraints,
    };
    return writeBatch(writer, context, request, async (transaction, item) => {
      const id = await findByExternalId(transaction, 'organization', accountId, firstExternalId(item));
      if (id === null) return upsertOutcome(null, await insertOrganization(transaction, accountId, item));
      const before = await lockRow(transaction, organizationResource, id);
      rejectInvalid([
        item.type !== before.type && {
          pointer: '/type',
          code: 'immutable',
          detail: `The type of this organization is ${before.type} and cannot be changed.`,
        },
      ]);
      const { type: _, status: __, createTeam: ___, ...input } = item;
      return upsertOutcome(before, await patchOrganization(transaction, context.viewer, before, input));
    });
  };
}
