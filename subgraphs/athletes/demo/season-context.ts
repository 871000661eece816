/** What the season metrics of a demo athlete are generated from. */
import type { Random } from '../../../platform/random.ts';
import type { DemoAthlete } from '../../../schema/demo.ts';

export interface SeasonContext {
  readonly random: Random;
  readonly athlete: DemoAthlete;
  readonly eventCode: string | null;
  readonly group: string;
  readonly matches: number;
  readonly minutes: number;
  /** A count proportional to playing time: `rate` per full match of an average athlete. */
  count(rate: number): number;
  /** A part of a total, which it never exceeds. */
  part(whole: number, mean: number): number;
  /** The number that the matches determine, or a generated one without matches. */
  counted(key: string, generate: () => number): number;
  /** The counted metrics with a value; null without matches. */
  readonly best: Readonly<Record<string, number>> | null;
}

/** With two decimals. */
const percent = (part: number, whole: number): Record<'value', number> | null =>
  whole > 0 ? { value: Math.round((part / whole) * 10_000) / 100 } : null;

/** A percentage as a metric; none without a whole. */
export function ratio(key: string, part: number, whole: number): Record<string, number> {
  const found = percent(part, whole);
  return found ? { [key]: found.value } : {};
}
