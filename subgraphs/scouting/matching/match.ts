/** The match of an athlete with an opportunity. docs/matching.md explains it with an example. */
import type { FitFeature, FitSide } from '../generated/resolvers.ts';
import { datumKey, type Datum } from './comparisons.ts';
import { contributionText } from '../texts/contribution-text.ts';
import { checkEligibility, type Failure } from './eligibility.ts';
import { expectedFit } from './expected-fit.ts';
import type { AthleteFacts, Moment, OpportunityFacts } from './facts.ts';
import { computeFeatures, type Feature } from './features.ts';
import { harmonicMean, pointsOf, scoreAtBest, sideOf, sum, type Known } from './side-fits.ts';
import { wholePoints } from './whole-points.ts';

export const matchModelVersion = '3-middle-ranks';

export interface FitComponent {
  readonly code: FitFeature;
  readonly side: FitSide;
  /** Weight among the features with known data, from 0 to 1, rounded to four decimals. */
  readonly weight: number;
  /** From 0 to 1. */
  readonly value: number;
  /** Whole points. The contributions add up to the score. */
  readonly contribution: number;
  /** The contribution, and the points that the score would gain at value 1. */
  readonly contributionMax: number;
  readonly text: string;
}

export interface MissingDatum extends Datum {
  /** Whether a criterion cannot be evaluated without it. */
  readonly decidesEligibility: boolean;
  /** The score with the worst possible value. Null if the athlete would then be ineligible. */
  readonly lowestScore: number | null;
  /** The score with the best possible value. */
  readonly highestScore: number | null;
}

/** A match without its missing data. It is enough for rankings and faster to compute. */
export interface Fit {
  /** Null if no criterion fails but some cannot be evaluated because data is missing. */
  readonly eligible: boolean | null;
  readonly failedCriteria: readonly Failure[];
  /** From 0 to 100. Null if the athlete is ineligible or nothing can be compared. */
  readonly score: number | null;
  /** The fit of each side before their mean, from 0 to 100. Null if nothing is known about it. */
  readonly opportunityFit: number | null;
  readonly athleteFit: number | null;
  /** Sum of the weights of the features with known data, from 0 to 1. */
  readonly confidence: number;
  /** The expected fit, from 0 to 1. Recommendations are sorted by it. 0 if the athlete is ineligible. */
  readonly expected: number;
  readonly components: readonly FitComponent[];
}

export interface Match extends Fit {
  /** Missing data that would change the result: data that decides eligibility first, then data with the largest effect. */
  readonly missingData: readonly MissingDatum[];
}

/** Rounded to four decimals. */
const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;

interface Points {
  readonly weight: number;
  readonly contribution: number;
  readonly contributionMax: number;
}

/** Why a score is 0: the harmonic mean is 0 if one side is. */
const zeroTexts: Readonly<Record<FitSide, string>> = {
  ATHLETE: "; the athlete's side is 0, so the score is 0",
  OPPORTUNITY: "; the opportunity's side is 0, so the score is 0",
};

function componentOf({ feature, value }: Known, { weight, ...points }: Points, zeroSide: FitSide | undefined): FitComponent {
  const { code, side, parts } = feature;
  const text = parts.flatMap((each) => (each.value === null ? [] : [each.text()])).join('; ');
  const explanation = contributionText(points.contribution, points.contributionMax, text) + (zeroSide ? zeroTexts[zeroSide] : '');
  return { code, side, weight: rounded(weight), value: rounded(value), ...points, text: explanation };
}

/**
 * The weighted harmonic mean H of both sides' fits, in points, and the contribution of each feature. H is homogeneous of degree 1, so by
 * Euler's theorem it is the sum of each fit times its derivative. The fit of a side is linear in its features, so the contribution of a
 * feature is weight · value · (H / fit of its side)². The weight of a side does not depend on how many of its features are known.
 * Otherwise an athlete could gain from a feature that does not fit, because it would take weight from the side that fits worse.
 */
function scored(features: readonly Feature[]): Omit<Fit, 'eligible' | 'failedCriteria' | 'expected'> | null {
  const [opportunity, athlete] = [sideOf(features, 'OPPORTUNITY'), sideOf(features, 'ATHLETE')];
  const sides = [opportunity, athlete].filter((side) => side !== null);
  if (sides.length === 0) return null;
  const all = sum(sides.map(({ weight }) => weight));
  const mean = harmonicMean(sides);
  const score = pointsOf(mean);
  const known = sides
    .flatMap((side) =>
      side.known.map((each) => {
        const weight = (each.weight * side.weight) / all;
        const exact = mean === 0 ? 0 : 100 * weight * each.value * (mean / side.fit) ** 2;
        return { ...each, weight, exact, gain: scoreAtBest(sides, side, each) - score };
      }),
    )
    .sort((one, other) => features.indexOf(one.feature) - features.indexOf(other.feature));
  const points = wholePoints(
    known.map(({ exact }) => exact),
    score,
  );
  const zeroSide = opportunity?.fit === 0 ? 'OPPORTUNITY' : athlete?.fit === 0 ? 'ATHLETE' : undefined;
  return {
    score,
    opportunityFit: opportunity && pointsOf(opportunity.fit),
    athleteFit: athlete && pointsOf(athlete.fit),
    confidence: rounded(sum(known.map(({ feature }) => feature.weight))),
    components: known.map(({ gain, weight, ...each }, index) => {
      const contribution = points[index] ?? 0;
      return componentOf(each, { weight, contribution, contributionMax: contribution + gain }, zeroSide);
    }),
  };
}

/** The features with an assumed value for a missing datum. */
function assuming(features: readonly Feature[], key: string, value: number): Feature[] {
  return features.map((feature) => ({
    ...feature,
    parts: feature.parts.map((each) => (datumKey(each.datum) === key ? { ...each, value } : each)),
  }));
}

function missingIn(features: readonly Feature[], undecided: readonly Datum[], score: number | null): MissingDatum[] {
  const unknown = features.flatMap(({ parts }) => parts.flatMap(({ datum, value }) => (value === null ? [datum] : [])));
  const data = new Map([...undecided, ...unknown].map((datum) => [datumKey(datum), datum]));
  const deciding = new Set(undecided.map(datumKey));
  const missing = [...data].map(([key, datum]): MissingDatum => {
    const decidesEligibility = deciding.has(key);
    const scoreWith = (value: number): number | null => scored(assuming(features, key, value))?.score ?? null;
    return { ...datum, decidesEligibility, lowestScore: decidesEligibility ? null : scoreWith(0), highestScore: scoreWith(1) };
  });
  const span = ({ lowestScore, highestScore }: MissingDatum): number => (highestScore ?? 0) - (lowestScore ?? 0);
  return missing
    .filter((each) => each.decidesEligibility || each.lowestScore !== score || each.highestScore !== score)
    .sort(
      (one, other) =>
        Number(other.decidesEligibility) - Number(one.decidesEligibility) ||
        span(other) - span(one) ||
        (datumKey(one) < datumKey(other) ? -1 : 1),
    );
}

/** Sorts by a text key. */
const byText =
  <Item>(text: (item: Item) => string) =>
  (one: Item, other: Item): number =>
    text(one) < text(other) ? -1 : 1;

const normalizedOpportunities = new WeakMap<OpportunityFacts, OpportunityFacts>();

/** The opportunity with sorted requirements, so that the result does not depend on their order. It is kept for further athletes. */
function normalized(opportunity: OpportunityFacts): OpportunityFacts {
  const known = normalizedOpportunities.get(opportunity);
  if (known !== undefined) return known;
  const { requirements, profile } = opportunity;
  const made = {
    ...opportunity,
    requirements: requirements.toSorted(
      byText(({ metricKey, attribute, operator, value, mandatory, weight }) =>
        JSON.stringify([metricKey, attribute, operator, value, mandatory, weight]),
      ),
    ),
    profile: profile && {
      ...profile,
      metrics: profile.metrics.toSorted(byText(({ key, value }) => JSON.stringify([key, value]))),
    },
  };
  normalizedOpportunities.set(opportunity, made);
  return made;
}

interface Comparison {
  readonly fit: Fit;
  /** Empty if the athlete is ineligible. */
  readonly features: readonly Feature[];
  readonly undecided: readonly Datum[];
}

const unscored = { score: null, opportunityFit: null, athleteFit: null, confidence: 0, components: [] };

function compare(athlete: AthleteFacts, opportunity: OpportunityFacts, moment: Moment): Comparison {
  const target = normalized(opportunity);
  const { failures, undecided } = checkEligibility(athlete, target, moment);
  if (failures.length > 0)
    return { fit: { eligible: false, failedCriteria: failures, ...unscored, expected: 0 }, features: [], undecided: [] };
  const features = computeFeatures(athlete, target, moment);
  const score = scored(features) ?? unscored;
  const eligible = undecided.length > 0 ? null : true;
  return { fit: { eligible, failedCriteria: [], ...score, expected: expectedFit(features) }, features, undecided };
}

/** The expected fit of a match. Null if the athlete is ineligible or nothing can be compared. */
export function rankableFit({ eligible, score, expected }: Fit): number | null {
  return eligible === false || score === null ? null : expected;
}

const isKnown = ({ parts }: Feature): boolean => parts.some(({ value }) => value !== null);

/**
 * Computes `rankableFit` without the other results of a match, which take most of the time. It orders candidates.
 */
export function computeRankableFit(athlete: AthleteFacts, opportunity: OpportunityFacts, moment: Moment): number | null {
  const target = normalized(opportunity);
  if (checkEligibility(athlete, target, moment).failures.length > 0) return null;
  const features = computeFeatures(athlete, target, moment);
  return features.some(isKnown) ? expectedFit(features) : null;
}

/** Computes a match without its missing data, which takes most of the time. */
export function computeFit(athlete: AthleteFacts, opportunity: OpportunityFacts, moment: Moment): Fit {
  return compare(athlete, opportunity, moment).fit;
}

/** Computes the match of an athlete with an opportunity at a point in time. The result is deterministic. */
export function computeMatch(athlete: AthleteFacts, opportunity: OpportunityFacts, moment: Moment): Match {
  const { fit, features, undecided } = compare(athlete, opportunity, moment);
  return { ...fit, missingData: missingIn(features, undecided, fit.score) };
}

/** The expected fit in points, rounded to a tenth. Null without a score. */
export function expectedScore({ score, expected }: Pick<Fit, 'score' | 'expected'>): number | null {
  return score === null ? null : Math.round(expected * 1000) / 10;
}
