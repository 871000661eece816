/** The best event of an athlete, by the weighted mean percentile of its values after shrinkage. */
import { weightedMean } from '../skills/skill-weights.ts';
import type { ComparedStanding } from './standings.ts';

/** Matches or races after which the evidence has as much weight as the prior, the middle. Race marks depend less on chance. */
const priorMatches = 10;
const priorRaces = 3;

/** The value of an unknown percentile. */
export const middle = 0.5;

const priorOf = (eventCode: string): number => (eventCode === '' ? priorMatches : priorRaces);

/** The evidence of a number of matches, from 0 to 1. */
const evidenceOf = (matches: number, prior: number): number => matches / (matches + prior);

/** The standard deviation of a shrunk value: that of a beta distribution with as many observations as matches and prior together. */
const deviationOf = (value: number, matches: number, prior: number): number =>
  Math.sqrt((value * (1 - value)) / (matches + prior + 1));

/** The standard deviation of an unknown value. */
export const unknownDeviation = deviationOf(middle, 0, priorMatches);

/** A mean percentile, shrunk toward the middle by the lack of evidence: (n·p + k·0.5) / (n + k). */
const shrunk = (percentile: number, evidence: number): number => evidence * (percentile / 100) + (1 - evidence) * middle;

/** A percentile of a number of full matches, from 0 to 1, shrunk toward the middle. */
export const shrunkPercentile = (percentile: number, matches: number): number =>
  shrunk(percentile, evidenceOf(matches, priorMatches));

/** The weights of values, by their metrics in the same order. */
export type MetricWeights = (metrics: readonly string[]) => readonly number[];

/** The weighted mean percentile of an event's values, before and after shrinkage. */
export interface EventResult {
  readonly percentile: number;
  readonly value: number;
  readonly evidence: number;
  /** Standard deviation of the value. */
  readonly deviation: number;
  /** The values with a weight, the most important first. */
  readonly standings: readonly ComparedStanding[];
}

/**
 * The best event of an athlete by one of its percentiles. Null if none is known. The result of each event is monotonic in its values, so
 * the best result is too.
 */
export function bestEvent(
  all: readonly ComparedStanding[],
  weightsOf: MetricWeights,
  read: (standing: ComparedStanding) => { readonly percentile: number | null; readonly matches: number | null },
): EventResult | null {
  const events = [...Map.groupBy(all, ({ eventCode }) => eventCode)].flatMap(([eventCode, ofEvent]): EventResult[] => {
    const found = ofEvent.flatMap((standing) => {
      const { percentile, matches } = read(standing);
      return percentile === null || matches === null ? [] : [{ standing, percentile, matches }];
    });
    const weights = weightsOf(found.map(({ standing }) => standing.metric));
    const known = found
      .map((each, index) => ({ ...each, weight: weights[index] ?? 0 }))
      .filter(({ weight }) => weight > 0)
      .sort((one, other) => other.weight - one.weight || (one.standing.metric < other.standing.metric ? -1 : 1));
    const percentile = weightedMean(
      found.map((each) => each.percentile),
      weights,
    );
    if (percentile === null) return [];
    const matches = Math.max(...known.map((each) => each.matches));
    const prior = priorOf(eventCode);
    const evidence = evidenceOf(matches, prior);
    const value = shrunk(percentile, evidence);
    const standings = known.map(({ standing }) => standing);
    return [{ percentile, evidence, value, deviation: deviationOf(value, matches, prior), standings }];
  });
  return events.toSorted((one, other) => other.value - one.value)[0] ?? null;
}
