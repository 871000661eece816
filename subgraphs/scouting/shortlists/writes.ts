/** Shortlists: their writes. */
import { sql } from '../../../platform/database/database.ts';
import { eraseTraces } from '../../../platform/writes/erase-traces.ts';
import { requireVersion } from '../../../platform/writes/precondition.ts';
import { insertResource, lockOwned, patchResource, removeRow, requireAccount } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import type { CreateShortlistInput, UpdateShortlistInput } from '../resolvers.generated.ts';
import { reportResource } from '../scouting-reports/reads.ts';
import { entryResource } from '../shortlist-entries/reads.ts';
import { shortlistResource, type ShortlistRow, type ShortlistReads } from './reads.ts';

/** Leaves nothing of reports but that they were written: called with those that go with their entries. */
export async function eraseReports(transaction: WriteTransaction, entryIds: readonly string[]): Promise<void> {
  const rows = await transaction.query<{ id: string }>(
    sql`/* scoutingReports.idsOfEntries */ select id from scouting_report where entry_id = any(${[...entryIds]}::uuid[])`,
  );
  await eraseTraces(
    transaction,
    reportResource.type,
    rows.map(({ id }) => id),
  );
}

/** Writes of shortlists over the area's database. */
export function createShortlistWrites({ writer }: AreaServices, store: ShortlistReads) {
  const reloading = replaysOf(store.byId);

  return {
    create(context: Context, input: CreateShortlistInput, key: string | null | undefined): Promise<ShortlistRow> {
      const { externalIds, ...values } = input;
      const accountId = requireAccount(context.viewer);
      const work = (transaction: WriteTransaction) =>
        insertResource(
          transaction,
          shortlistResource,
          { accountId, name: values.name, description: values.description ?? null },
          externalIds,
        );
      return writer.write(context, work, reloading(context, 'createShortlist', key, input));
    },
    /** Throws Problem not_found (404), precondition_failed (412). */
    update(context: Context, id: string, input: UpdateShortlistInput, ifMatch: string): Promise<ShortlistRow> {
      return writer.write(context, async (transaction) => {
        const before = await lockOwned(transaction, shortlistResource, context.viewer, id);
        requireVersion(ifMatch, before.version);
        const { externalIds, ...values } = input;
        return patchResource(transaction, shortlistResource, before, values as Partial<ShortlistRow>, externalIds);
      });
    },
    /** Entries and reports go with their list. Throws Problem not_found (404), precondition_failed (412). */
    remove(context: Context, id: string, ifMatch: string): Promise<ShortlistRow> {
      return writer.write(context, async (transaction) => {
        const row = await lockOwned(transaction, shortlistResource, context.viewer, id);
        requireVersion(ifMatch, row.version);
        const rows = await transaction.query<{ id: string }>(
          sql`/* shortlistEntries.lockOfShortlist */ select id from shortlist_entry where shortlist_id = ${id} order by id for update`,
        );
        const entryIds = rows.map((entry) => entry.id);
        await eraseReports(transaction, entryIds);
        await eraseTraces(transaction, entryResource.type, entryIds);
        await removeRow(transaction, shortlistResource, row);
        return row;
      });
    },
  };
}
