/** Batches of entries of a shortlist: each is found by its first external id, and made or changed by itself. */
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import { upsertOutcome, writeBatch, type BatchResult } from '../../../platform/writes/batch.ts';
import { externalIdOrder, findByExternalId, firstExternalId } from '../../../platform/writes/external-id.ts';
import { lockOwned, lockRow, patchResource } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { visibleAthletes } from '../../clients/visible-athletes.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { scoutingConstraints } from '../constraints.ts';
import type { MutationUpsertShortlistEntriesArgs } from '../resolvers.generated.ts';
import { shortlistResource, type ShortlistRow } from '../shortlists/reads.ts';
import { entryResource, type ShortlistEntryRow } from './reads.ts';
import { insertEntry } from './writes.ts';

/** Locks the entry of an external id. Throws Problem conflict (409, with existingId) for one of another list of the account. */
async function lockOnList(transaction: WriteTransaction, list: ShortlistRow, id: string): Promise<ShortlistEntryRow> {
  const row = await lockRow(transaction, entryResource, id);
  if (row.shortlistId === list.id) return row;
  const detail = 'The external id belongs to an entry of another shortlist: give this one an id of its own.';
  throw new Problem('conflict', detail, { existingId: id });
}

/** Batches over the area's database. The stage is no part of an item: it is moved. */
export function createShortlistEntryBatch({ writer }: AreaServices) {
  /** Throws Problem not_found (404) for a list that is not the viewer's; what is wrong with an item fails the item. */
  return async (context: Context, args: MutationUpsertShortlistEntriesArgs): Promise<BatchResult> => {
    const { shortlistId, items, idempotencyKey } = args;
    const athletes = await visibleAthletes(
      context,
      items.map(({ athleteId }) => athleteId),
    );
    let list: ShortlistRow | null = null;
    const request = {
      // the same items for another list are another request
      operation: `upsertShortlistEntries ${shortlistId}`,
      idempotencyKey,
      items,
      orderBy: externalIdOrder,
      constraints: scoutingConstraints,
      beforeItems: async (transaction: WriteTransaction) => {
        list = await lockOwned(transaction, shortlistResource, context.viewer, shortlistId);
      },
    };
    return writeBatch(writer, context, request, async (transaction, item) => {
      if (!list) throw new Error('a batch begins with its list');
      const id = await findByExternalId(transaction, entryResource.type, list.accountId, firstExternalId(item));
      if (id === null) return upsertOutcome(null, await insertEntry(transaction, list, athletes.get(item.athleteId), item));
      const before = await lockOnList(transaction, list, id);
      const sameAthlete = item.athleteId === before.namedId || athletes.get(item.athleteId)?.id === before.athleteId;
      rejectInvalid([
        !sameAthlete && {
          pointer: '/athleteId',
          code: 'immutable',
          detail: 'An entry is about one athlete: add another entry, with an external id of its own.',
        },
      ]);
      const { externalIds, athleteId: _, ...values } = item;
      const patch = values as Partial<ShortlistEntryRow>;
      return upsertOutcome(before, await patchResource(transaction, entryResource, before, patch, externalIds, { shortlistId }));
    });
  };
}
