/** Batch upserts of the entries of a shortlist by their first external id. */
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import { upsertOutcome, writeBatch, type BatchResult } from '../../../platform/writes/batch.ts';
import { externalIdOrder, findByExternalId, firstExternalId } from '../../../platform/writes/external-id.ts';
import { lockOwned, lockRow, patchResource } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { visibleAthletes, type VisibleAthlete } from '../../clients/visible-athletes.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { scoutingConstraints } from '../constraints.ts';
import type { AddShortlistEntryInput, MutationUpsertShortlistEntriesArgs } from '../generated/resolvers.ts';
import { shortlistResource, type ShortlistRow } from '../shortlists/rows.ts';
import { entryResource, type ShortlistEntryRow } from './rows.ts';
import { entryValues, insertEntry } from './writes.ts';

/** Locks an entry by id. Throws Problem conflict (409, with existingId) if it is on another shortlist of the account. */
async function lockOnList(transaction: WriteTransaction, list: ShortlistRow, id: string): Promise<ShortlistEntryRow> {
  const row = await lockRow(transaction, entryResource, id);
  if (row.shortlistId === list.id) return row;
  const detail = 'An entry of another shortlist has this external id. Use a different external id for this entry.';
  throw new Problem('conflict', detail, { existingId: id });
}

/** Creates or updates an entry of a locked shortlist. An item does not set the stage. */
async function upsertEntry(
  transaction: WriteTransaction,
  list: ShortlistRow,
  item: AddShortlistEntryInput,
  athletes: ReadonlyMap<string, VisibleAthlete>,
) {
  const athlete = athletes.get(item.athleteId);
  const id = await findByExternalId(transaction, entryResource.type, list.accountId, firstExternalId(item));
  if (id === null) return upsertOutcome(null, await insertEntry(transaction, list, athlete, item));
  const before = await lockOnList(transaction, list, id);
  rejectInvalid([
    item.athleteId !== before.namedId &&
      athlete?.id !== before.athleteId && {
        pointer: '/athleteId',
        code: 'immutable',
        detail: 'The athlete of an entry cannot be changed. Add another entry with a different external id.',
      },
  ]);
  const data = { shortlistId: list.id };
  return upsertOutcome(
    before,
    await patchResource(transaction, entryResource, before, entryValues(item), item.externalIds, data),
  );
}

export function createShortlistEntryBatch({ writer }: AreaServices) {
  /** Throws Problem not_found (404) if the shortlist does not belong to the viewer. An invalid item fails alone. */
  return async (context: Context, args: MutationUpsertShortlistEntriesArgs): Promise<BatchResult> => {
    const { shortlistId, items, idempotencyKey } = args;
    const athletes = await visibleAthletes(
      context,
      items.map(({ athleteId }) => athleteId),
    );
    let list: ShortlistRow | null = null;
    const request = {
      // The id makes the same items for another shortlist a different request.
      operation: `upsertShortlistEntries ${shortlistId}`,
      idempotencyKey,
      items,
      orderBy: externalIdOrder,
      constraints: scoutingConstraints,
      beforeItems: async (transaction: WriteTransaction) => {
        list = await lockOwned(transaction, shortlistResource, context.viewer, shortlistId);
      },
    };
    return writeBatch(writer, context, request, (transaction, item) => {
      if (!list) throw new Error('the shortlist of a batch was not locked');
      return upsertEntry(transaction, list, item, athletes);
    });
  };
}
