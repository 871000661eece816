/** Moves a match to a state over the states between. Each transition is in the history, one event reports all of them. */
import { Problem } from '../../../schema/errors.ts';
import { changeRow } from '../../../platform/writes/resource.ts';
import { allowedTransitions, transitionsBetween } from '../../../platform/writes/transition.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import type { MatchStatus } from '../generated/resolvers.ts';
import { requireOpenSeason } from '../seasons/open-season.ts';
import { clockAfter, startsClock } from './clock.ts';
import { matchEventIds } from './insert.ts';
import { matchTransitions, type MatchVerb } from './rules.ts';
import { requireNotAhead } from './plausible-time.ts';
import { matchResource, type MatchRow } from './rows.ts';
import { anySubMatch } from './sub-matches.ts';

/** The history entry and the event of a transition. `match.finished` is published once, even if a finished match is awarded later. */
export function transitionNote(verb: MatchVerb, before: MatchRow) {
  const isFinish = verb === 'finish' || (verb === 'award' && before.status !== 'FINISHED');
  return { action: verb, event: isFinish ? 'match.finished' : 'match.status_changed', data: matchEventIds(before) } as const;
}

/** The clock of a locked match after a transition. A match with sub-matches has none. */
export async function nextClock(
  transaction: WriteTransaction,
  match: MatchRow,
  verb: MatchVerb,
  period: number | null | undefined,
) {
  const clock = clockAfter(match, verb, period, Date.now());
  const isStarted = clock !== null && startsClock(verb);
  return isStarted && (await anySubMatch(transaction, match.id)) !== null ? null : clock;
}

const isMatchVerb = (action: string): action is MatchVerb => Object.hasOwn(matchTransitions, action);

/** Moves a locked match to a state. Throws Problem invalid_transition (409) where no transitions lead there or the season is closed. */
export async function transitionTo(
  transaction: WriteTransaction,
  match: MatchRow,
  status: MatchStatus,
  advice = '',
): Promise<MatchRow> {
  if (match.status === status) return match;
  const verbs =
    transitionsBetween(matchTransitions, match.status, status)
      ?.map(({ action }) => action)
      .filter(isMatchVerb) ?? [];
  const last = verbs.at(-1);
  if (!last)
    throw new Problem('invalid_transition', `A match cannot change from ${match.status} to ${status}.${advice}`, {
      existingId: match.id,
      state: match.status,
      allowedTransitions: allowedTransitions(matchTransitions, match.status, ['OWNER']),
    });
  await requireOpenSeason(transaction, match);
  if (status === 'FINISHED') requireNotAhead(match);
  let before = match;
  for (const action of verbs.slice(0, -1)) {
    const after = { ...before, status: matchTransitions[action].to };
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
  const clock = await nextClock(transaction, match, last, null);
  return changeRow(transaction, matchResource, before, { status, statusReason: null, clock }, transitionNote(last, match));
}
