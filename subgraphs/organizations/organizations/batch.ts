/** Batch upserts of organizations by external id. */
import { rejectInvalid } from '../../../schema/errors.ts';
import type { BatchResult } from '../../../platform/writes/batch.ts';
import { requireAccount } from '../../../platform/writes/resource.ts';
import { immutableViolation, upsertByExternalId } from '../../../platform/writes/upsert.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { organizationConstraints } from '../constraints.ts';
import type { CreateOrganizationInput } from '../generated/resolvers.ts';
import { organizationResource } from './rows.ts';
import { insertOrganization, moveOrganization, patchOrganization } from './writes.ts';

/** Creates the mutation that creates or updates each item by its first external id. */
export function createOrganizationBatch({ writer }: AreaServices) {
  return function upsert(
    context: Context,
    items: readonly CreateOrganizationInput[],
    idempotencyKey: string | null | undefined,
  ): Promise<BatchResult> {
    const accountId = requireAccount(context.viewer);
    return upsertByExternalId(writer, context, {
      operation: 'upsertOrganizations',
      idempotencyKey,
      items,
      constraints: organizationConstraints,
      resource: organizationResource,
      accountId,
      insert: (transaction, item) => insertOrganization(transaction, accountId, item),
      update: (transaction, before, { type, status: _, createTeam: __, ...input }) => {
        rejectInvalid([
          type !== before.type &&
            immutableViolation('type', `The type of this organization is ${before.type} and cannot be changed.`),
        ]);
        return patchOrganization(transaction, context.viewer, before, input);
      },
      status: {
        verbs: ['activate'],
        apply: (transaction, { id }, verb) => moveOrganization(transaction, context.viewer, verb, { id }),
      },
    });
  };
}
