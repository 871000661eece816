/** Results: their batch. An import gives each match its result, and finishes those that are still open. */
import { rejectInvalid } from '../../../schema/errors.ts';
import { upsertOutcome, writeBatch, type BatchRequest, type BatchResult } from '../../../platform/writes/batch.ts';
import { findByExternalId } from '../../../platform/writes/external-id.ts';
import { lockOwned, requireAccount } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { competitionConstraints } from '../constraints.ts';
import { decidedMatchStatuses } from '../matches/rules.ts';
import type { BatchResultInput } from '../resolvers.generated.ts';
import { matchResource } from '../matches/rows.ts';
import { takeTo } from '../matches/transitions.ts';
import { recordResult } from './record.ts';
import { openSettlement } from './settlement.ts';

/** The match that an item names. Throws Problem validation_failed (422) where it names none, or an unknown one. */
async function matchOf(transaction: WriteTransaction, accountId: string, item: BatchResultInput): Promise<string> {
  const { matchId, match } = item;
  rejectInvalid([
    !matchId === !match && {
      pointer: '/matchId',
      code: 'one_of',
      detail: 'Name the match by matchId, or by an external id as match.',
    },
  ]);
  const id = matchId ?? (match ? await findByExternalId(transaction, 'match', accountId, match) : null);
  if (id !== null) return id;
  const detail = 'None of your matches has this external id: create the match first.';
  rejectInvalid([{ pointer: '/match', code: 'unknown_match', detail }]);
  return '';
}

/** Batches of results over the area's database. */
export function createResultBatch({ writer }: AreaServices) {
  return {
    /** Writes results by their matches; a match that is still open is finished, or awarded, by an official one. */
    upsert(
      context: Context,
      items: readonly BatchResultInput[],
      idempotencyKey: string | null | undefined,
    ): Promise<BatchResult> {
      const accountId = requireAccount(context.viewer);
      let settlement = openSettlement();
      const request: BatchRequest<BatchResultInput> = {
        operation: 'upsertResults',
        idempotencyKey,
        items,
        orderBy: ({ matchId, match }: BatchResultInput) => matchId ?? JSON.stringify(match ?? null),
        constraints: competitionConstraints,
        // A batch that met another one begins anew.
        beforeItems: () => {
          settlement = openSettlement();
          return Promise.resolve();
        },
        afterItems: (transaction: WriteTransaction) => settlement.settle(transaction),
      };
      return writeBatch(writer, context, request, async (transaction, item) => {
        const id = await matchOf(transaction, accountId, item);
        const found = await lockOwned(transaction, matchResource, context.viewer, id);
        const status = item.status ?? 'OFFICIAL';
        const end = item.endedBy?.method === 'AWARDED' ? 'AWARDED' : 'FINISHED';
        const open = status === 'OFFICIAL' && !decidedMatchStatuses.includes(found.status);
        const match = open ? await takeTo(transaction, found, end) : found;
        const { before, after } = await recordResult(transaction, settlement, match, item, status);
        return upsertOutcome(before, after);
      });
    },
  };
}
