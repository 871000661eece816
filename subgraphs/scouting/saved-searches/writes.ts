/** Mutations of saved searches. */
import { isDeepStrictEqual } from 'node:util';
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { lockOwnedAt, removeOwned } from '../../../platform/writes/lifecycle.ts';
import { insertResource, patchResource, requireAccount } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { rowValues } from '../../runtime/row-values.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import type {
  CreateSavedSearchInput,
  MutationDeleteSavedSearchArgs,
  MutationUpdateSavedSearchArgs,
  SavedSearchKind,
} from '../generated/resolvers.ts';
import { readNewest, type Walk } from './list-pages.ts';
import { countSearches, moveNextRun, startMatching } from './matching-state.ts';
import type { SavedSearchReads } from './reads.ts';
import { savedSearchResource, type SavedSearchRow } from './rows.ts';
import { patchedList, searchedListOf, type Searched } from './searched-list.ts';

const searchesMax = 100;

/** What a search finds before it is saved. */
interface Baseline {
  readonly searched: Searched;
  readonly walk: Walk;
  /** A time before the walk. */
  readonly at: string;
}

/** Reads as the viewer. Throws Problem validation_failed (422) for a filter that the list rejects. */
async function readBaseline({ graph }: Context, searched: Searched): Promise<Baseline> {
  const at = new Date().toISOString();
  return { searched, walk: await readNewest(graph, searched), at };
}

/** Throws Problem validation_failed (422) unless the account has the shortlist, and for a search for opportunities. */
async function requireShortlist(
  transaction: Queryable,
  accountId: string,
  kind: SavedSearchKind,
  shortlistId: string | null | undefined,
): Promise<void> {
  if (typeof shortlistId !== 'string') return;
  const pointer = '/shortlistId';
  rejectInvalid([
    kind === 'OPPORTUNITIES' && {
      pointer,
      code: 'not_supported',
      detail: 'A shortlist contains athletes. Omit `shortlistId` in a search for opportunities.',
    },
  ]);
  const rows = await transaction.query(
    sql`/* savedSearches.shortlist */ select id from shortlist where id = ${shortlistId} and account_id = ${accountId} for share`,
  );
  rejectInvalid([rows.length === 0 && { pointer, code: 'unknown_shortlist', detail: 'There is no shortlist with this ID.' }]);
}

/** Throws Problem conflict (409) if the account has the maximum number of searches. */
async function requireCapacity(transaction: Queryable, accountId: string): Promise<void> {
  if ((await countSearches(transaction, accountId)) < searchesMax) return;
  throw new Problem('conflict', `Your account has ${searchesMax} saved searches, the maximum. Delete one first.`);
}

export function createSavedSearchWrites({ writer }: AreaServices, reads: SavedSearchReads) {
  const replay = replaysOf(reads.byId);

  /** The baseline of a changed filter; null if it does not change. */
  async function changedBaseline(context: Context, before: SavedSearchRow, patch: CreateSavedSearchInput['filter']) {
    const searched = patchedList(before, patch, context.viewer.sport);
    return isDeepStrictEqual(searched.filter, before.filter) ? null : readBaseline(context, searched);
  }

  return {
    /** Throws Problem api_key_missing (401), validation_failed (422), conflict (409). */
    async create(context: Context, input: CreateSavedSearchInput, key: string | null | undefined): Promise<SavedSearchRow> {
      const accountId = requireAccount(context.viewer);
      const { searched, walk, at } = await readBaseline(context, searchedListOf(input.filter, context.viewer.sport));
      const { name, shortlistId } = input;
      const work = async (transaction: WriteTransaction): Promise<SavedSearchRow> => {
        await requireCapacity(transaction, accountId);
        await requireShortlist(transaction, accountId, searched.kind, shortlistId);
        const values = {
          accountId,
          name,
          ...searched,
          intervalMinutes: input.intervalMinutes ?? 60,
          shortlistId: shortlistId ?? null,
          paused: input.paused ?? false,
        };
        const row = await insertResource(transaction, savedSearchResource, values, null);
        await startMatching(transaction, row.id, walk, at);
        return row;
      };
      return writer.write(context, work, replay(context, 'createSavedSearch', key, input));
    },
    /** Throws Problem not_found (404), precondition_failed (412), validation_failed (422). */
    async update(context: Context, { id, input, ifMatch }: MutationUpdateSavedSearchArgs): Promise<SavedSearchRow> {
      const { name, filter, intervalMinutes, shortlistId, paused } = input;
      // read before the transaction: a transaction must not wait for another area
      const known = filter ? await context.load(reads.byId, id) : null;
      const baseline = known && filter ? await changedBaseline(context, known, filter) : null;
      return writer.write(context, async (transaction) => {
        const before = await lockOwnedAt(transaction, savedSearchResource, context.viewer, { id, ifMatch });
        if (known && !isDeepStrictEqual(known.filter, before.filter))
          throw new Problem(
            'precondition_failed',
            'Another request has changed the filter. Fetch the search and change it again.',
          );
        await requireShortlist(transaction, before.accountId, before.kind, shortlistId);
        const changed = filter ? baseline?.searched.filter : filter;
        const values = rowValues<SavedSearchRow>({ name, filter: changed, intervalMinutes, shortlistId, paused });
        const row = await patchResource(transaction, savedSearchResource, before, values, undefined);
        if (baseline) await startMatching(transaction, id, baseline.walk, baseline.at);
        else await moveNextRun(transaction, id, row.intervalMinutes - before.intervalMinutes);
        return row;
      });
    },
    /** Throws Problem not_found (404), precondition_failed (412). */
    remove(context: Context, { id, ifMatch }: MutationDeleteSavedSearchArgs): Promise<SavedSearchRow> {
      return writer.write(context, (transaction) =>
        removeOwned(transaction, savedSearchResource, context.viewer, { id, ifMatch }),
      );
    },
  };
}
