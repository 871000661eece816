/** Full matches: the unit by which sums of different playing times are compared (docs/matching.md). */
import type { Sport } from '../../schema/sports.ts';

export interface PlayingTime {
  readonly sport: Sport;
  readonly matchesPlayed: number | null;
  readonly minutesPlayed: number | null;
  /** Number of matches with known minutes. Null for all. */
  readonly matchesTimed: number | null;
}

/** Minutes of a full match, for sports with a clock. */
export const matchMinutes: Partial<Record<Sport, number>> = { FOOTBALL: 90, BASKETBALL: 40, HANDBALL: 60, RUGBY: 80 };

/** Metrics of playing time. They are divisors, not performance. */
export const playingTimeMetrics: ReadonlySet<string> = new Set(['matchesPlayed', 'minutesPlayed']);

/** The number of full matches of a season, from the minutes if they are known for every match. A mark without matches counts as one. */
export function fullMatches({ sport, matchesPlayed, minutesPlayed, matchesTimed }: PlayingTime): number {
  const length = matchMinutes[sport];
  const timed = matchesTimed === null || matchesTimed === matchesPlayed;
  if (length !== undefined && minutesPlayed !== null && timed) return minutesPlayed / length;
  return matchesPlayed ?? 1;
}

/** A sum per full match. Null if the playing time is unknown or 0. */
export function perFullMatch(value: number, time: PlayingTime): number | null {
  const isUnknown = time.matchesPlayed === null && time.minutesPlayed === null;
  const matches = isUnknown ? 0 : fullMatches(time);
  return matches === 0 ? null : value / matches;
}
