/** The talent score: the sum of five components, computed from the percentiles of an athlete's metric values (docs/matching.md). */
import { metric } from '../../../schema/metrics.ts';
import type { Sport } from '../../../schema/sports.ts';
import type { Level, ScoreCode, Trend } from '../generated/resolvers.ts';
import { wholePoints } from '../matching/whole-points.ts';
import { knownWeight, skillsOf, valueWeights, weightedMean } from '../skills/skill-weights.ts';
import { contributionText } from '../texts/contribution-text.ts';
import { bestEvent, middle, unknownDeviation, type EventResult, type MetricWeights } from './best-event.ts';
import { consistencyText, growthText, levelText, performanceText, verificationText } from './score-texts.ts';
import { isComparedStanding, type ComparedStanding, type Standing, type StandingCohort } from './standings.ts';

export const modelVersion = '4-middle-ranks';

export interface ScoredFacts {
  readonly sport: Sport;
  readonly standings: readonly Standing[];
  /** Null if the position is unknown. */
  readonly positionGroup: string | null;
  readonly level: Level | null;
  readonly verified: boolean;
}

export interface ScoreComponent {
  readonly code: ScoreCode;
  /** Maximum share of the score, from 0 to 1. */
  readonly weight: number;
  /** From 0 to 1. */
  readonly value: number;
  /** Whole points. */
  readonly contribution: number;
  /** The contribution at value 1. */
  readonly contributionMax: number;
  readonly text: string;
}

export interface TalentScore {
  /** From 0 to 100; exactly the sum of the contributions. */
  readonly talentScore: number;
  readonly components: ScoreComponent[];
  /** Lower bound of the score's 80 % interval, from 0 to the score, rounded to a tenth. */
  readonly lowerBound: number;
  /** Evidence from the number of matches, from 0 to 1. */
  readonly confidence: number;
  /** Share of the skills of the position that the compared values measure, by weight, from 0 to 1. */
  readonly coverage: number;
  /** Null without a previous season. */
  readonly trend: Trend | null;
  /** Mean percentiles before shrinkage. Null if no value is compared. */
  readonly percentile: number | null;
  readonly ageAdjustedPercentile: number | null;
  readonly growthPercentile: number | null;
  /** The values that performance is computed from, of the best event. Empty if no value is compared. */
  readonly compared: readonly ComparedStanding[];
  /** The largest cohort of the compared values. */
  readonly cohort: StandingCohort | null;
}

/** The weight of each component (docs/matching.md). */
export const scoreWeights: Readonly<Record<ScoreCode, number>> = {
  PERFORMANCE: 0.6,
  GROWTH: 0.15,
  LEVEL: 0.15,
  CONSISTENCY: 0.05,
  VERIFICATION: 0.05,
};

/** Equal steps, rounded to two decimals. */
const levels: Readonly<Record<Level, number>> = {
  GRASSROOTS: 0,
  SCHOOL: 0.17,
  ACADEMY: 0.33,
  REGIONAL: 0.5,
  NATIONAL: 0.67,
  INTERNATIONAL: 0.83,
  PROFESSIONAL: 1,
};

/** Rounded to four decimals. */
const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;

/** The smaller number of matches of both seasons. */
const fewerMatches = ({ matches, matchesBefore }: Standing): number | null =>
  matchesBefore === null ? null : Math.min(matches, matchesBefore);

/** The values that are relevant for the athlete's position. */
function relevantStandings({ standings, positionGroup }: ScoredFacts): Standing[] {
  return standings.filter(({ metric: key }) => {
    const groups = metric(key)?.positions;
    return groups === undefined || (positionGroup !== null && groups.includes(positionGroup));
  });
}

/** The distance from the middle that is a trend. */
const trendMin = 0.1;

function trendOf(growth: EventResult | null): Trend | null {
  if (growth === null) return null;
  if (growth.value >= middle + trendMin) return 'RISING';
  return growth.value <= middle - trendMin ? 'FALLING' : 'STEADY';
}

const whole = (percentile: number | null | undefined): number | null =>
  percentile === null || percentile === undefined ? null : Math.round(percentile);

const valueOf = (result: EventResult | null): number => result?.value ?? middle;

/** The weighted mean percentile among all athletes of the sport and category. */
function overallPercentile(standings: readonly Standing[], weightsOf: MetricWeights): number | null {
  const known = standings.flatMap(({ metric: key, overall }) => (overall === null ? [] : [{ key, overall }]));
  return whole(
    weightedMean(
      known.map(({ overall }) => overall),
      weightsOf(known.map(({ key }) => key)),
    ),
  );
}

/** Each metric counts as much as its skill does for the athlete's position. */
const skillWeights =
  ({ sport, positionGroup }: ScoredFacts): MetricWeights =>
  (metrics) =>
    valueWeights(skillsOf(sport, positionGroup === null ? [] : [positionGroup]), metrics);

/** The weight of the skills that some values measure, rounded to two decimals. */
function coverageOf({ sport, positionGroup }: ScoredFacts, compared: readonly Standing[]): number {
  const weighted = skillsOf(sport, positionGroup === null ? [] : [positionGroup]);
  return (
    Math.round(
      100 *
        knownWeight(
          weighted,
          compared.map(({ metric: key }) => key),
        ),
    ) / 100
  );
}

/** Standard deviations below the score: the lower bound of an 80 % interval. */
const boundDeviations = 1.28;

/** The lower bound of a score whose components have these results. The other components are certain. */
function lowerBoundOf(talentScore: number, results: readonly (readonly [ScoreCode, EventResult | null])[]): number {
  const variances = results.map(([code, result]) => (scoreWeights[code] * (result?.deviation ?? unknownDeviation)) ** 2);
  const deviation = Math.sqrt(variances.reduce((sum, each) => sum + each, 0));
  return Math.max(0, Math.round(10 * (talentScore - 100 * boundDeviations * deviation)) / 10);
}

/** The components with points that add up to the score. */
function pointsOf(parts: readonly (readonly [ScoreCode, value: number, text: string])[]) {
  const exact = parts.map(([code, value]) => 100 * scoreWeights[code] * value);
  // The inner rounding removes floating-point noise, such as 62.4999….
  const talentScore = Math.round(Math.round(1e8 * exact.reduce((sum, each) => sum + each, 0)) / 1e8);
  const points = wholePoints(exact, talentScore);
  const components = parts.map(([code, value, text], index): ScoreComponent => {
    const weight = scoreWeights[code];
    const contribution = points[index] ?? 0;
    const contributionMax = Math.round(100 * weight);
    const explanation = contributionText(contribution, contributionMax, text);
    return { code, weight, value: rounded(value), contribution, contributionMax, text: explanation };
  });
  return { talentScore, components };
}

/**
 * Computes the score of an athlete in a sport. It is deterministic, and a better value of the last season never lowers it.
 * Unknown values count as the middle and lower the confidence.
 * @param weightsOf other weights of metrics, for comparison
 */
export function computeTalentScore(facts: ScoredFacts, weightsOf: MetricWeights = skillWeights(facts)): TalentScore {
  const { sport, level, verified } = facts;
  const relevant = relevantStandings(facts);
  const standings = relevant.filter(isComparedStanding);
  const performance = bestEvent(standings, weightsOf, ({ percentile, matches }) => ({ percentile, matches }));
  const growth = bestEvent(standings, weightsOf, (each) => ({ percentile: each.growth, matches: fewerMatches(each) }));
  const consistency = bestEvent(standings, weightsOf, (each) => ({
    percentile: each.before === null ? null : Math.min(each.percentile, each.before),
    matches: fewerMatches(each),
  }));
  const compared = performance?.standings ?? [];
  const scoredValues = relevant.filter((each) => weightsOf([each.metric]).some((weight) => weight > 0));
  const points = pointsOf([
    ['PERFORMANCE', valueOf(performance), performanceText(sport, performance, scoredValues)],
    ['GROWTH', valueOf(growth), growthText(sport, growth, scoredValues)],
    ['LEVEL', level === null ? 0 : levels[level], levelText(level)],
    ['CONSISTENCY', valueOf(consistency), consistencyText(sport, consistency, scoredValues)],
    ['VERIFICATION', verified ? 1 : 0, verificationText(verified)],
  ]);
  const results = [
    ['PERFORMANCE', performance],
    ['GROWTH', growth],
    ['CONSISTENCY', consistency],
  ] as const;
  return {
    ...points,
    lowerBound: lowerBoundOf(points.talentScore, results),
    confidence: Math.round(100 * (performance?.evidence ?? 0)) / 100,
    coverage: coverageOf(facts, compared),
    trend: trendOf(growth),
    percentile: overallPercentile(compared, weightsOf),
    ageAdjustedPercentile: whole(performance?.percentile),
    growthPercentile: whole(growth?.percentile),
    compared,
    cohort: compared.map(({ cohort }) => cohort).toSorted((one, other) => other.n - one.n)[0] ?? null,
  };
}
