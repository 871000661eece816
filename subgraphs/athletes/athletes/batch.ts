/** Batch upserts of athletes by external id. */
import type { BatchResult } from '../../../platform/writes/batch.ts';
import { lockOwned, requireAccount } from '../../../platform/writes/resource.ts';
import { upsertByExternalId } from '../../../platform/writes/upsert.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { athleteConstraints } from '../constraints.ts';
import type { CreateAthleteInput } from '../generated/resolvers.ts';
import { rejectRemoved } from './erasure.ts';
import { athleteResource } from './rows.ts';
import { moveAthlete } from './transitions.ts';
import { fetchInstitutions, insertAthlete, patchAthlete } from './writes.ts';

/** Creates the mutation that creates or updates each item by its first external id. */
export function createAthleteBatch({ writer }: AreaServices) {
  return async function upsert(
    context: Context,
    items: readonly CreateAthleteInput[],
    idempotencyKey: string | null | undefined,
  ): Promise<BatchResult> {
    const { viewer } = context;
    const accountId = requireAccount(viewer);
    const institutions = await fetchInstitutions(context, items);
    return upsertByExternalId(writer, context, {
      operation: 'upsertAthletes',
      idempotencyKey,
      items,
      constraints: athleteConstraints,
      resource: athleteResource,
      accountId,
      insert: (transaction, item) => insertAthlete(transaction, accountId, item, institutions),
      // a merge can move an external id to a profile of another account
      lock: async (transaction, id) => {
        const row = await lockOwned(transaction, athleteResource, viewer, id);
        rejectRemoved(row);
        return row;
      },
      update: (transaction, before, item) => patchAthlete(transaction, viewer, before, item, institutions),
      status: {
        verbs: ['activate'],
        // a minor waits for consent in the status that a new profile gets instead of ACTIVE
        statusOf: ({ status, consentScopes }) =>
          status !== 'PENDING_CONSENT' ? status : consentScopes.includes('PROFILE') ? 'DRAFT' : 'ACTIVE',
        apply: (transaction, { id }, verb) => moveAthlete(transaction, viewer, verb, { id }),
      },
    });
  };
}
