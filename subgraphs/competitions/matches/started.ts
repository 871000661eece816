/** Rejects actions and results of matches that have not started. */
import { Problem, type Violation } from '../../../schema/errors.ts';
import { allowedTransitions } from '../../../platform/writes/transition.ts';
import { matchTransitions, unstartedMatchStatuses } from './rules.ts';
import type { MatchRow } from './rows.ts';

/** Throws Problem invalid_transition (409) for a match that has not started. `what` names what it cannot have: `actions`. */
export function requireStarted({ status }: MatchRow, what: string): void {
  if (!unstartedMatchStatuses.includes(status)) return;
  const hint = status === 'CANCELLED' ? '' : ' Start the match first.';
  throw new Problem('invalid_transition', `The match is ${status}, so it cannot have ${what}.${hint}`, {
    state: status,
    allowedTransitions: allowedTransitions(matchTransitions, status, ['OWNER']),
  });
}

/** The violation for actions in an input of a match that has not started. */
export function notStartedViolation({ status }: MatchRow, pointer: string): Violation | null {
  const detail = `The match is ${status}, so it cannot have actions. Send them after it has started.`;
  return unstartedMatchStatuses.includes(status) ? { pointer, code: 'not_begun', detail } : null;
}
