/** Batch upserts of opportunities by their first external id. */
import { rejectInvalid } from '../../../schema/errors.ts';
import type { BatchResult } from '../../../platform/writes/batch.ts';
import { requireAccount } from '../../../platform/writes/resource.ts';
import { immutableViolation, upsertByExternalId } from '../../../platform/writes/upsert.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { opportunityConstraints } from '../constraints.ts';
import type { CreateOpportunityInput, MutationUpsertOpportunitiesArgs } from '../generated/resolvers.ts';
import { statusAt } from './lifecycle.ts';
import { opportunityResource, type OpportunityRow } from './rows.ts';
import { applyTransition, fetchNamedOrganizations, insertOpportunity, patchOpportunity } from './writes.ts';

const immutableMembers = ['type', 'organizationId', 'sport'] as const;

function rejectImmutableChanges(item: CreateOpportunityInput, before: OpportunityRow): void {
  rejectInvalid(
    immutableMembers.map(
      (member) =>
        item[member] !== before[member] && immutableViolation(member, `\`${member}\` of an opportunity cannot be changed.`),
    ),
  );
}

export function createOpportunityBatch({ writer }: AreaServices) {
  /** Throws Problem api_key_missing (401). An invalid item fails alone. */
  return async (context: Context, args: MutationUpsertOpportunitiesArgs): Promise<BatchResult> => {
    const { items, idempotencyKey } = args;
    const accountId = requireAccount(context.viewer);
    const owners = await fetchNamedOrganizations(context, items);
    return upsertByExternalId(writer, context, {
      operation: 'upsertOpportunities',
      idempotencyKey,
      items,
      constraints: opportunityConstraints,
      resource: opportunityResource,
      accountId,
      insert: (transaction, item) => insertOpportunity(transaction, accountId, item, owners),
      update: (transaction, before, item) => {
        rejectImmutableChanges(item, before);
        const { type: _, organizationId: __, sport: ___, status: ____, ...values } = item;
        return patchOpportunity(transaction, before, values, owners);
      },
      status: {
        verbs: ['publish'],
        statusOf: (row) => statusAt(row),
        apply: (transaction, { id, organizationId }, verb) => {
          const owner = owners.get(organizationId);
          return applyTransition(transaction, context, verb, { id }, new Map(owner && [[organizationId, owner]]));
        },
      },
    });
  };
}
