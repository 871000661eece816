/** The clock of a match: its period, and the time in it. */
import { Problem } from '../../../schema/errors.ts';
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

/** The clock that the caller sets. Throws Problem invalid_transition (409) for a match that is not being played, validation_failed (422) in other sports. */
export function clockFrom({ status, sport }: MatchRow, { period, clockMs, running }: MatchClockInput): ClockValue {
  const live: readonly MatchStatus[] = liveMatchStatuses;
  if (!live.includes(status))
    throw new Problem('invalid_transition', `The match is ${status}, so its clock cannot be set. Start the match first.`, {
      state: status,
    });
  if (!periodsBySport[sport]) {
    const detail = `Matches of ${sport} have no periods, so they have no clock.`;
    throw new Problem('validation_failed', detail, { errors: [{ pointer: '', code: 'not_in_sport', detail }] });
  }
  return { period, clockMs, running: running ?? true, at: new Date().toISOString() };
}
