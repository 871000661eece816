/** Batch upsert of results by match. An official result also finishes a match that is still open. */
import { rejectInvalid } from '../../../schema/errors.ts';
import { upsertOutcome, writeBatch, type BatchRequest, type BatchResult } from '../../../platform/writes/batch.ts';
import { findByExternalId } from '../../../platform/writes/external-id.ts';
import { lockOwned, requireAccount } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { competitionConstraints } from '../constraints.ts';
import { decidedMatchStatuses } from '../matches/rules.ts';
import { matchResource } from '../matches/rows.ts';
import { transitionTo } from '../matches/transitions.ts';
import type { BatchResultInput } from '../generated/resolvers.ts';
import { recordResult } from './record.ts';
import { openSettlement } from './settlement.ts';

/** The id of an item's match. Throws Problem validation_failed (422) where the item has none or an unknown one. */
async function matchOf(transaction: WriteTransaction, accountId: string, item: BatchResultInput): Promise<string> {
  const { matchId, match } = item;
  rejectInvalid([
    !matchId === !match && {
      pointer: '/matchId',
      code: 'one_of',
      detail: 'Set either `matchId` or `match`, an external ID of the match.',
    },
  ]);
  const id = matchId ?? (match ? await findByExternalId(transaction, 'match', accountId, match) : null);
  if (id !== null) return id;
  const detail = 'None of your matches has this external ID. Create the match first.';
  rejectInvalid([{ pointer: '/match', code: 'unknown_match', detail }]);
  return '';
}

/** Creates the batch upsert of results. */
export function createResultBatch({ writer }: AreaServices) {
  return {
    /** Writes results by match. An official result finishes or awards a match that is still open. */
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
        // Also runs when the batch is retried after a serialization conflict.
        beforeItems: () => {
          settlement = openSettlement();
          return Promise.resolve();
        },
        afterItems: async (transaction: WriteTransaction) => {
          await settlement.settle(transaction);
        },
      };
      return writeBatch(writer, context, request, async (transaction, item) => {
        const id = await matchOf(transaction, accountId, item);
        const found = await lockOwned(transaction, matchResource, context.viewer, id);
        const end = item.endedBy?.method === 'AWARDED' ? 'AWARDED' : 'FINISHED';
        const open = item.status === 'OFFICIAL' && !decidedMatchStatuses.includes(found.status);
        const match = open ? await transitionTo(transaction, found, end) : found;
        const { before, after } = await recordResult(transaction, settlement, match, item, item.status);
        return upsertOutcome(before, after);
      });
    },
  };
}
