/** What an official result must not contradict: the rules on draws, the recorded goals, and the states of the match. */
import { rejectInvalid } from '../../../schema/errors.ts';
import type { MatchDuration } from '../generated/resolvers.ts';
import type { CompleteResult, MatchFacts, Violations } from './facts.ts';

const durations: readonly MatchDuration[] = ['REGULAR', 'EXTRA_TIME', 'PENALTY_SHOOTOUT'];

const played: Readonly<Record<MatchDuration, string>> = {
  REGULAR: 'regular time',
  EXTRA_TIME: 'extra time',
  PENALTY_SHOOTOUT: 'a shoot-out',
};

/** The violation for a duration that is shorter than the states of the match show. */
export function durationViolations(duration: MatchDuration, { reached }: MatchFacts): Violations {
  if (!reached || durations.indexOf(duration) >= durations.indexOf(reached)) return [];
  const detail = `The match went to ${played[reached]}, so its duration cannot be ${duration}. Set \`duration\` to ${reached}, or leave it out.`;
  return [{ pointer: '/duration', code: 'contradicts_state', detail }];
}

function drawViolations({ parts }: CompleteResult, { sport, canDraw = true, inTie, subMatchScore }: MatchFacts): Violations {
  // The matches of a tie are added up, and a team contest of several matches can end level.
  if (canDraw || inTie || subMatchScore || !parts.every(({ outcome }) => outcome === 'DRAW')) return [];
  const detail = `A match of ${sport} has no draw. Write the final score. For a match that ended early, set \`endedBy\`.`;
  return [{ pointer: '/participants', code: 'no_draw', detail }];
}

function goalViolations({ parts }: CompleteResult, { goals }: MatchFacts): Violations {
  return parts.map(({ score, participantId }, side) => {
    const recorded = goals?.[side === 0 ? 0 : 1] ?? 0;
    const detail = `The score of the participant ${participantId} is ${String(score)}, but ${recorded} of its goals are recorded. Correct the score or the match actions.`;
    return score !== null && recorded > score && { pointer: '/participants', code: 'below_goals', detail };
  });
}

/**
 * Throws Problem validation_failed (422) for a result that cannot be official. A match that ended early or was forfeited may have any score.
 * `pointer` is the prefix of all violations; null where the request has no result.
 */
export function requireAcceptable(result: CompleteResult, facts: MatchFacts, pointer: string | null): void {
  const { parts, endedBy } = result;
  if (parts.length !== 2 || facts.participantIds.length !== 2) return;
  if (endedBy !== null || parts.some(({ forfeit }) => forfeit)) return;
  const violations = [...drawViolations(result, facts), ...goalViolations(result, facts)];
  rejectInvalid(
    violations.map((each) => !!each && { ...each, pointer: pointer === null ? '' : `${pointer}${each.pointer ?? ''}` }),
  );
}
