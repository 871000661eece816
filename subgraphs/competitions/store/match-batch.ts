/** Matches: their batch. An import finds its matches by their external ids, and takes them to where they are now. */
import { refuse } from '../../../schema/errors.ts';
import { upserted, writeBatch, type BatchAnswer } from '../../../platform/batch.ts';
import { externalIdOrder, findByExternalId, firstExternalId } from '../../../platform/external-id.ts';
import { lockRow, requireAccount } from '../../../platform/resource.ts';
import type { WriteTransaction } from '../../../platform/write.ts';
import type { AreaServices, Context } from '../../subgraph.ts';
import { competitionConstraints } from '../constraints.ts';
import type { EntryFacts } from '../match-entries.ts';
import type { CreateMatchInput } from '../resolvers.generated.ts';
import { gatherEntryFacts } from './match-entries.ts';
import { createFraming, type Framing } from './match-frame.ts';
import { insertMatch } from './match-insert.ts';
import { patchMatch } from './match-patch.ts';
import { matchResource, type MatchRow } from './match-row.ts';
import { scopeOf } from './match-writes.ts';
import type { RankingScope } from './ranking-row.ts';
import { refreshRankings } from './ranking-writes.ts';

/** Applies an item to the match that it names. Throws Problem validation_failed (422). */
async function change(transaction: WriteTransaction, before: MatchRow, item: CreateMatchInput): Promise<MatchRow> {
  const { seasonId, stageId, participants: _, status: __, result: ___, officials, ...facts } = item;
  refuse([
    seasonId !== before.seasonId && { pointer: '/seasonId', code: 'immutable', detail: 'A match stays in its season.' },
    !!stageId && stageId !== before.stageId && { pointer: '/stageId', code: 'immutable', detail: 'A match stays in its stage.' },
  ]);
  return patchMatch(transaction, before, { ...facts, ...(officials ? { officials } : {}) });
}

interface Applied {
  readonly before: MatchRow | null;
  readonly after: MatchRow;
}

/** Batches of matches over the area's database. */
export function createMatchBatch({ writer, database }: AreaServices) {
  async function apply(
    transaction: WriteTransaction,
    accountId: string,
    framing: Framing,
    item: CreateMatchInput,
    facts: EntryFacts,
  ): Promise<Applied> {
    const id = await findByExternalId(transaction, 'match', accountId, firstExternalId(item));
    if (id === null) return { before: null, after: (await insertMatch(transaction, framing, item, facts)).match };
    const before = await lockRow(transaction, matchResource, id);
    return { before, after: await change(transaction, before, item) };
  }

  return {
    /** Creates or updates matches by their first external id. */
    async upsert(
      context: Context,
      items: readonly CreateMatchInput[],
      idempotencyKey: string | null | undefined,
    ): Promise<BatchAnswer> {
      const accountId = requireAccount(context.viewer);
      const facts = await gatherEntryFacts(
        database,
        context,
        items.flatMap((item) => item.participants ?? []),
      );
      const touched: RankingScope[] = [];
      const request = {
        operation: 'upsertMatches',
        idempotencyKey,
        items,
        orderBy: externalIdOrder,
        constraints: competitionConstraints,
        settle: async (transaction: WriteTransaction) => void (await refreshRankings(transaction, touched)),
      };
      let framing: Framing | null = null;
      return writeBatch(writer, context, request, async (transaction, item) => {
        framing ??= createFraming(transaction, context.viewer);
        try {
          const { before, after } = await apply(transaction, accountId, framing, item, facts);
          if (before?.version !== after.version) touched.push(scopeOf(after), ...(before ? [scopeOf(before)] : []));
          return upserted(before, after);
        } catch (fault) {
          // The locks of this item go with its savepoint.
          framing = null;
          throw fault;
        }
      });
    },
  };
}
