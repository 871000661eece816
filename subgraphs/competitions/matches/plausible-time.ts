/** Times that a match cannot have: an end in the future, and a day far outside of its season. */
import { Problem, type Violation } from '../../../schema/errors.ts';
import { allowedTransitions } from '../../../platform/writes/transition.ts';
import { timesOf, type MatchTime } from './match-time.ts';
import { matchTransitions } from './rules.ts';
import type { MatchRow } from './rows.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A finished match may start at most this long from now: time zones, and clocks that differ. */
const aheadMaxMs = dayMs;

/** Days before the first and after the last day of a season on which its matches may be: preliminary rounds and postponed matches. */
const outsideMaxDays = 60;

interface SeasonDates {
  readonly startDate: string;
  readonly endDate: string;
}

const isAhead = (startsAt: string): boolean => Date.parse(startsAt) > Date.now() + aheadMaxMs;

const placeOf = ({ startTime }: MatchTime): string => (startTime === null ? '/date' : '/startTime');

/** The violation for a finished match with a start in the future. */
export function futureViolation(time: MatchTime, { startDate }: SeasonDates): Violation | null {
  const { date, startsAt } = timesOf(time, startDate);
  if (date === null || !isAhead(startsAt)) return null;
  const detail = `A finished match cannot start in the future. The match starts on ${date}. Correct its start, or omit the status FINISHED.`;
  return { pointer: placeOf(time), code: 'in_future', detail };
}

/** The violation for a day more than 60 days outside of the season. */
export function outsideViolation(time: MatchTime, { startDate, endDate }: SeasonDates): Violation | null {
  const { date } = timesOf(time, startDate);
  if (date === null) return null;
  const before = (Date.parse(startDate) - Date.parse(date)) / dayMs;
  const after = (Date.parse(date) - Date.parse(endDate)) / dayMs;
  if (Math.max(before, after) <= outsideMaxDays) return null;
  const detail = `The match is on ${date}, more than ${outsideMaxDays} days outside of its season (${startDate} to ${endDate}). Correct the date, or change the season first.`;
  return { pointer: placeOf(time), code: 'outside_season', detail };
}

/** Throws Problem invalid_transition (409) where a match that starts in the future would be finished. */
export function requireNotAhead(match: MatchRow): void {
  const { date, startsAt, status } = match;
  if (date === null || !isAhead(startsAt)) return;
  const detail = `The match starts on ${date}, so it cannot be finished yet. Correct its start first: \`POST …/schedule\`, or \`PATCH\` for a match that has started.`;
  throw new Problem('invalid_transition', detail, {
    state: status,
    allowedTransitions: allowedTransitions(matchTransitions, status, ['OWNER']).filter((verb) => verb !== 'finish'),
  });
}
