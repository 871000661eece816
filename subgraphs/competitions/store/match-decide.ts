/** Takes a match that is still open to where an official result finds it. */
import { Problem } from '../../../schema/errors.ts';
import { changeRow, stepsBetween } from '../../../platform/resource.ts';
import type { WriteTransaction } from '../../../platform/write.ts';
import { decidedMatchStatuses, matchTransitions, type MatchVerb } from '../match-rules.ts';
import { matchResource, type MatchRow } from './match-row.ts';
import { movedBy } from './match-writes.ts';

/**
 * A locked match as it is once it is over: the fewest steps of its owner lead there, each is in its history, and one event tells of the
 * last. A match that is over stays as it is. Throws Problem invalid_transition (409) for a cancelled one.
 */
export async function decideMatch(transaction: WriteTransaction, match: MatchRow, to: 'FINISHED' | 'AWARDED'): Promise<MatchRow> {
  if (decidedMatchStatuses.includes(match.status)) return match;
  const steps = stepsBetween(matchTransitions, match.status, to);
  const last = steps?.at(-1);
  if (!steps || !last)
    throw new Problem('invalid_transition', `The match is ${match.status}: it has no result.`, {
      state: match.status,
      allowedTransitions: [],
    });
  let before = match;
  for (const { action, to: status } of steps.slice(0, -1)) {
    const after = { ...before, status: status as MatchRow['status'] };
    const seen = matchResource.isPublic(match);
    transaction.record({ action, event: null, before, after, resourceType: 'match', publicBefore: seen, publicAfter: seen });
    before = after;
  }
  return changeRow(transaction, matchResource, before, { status: to }, movedBy(last.action as MatchVerb, before));
}
