/** How good a ranking is: the measures of docs/matching.md, over the gain that the truth gives to each candidate. */
import type { Random } from '../platform/random.ts';

/** How much somebody who is found is worth: 0 is not relevant. */
export type Gain = 0 | 1 | 2 | 3;

const relevant = (gain: Gain): boolean => gain > 0;

/** Share of the first `places` that are relevant; places that stay empty count as not relevant. From 0 to 1. */
export function precisionAt(places: number, ranking: readonly Gain[]): number {
  return ranking.slice(0, places).filter(relevant).length / places;
}

/** Share of all who are relevant that are among the first `places`. From 0 to 1; of nobody it is 1. */
export function recallAt(places: number, ranking: readonly Gain[], ofAll: number): number {
  return ofAll === 0 ? 1 : ranking.slice(0, places).filter(relevant).length / ofAll;
}

/** The sum of `2^gain − 1`, each divided by the logarithm of its place (Burges et al. 2005). */
function discounted(places: number, ranking: readonly Gain[]): number {
  return ranking.slice(0, places).reduce<number>((sum, gain, index) => sum + (2 ** gain - 1) / Math.log2(index + 2), 0);
}

/** Discounted gain of the first `places`, as a share of that of the best order of `all` gains (Järvelin and Kekäläinen 2002). From 0 to 1. */
export function ndcgAt(places: number, ranking: readonly Gain[], all: readonly Gain[]): number {
  const best = discounted(
    places,
    all.toSorted((one, other) => other - one),
  );
  return best === 0 ? 1 : discounted(places, ranking) / best;
}

/** A mean over questions, and between which bounds it lies in 95 of 100 draws of questions. */
export interface Estimate {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

const draws = 1000;

const meanOf = (numbers: readonly number[]): number => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;

/** A measure of questions with its bootstrap interval: percentiles of that of questions drawn with replacement. Throws RangeError without questions. */
export function estimateOf<Question>(
  questions: readonly Question[],
  measure: (questions: readonly Question[]) => number,
  random: Random,
): Estimate {
  if (questions.length === 0) throw new RangeError('There is nothing to estimate');
  const drawn = Array.from({ length: draws }, () => measure(questions.map(() => random.pick(questions)))).sort(
    (one, other) => one - other,
  );
  return { mean: measure(questions), low: drawn[draws * 0.025] ?? 0, high: drawn[draws * 0.975 - 1] ?? 0 };
}

/** A mean of numbers, one of each question, with its interval. Throws RangeError without numbers. */
export const estimate = (numbers: readonly number[], random: Random): Estimate => estimateOf(numbers, meanOf, random);

/** How many of each group were shown in a question, and how many deserve it; groups are in the same order everywhere. */
export interface GroupExposure {
  readonly listed: readonly number[];
  readonly deserving: readonly number[];
}

/**
 * The exposure of each group: its share of the places that were given, over its share of those who are relevant. 1 is what it deserves.
 * A group of which nobody is relevant deserves nothing and has 1.
 */
export function exposures(questions: readonly GroupExposure[]): number[] {
  const total = (read: (each: GroupExposure) => readonly number[], group: number): number =>
    questions.reduce((sum, each) => sum + (read(each)[group] ?? 0), 0);
  const groups = questions[0]?.listed.map((_, group) => ({
    shown: total(({ listed }) => listed, group),
    deserving: total(({ deserving }) => deserving, group),
  }));
  const all = groups?.reduce((sum, each) => ({ shown: sum.shown + each.shown, deserving: sum.deserving + each.deserving }));
  return (groups ?? []).map(({ shown, deserving }) =>
    deserving === 0 || !all?.shown ? 1 : shown / all.shown / (deserving / all.deserving),
  );
}

/** How evenly groups are shown: the least exposure over the greatest. 1 is even, 0 leaves a group out. */
export function evenness(questions: readonly GroupExposure[]): number {
  const of = exposures(questions);
  return Math.max(...of) === 0 ? 1 : Math.min(...of) / Math.max(...of);
}
