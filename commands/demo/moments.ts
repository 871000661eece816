/** Moments and days of the demo world. */
import type { Random } from '../../platform/random.ts';

const dayMs = 86_400_000;

/** The day some days after (or before) another. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
}

/** A moment between two (days count from their midnight), milliseconds included; the first where they are reversed. */
export function momentBetween(random: Random, from: string, to: string): string {
  const first = Date.parse(from);
  const last = Math.max(first, Date.parse(to) - 1);
  return new Date(Math.floor(first + random.fraction() * (last - first))).toISOString();
}
