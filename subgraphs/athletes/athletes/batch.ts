/** Batch upserts of athletes by external id. */
import { upsertOutcome, writeBatch, type BatchResult } from '../../../platform/writes/batch.ts';
import { externalIdOrder, findByExternalId, firstExternalId } from '../../../platform/writes/external-id.ts';
import { lockOwned, requireAccount } from '../../../platform/writes/resource.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { athleteConstraints } from '../constraints.ts';
import type { CreateAthleteInput } from '../resolvers.generated.ts';
import { rejectRemoved } from './erasure.ts';
import { athleteResource } from './rows.ts';
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
    const request = {
      operation: 'upsertAthletes',
      idempotencyKey,
      items,
      orderBy: externalIdOrder,
      constraints: athleteConstraints,
    };
    return writeBatch(writer, context, request, async (transaction, item) => {
      const id = await findByExternalId(transaction, 'athlete', accountId, firstExternalId(item));
      if (id === null) return upsertOutcome(null, await insertAthlete(transaction, accountId, item, institutions));
      // a merge can move an external id to a profile of another account
      const before = await lockOwned(transaction, athleteResource, viewer, id);
      rejectRemoved(before);
      return upsertOutcome(before, await patchAthlete(transaction, viewer, before, item, institutions));
    });
  };
}
