/** Taking a match to a state over the ones between: each is in its history, one event tells of all. */
import { Problem } from '../../../schema/errors.ts';
import { changeRow } from '../../../platform/writes/resource.ts';
import { transitionsBetween } from '../../../platform/writes/transition.ts';
import { allowedTransitions } from '../../../platform/writes/transition.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { matchTransitions, type MatchVerb } from './rules.ts';
import type { MatchStatus } from '../resolvers.generated.ts';
import { refuseSeasonOver } from './match-states.ts';
import { told } from './insert.ts';
import { matchResource, type MatchRow } from './rows.ts';

/** What tells of a step: a match is over once, whatever is decided of it later. */
export function movedBy(verb: MatchVerb, before: MatchRow) {
  const over = verb === 'finish' || (verb === 'award' && before.status !== 'FINISHED');
  return { action: verb, event: over ? 'match.finished' : 'match.status_changed', data: told(before) } as const;
}

/** Takes a locked match to a state. Throws Problem invalid_transition (409) where no steps lead there, and in a season that was called off. */
export async function takeTo(transaction: WriteTransaction, match: MatchRow, status: MatchStatus): Promise<MatchRow> {
  if (match.status === status) return match;
  const way = transitionsBetween(matchTransitions, match.status, status);
  if (!way)
    throw new Problem('invalid_transition', `A match in state ${match.status} does not become ${status}.`, {
      state: match.status,
      allowedTransitions: allowedTransitions(matchTransitions, match.status, ['OWNER']),
    });
  await refuseSeasonOver(transaction, match);
  let before = match;
  for (const { action, to } of way.slice(0, -1)) {
    const after = { ...before, status: to as MatchStatus };
    const { published } = match;
    transaction.record({
      action,
      event: null,
      resourceType: 'match',
      before,
      after,
      publicBefore: published,
      publicAfter: published,
    });
    before = after;
  }
  const last = way.at(-1)?.action as MatchVerb;
  return changeRow(transaction, matchResource, before, { status, statusReason: null }, movedBy(last, match));
}
