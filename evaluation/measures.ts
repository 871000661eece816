/** Ranking measures, computed from the gain of each candidate in the ground truth (docs/matching.md). */
import type { Random } from '../platform/random.ts';

/** The gain of a candidate. 0 is not relevant. */
export type Gain = 0 | 1 | 2 | 3;

const isRelevant = (gain: Gain): boolean => gain > 0;

/** Share of relevant candidates among the first `places`, from 0 to 1. Empty places count as not relevant. */
export function precisionAt(places: number, ranking: readonly Gain[]): number {
  return ranking.slice(0, places).filter(isRelevant).length / places;
}

/** Share of all relevant candidates that are among the first `places`, from 0 to 1. Without relevant candidates it is 1. */
export function recallAt(places: number, ranking: readonly Gain[], ofAll: number): number {
  return ofAll === 0 ? 1 : ranking.slice(0, places).filter(isRelevant).length / ofAll;
}

/** Discounted cumulative gain: the sum of `2^gain − 1`, each divided by the logarithm of its place (Burges et al. 2005). */
function discounted(places: number, ranking: readonly Gain[]): number {
  return ranking.slice(0, places).reduce<number>((sum, gain, index) => sum + (2 ** gain - 1) / Math.log2(index + 2), 0);
}

/** Normalized discounted cumulative gain of the first `places`, from 0 to 1 (Järvelin and Kekäläinen 2002). */
export function ndcgAt(places: number, ranking: readonly Gain[], all: readonly Gain[]): number {
  const best = discounted(
    places,
    all.toSorted((one, other) => other - one),
  );
  return best === 0 ? 1 : discounted(places, ranking) / best;
}

/** A mean over questions with its 95 % bootstrap interval. */
export interface Estimate {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

const resamples = 1000;

export const meanOf = (values: readonly number[]): number => values.reduce((sum, each) => sum + each, 0) / values.length;

/** A measure over questions with its bootstrap interval, from questions sampled with replacement. Throws RangeError without questions. */
export function estimateOf<Question>(
  questions: readonly Question[],
  measure: (questions: readonly Question[]) => number,
  random: Random,
): Estimate {
  if (questions.length === 0) throw new RangeError('An estimate requires at least one question.');
  const samples = Array.from({ length: resamples }, () => measure(questions.map(() => random.pick(questions)))).sort(
    (one, other) => one - other,
  );
  return { mean: measure(questions), low: samples[resamples * 0.025] ?? 0, high: samples[resamples * 0.975 - 1] ?? 0 };
}

/** The mean of values, one for each question, with its interval. Throws RangeError without values. */
export const estimate = (values: readonly number[], random: Random): Estimate => estimateOf(values, meanOf, random);

/** The number of listed and of relevant candidates of each group in a question. The order of groups is fixed. */
export interface GroupExposure {
  readonly listed: readonly number[];
  readonly relevant: readonly number[];
}

/**
 * The exposure of each group: its share of the listed candidates over its share of the relevant candidates. 1 is proportional.
 * A group without relevant candidates has 1.
 */
export function exposures(questions: readonly GroupExposure[]): number[] {
  const total = (read: (each: GroupExposure) => readonly number[], group: number): number =>
    questions.reduce((sum, each) => sum + (read(each)[group] ?? 0), 0);
  const groups = questions[0]?.listed.map((_, group) => ({
    shown: total(({ listed }) => listed, group),
    relevant: total(({ relevant }) => relevant, group),
  }));
  const all = groups?.reduce((sum, each) => ({ shown: sum.shown + each.shown, relevant: sum.relevant + each.relevant }));
  return (groups ?? []).map(({ shown, relevant }) =>
    relevant === 0 || !all?.shown ? 1 : shown / all.shown / (relevant / all.relevant),
  );
}

/** The lowest exposure over the highest. 1 is even, 0 leaves a group out. */
export function evenness(questions: readonly GroupExposure[]): number {
  const of = exposures(questions);
  return Math.max(...of) === 0 ? 1 : Math.min(...of) / Math.max(...of);
}
