/** The clock of a match: its period, and the time in it. */
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import { periodsBySport, periodTitle } from '../../../schema/periods.ts';
import type { MatchClock, MatchClockInput, MatchStatus } from '../generated/resolvers.ts';
import { liveMatchStatuses, type MatchVerb } from './rules.ts';
import type { MatchRow } from './rows.ts';

/** As stored: the time in the period at a moment, and whether the clock has run since then. */
export interface ClockValue {
  readonly period: number;
  readonly clockMs: number;
  readonly running: boolean;
  readonly at: string;
}

/** Transitions that start the clock. */
const startingVerbs: readonly MatchVerb[] = ['start', 'resume', 'extra-time'];

export const startsClock = (verb: MatchVerb): boolean => startingVerbs.includes(verb);

type Clocked = Pick<MatchRow, 'sport' | 'format' | 'clock'>;

/** The time in the period at a moment. */
const clockAt = ({ clockMs, running, at }: ClockValue, nowMs: number): number =>
  running ? clockMs + Math.max(0, nowMs - Date.parse(at)) : clockMs;

const stopped = (clock: ClockValue | null, nowMs: number): ClockValue | null =>
  clock && { ...clock, clockMs: clockAt(clock, nowMs), running: false, at: new Date(nowMs).toISOString() };

/** The first period after regular time that has not been played. */
const nextExtra = ({ sport, format, clock }: Clocked): number =>
  Math.max(clock?.period ?? 0, format?.periods ?? periodsBySport[sport]?.count ?? 0) + 1;

/**
 * The clock after a transition: it starts with the match and with extra time, stops with each break, and continues where it stopped, or at the
 * start of `period`. Null in sports without periods.
 */
export function clockAfter(match: Clocked, verb: MatchVerb, period: number | null | undefined, nowMs: number): ClockValue | null {
  const { clock, sport } = match;
  if (!periodsBySport[sport]) return null;
  const startOf = (next: number): ClockValue => ({ period: next, clockMs: 0, running: true, at: new Date(nowMs).toISOString() });
  if (verb === 'start') return startOf(1);
  if (verb === 'extra-time') return startOf(nextExtra(match));
  if (verb !== 'resume') return stopped(clock, nowMs);
  if (!clock) return period ? startOf(period) : null;
  if (period && period !== clock.period) return startOf(period);
  return { ...clock, running: true, at: new Date(nowMs).toISOString() };
}

/** The clock as the API returns it. */
export function clockForApi({ sport, format, clock }: Clocked): MatchClock | null {
  return clock && { ...clock, periodTitle: periodTitle(sport, clock.period, format?.periods) };
}

/** What to do about a match whose clock cannot be set, by its state. */
const clockHints: Readonly<Partial<Record<MatchStatus, string>>> = {
  SCHEDULED: ' Start the match first.',
  TIMED: ' Start the match first.',
  POSTPONED: ' Schedule and start the match first.',
  SUSPENDED: ' Resume the match first.',
};

/**
 * The clock that the caller sets. `hasParts`: the match has sub-matches. Throws Problem invalid_transition (409) for a match that is not being
 * played, validation_failed (422) in other sports and for a match with sub-matches.
 */
export function clockFrom(
  { status, sport }: MatchRow,
  { period, clockMs, running }: MatchClockInput,
  hasParts: boolean,
): ClockValue {
  const live: readonly MatchStatus[] = liveMatchStatuses;
  const reject = (code: string, detail: string) => rejectInvalid([{ pointer: '', code, detail }]);
  if (!live.includes(status)) {
    const detail = `The match is ${status}, so its clock cannot be set.${clockHints[status] ?? ''}`;
    throw new Problem('invalid_transition', detail, { state: status });
  }
  if (!periodsBySport[sport]) reject('not_in_sport', `Matches of ${sport} have no periods, so they have no clock.`);
  if (hasParts)
    reject('has_parts', 'A match with sub-matches has no clock. Set the clock of the sub-match that is being played.');
  return { period, clockMs, running: running ?? true, at: new Date().toISOString() };
}
