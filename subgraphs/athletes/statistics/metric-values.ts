/** What a number of a row of statistics says by match and by minutes, computed where it is read. */
import { metric } from '../../../schema/metrics.ts';

export interface Played {
  readonly matchesPlayed: number | null;
  readonly minutesPlayed: number | null;
  /** Of how many of the matches the minutes are known; null: of all. */
  readonly matchesTimed: number | null;
}

/** These are what others are divided by. */
const played = ['matchesPlayed', 'minutesPlayed'];

const isSum = (key: string): boolean => metric(key)?.aggregation === 'SUM' && !played.includes(key);

/** A sum by match; null for what is no sum, and where the matches are not known. */
export function perMatch(key: string, value: number, { matchesPlayed }: Played): number | null {
  return isSum(key) && matchesPlayed ? value / matchesPlayed : null;
}

/** A sum by 90 minutes; null for what is no sum, and where the minutes are not known of every match. */
export function per90(key: string, value: number, { matchesPlayed, minutesPlayed, matchesTimed }: Played): number | null {
  const whole = matchesTimed === null || matchesTimed === matchesPlayed;
  return isSum(key) && minutesPlayed && whole ? (value * 90) / minutesPlayed : null;
}
