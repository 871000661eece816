/** Metric values per match and per 90 minutes, computed when they are read. */
import { metric } from '../../../schema/metrics.ts';

export interface PlayingTime {
  readonly matchesPlayed: number | null;
  readonly minutesPlayed: number | null;
  /** Number of matches with known minutes. Null means all of them. */
  readonly matchesTimed: number | null;
}

/** Metrics that other metrics are divided by. */
const playingTime = ['matchesPlayed', 'minutesPlayed'];

const isSum = (key: string): boolean => metric(key)?.aggregation === 'SUM' && !playingTime.includes(key);

/** A sum per match. Null for metrics that are not sums, and when the number of matches is unknown. */
export function perMatch(key: string, value: number, { matchesPlayed }: PlayingTime): number | null {
  return isSum(key) && matchesPlayed ? value / matchesPlayed : null;
}

/** A sum per 90 minutes. Null for metrics that are not sums, and when the minutes of some matches are unknown. */
export function per90(key: string, value: number, { matchesPlayed, minutesPlayed, matchesTimed }: PlayingTime): number | null {
  const isComplete = matchesTimed === null || matchesTimed === matchesPlayed;
  return isSum(key) && minutesPlayed && isComplete ? (value * 90) / minutesPlayed : null;
}

/** A value with at most two decimals if it is a share of two numbers, such as a win percentage. */
export function roundedShare(key: string, value: number): number {
  return typeof metric(key)?.aggregation === 'object' ? Math.round(value * 100) / 100 : value;
}
