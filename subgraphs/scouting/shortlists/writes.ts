/** Mutations of shortlists. */
import { sql } from '../../../platform/database/database.ts';
import { eraseTraces } from '../../../platform/writes/erase-traces.ts';
import { lockOwnedAt, removeOwned } from '../../../platform/writes/lifecycle.ts';
import { insertResource, patchResource, requireAccount } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { rowValues } from '../../runtime/row-values.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import type { CreateShortlistInput, UpdateShortlistInput } from '../generated/resolvers.ts';
import { eraseReports } from '../scouting-reports/erasure.ts';
import { entryResource } from '../shortlist-entries/rows.ts';
import type { ShortlistReads } from './reads.ts';
import { shortlistResource, type ShortlistRow } from './rows.ts';

export function createShortlistWrites({ writer }: AreaServices, reads: ShortlistReads) {
  const replay = replaysOf(reads.byId);

  return {
    /** Throws Problem api_key_missing (401). */
    create(context: Context, input: CreateShortlistInput, key: string | null | undefined): Promise<ShortlistRow> {
      const accountId = requireAccount(context.viewer);
      const values = { accountId, name: input.name, description: input.description ?? null };
      const work = (transaction: WriteTransaction) => insertResource(transaction, shortlistResource, values, input.externalIds);
      return writer.write(context, work, replay(context, 'createShortlist', key, input));
    },
    /** Throws Problem not_found (404), precondition_failed (412). */
    update(context: Context, id: string, input: UpdateShortlistInput, ifMatch: string): Promise<ShortlistRow> {
      return writer.write(context, async (transaction) => {
        const before = await lockOwnedAt(transaction, shortlistResource, context.viewer, { id, ifMatch });
        const { externalIds, name, description } = input;
        const values = rowValues<ShortlistRow>({ name, description });
        return patchResource(transaction, shortlistResource, before, values, externalIds);
      });
    },
    /** Deletes a shortlist with its entries and reports. Throws Problem not_found (404), precondition_failed (412). */
    remove(context: Context, id: string, ifMatch: string): Promise<ShortlistRow> {
      const removeEntries = async (transaction: WriteTransaction): Promise<void> => {
        const entries = await transaction.query<{ id: string }>(
          sql`/* shortlistEntries.lockOfShortlist */ select id from shortlist_entry where shortlist_id = ${id} order by id for update`,
        );
        const entryIds = entries.map((entry) => entry.id);
        await eraseReports(transaction, entryIds);
        await eraseTraces(transaction, entryResource.type, entryIds);
      };
      return writer.write(context, (transaction) =>
        removeOwned(transaction, shortlistResource, context.viewer, { id, ifMatch }, () => removeEntries(transaction)),
      );
    },
  };
}
