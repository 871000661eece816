/** How well an athlete and an opportunity fit each other, and why; docs/matching.md tells it with an example. */
import type { FitFeature, FitSide } from '../resolvers.generated.ts';
import { datumKey, type Datum } from './comparisons.ts';
import { checkEligibility, type Failure } from './eligibility.ts';
import { expectedFit } from './expected-fit.ts';
import type { AthleteFacts, Moment, OpportunityFacts } from './facts.ts';
import { computeFeatures, type Feature } from './features.ts';
import { wholePoints } from './whole-points.ts';

export const matchModelVersion = '1-weighted-features';

export interface FitComponent {
  readonly code: FitFeature;
  readonly side: FitSide;
  /** Share of what is known, from 0 to 1, as it is shown: to four decimals. */
  readonly weight: number;
  /** From 0 to 1. */
  readonly value: number;
  /** Whole points; all of them add up to the score. */
  readonly contribution: number;
  readonly text: string;
}

export interface MissingDatum extends Datum {
  /** Whether a criterion waits for it. */
  readonly decidesEligibility: boolean;
  /** The score if it turns out as bad as can be; null where the athlete would then be no match. */
  readonly lowestScore: number | null;
  /** The score if it turns out as good as can be. */
  readonly highestScore: number | null;
}

/** How well both fit, without what is missing for more: enough to rank many. */
export interface Fit {
  /** Null: nothing speaks against it, but a criterion cannot be judged for want of a datum. */
  readonly eligible: boolean | null;
  readonly failedCriteria: readonly Failure[];
  /** From 0 to 100; null for who is not eligible, and where nothing is known to compare. */
  readonly score: number | null;
  /** Sum of the weights of the features of which something is known, from 0 to 1. */
  readonly confidence: number;
  /** What is to be expected of it, from 0 to 1: recommendations are in this order. 0 for who is not eligible. */
  readonly expected: number;
  readonly components: readonly FitComponent[];
}

export interface Match extends Fit {
  /** What would change the answer, what decides and what moves the score most first. */
  readonly missingData: readonly MissingDatum[];
}

interface Known {
  readonly feature: Feature;
  readonly value: number;
}

interface Side {
  /** Share of the score: what its features weigh, whether they are known or not. */
  readonly weight: number;
  /** Mean of what is known of it. */
  readonly fit: number;
  readonly known: readonly (Known & { readonly weight: number })[];
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** As it is shown. */
const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;

function valueOf({ parts }: Feature): number | null {
  const known = parts.flatMap(({ weight, value }) => (value === null ? [] : [{ weight, value }]));
  if (known.length === 0) return null;
  return sum(known.map(({ weight, value }) => weight * value)) / sum(known.map(({ weight }) => weight));
}

/** A side with its weights renormalized over the features that are known; null where none is. */
function sideOf(features: readonly Feature[], side: FitSide): Side | null {
  const own = features.filter((feature) => feature.side === side);
  const known = own.flatMap((feature) => {
    const value = valueOf(feature);
    return value === null ? [] : [{ feature, value }];
  });
  if (known.length === 0) return null;
  const total = sum(known.map(({ feature }) => feature.weight));
  const weighed = known.map((each) => ({ ...each, weight: each.feature.weight / total }));
  return {
    weight: sum(own.map(({ weight }) => weight)),
    fit: sum(weighed.map(({ weight, value }) => weight * value)),
    known: weighed,
  };
}

function componentOf({ feature, value }: Known, weight: number, contribution: number): FitComponent {
  const { code, side, parts } = feature;
  const text = parts.flatMap((each) => (each.value === null ? [] : [each.text])).join('; ');
  return { code, side, weight: rounded(weight), value: rounded(value), contribution, text };
}

/**
 * The weighted harmonic mean H of both sides' fits, in points, and what each feature adds to it. H is homogeneous of degree 1, so by
 * Euler's theorem it is the sum of each fit times its derivative; within a side that is linear in the features, so the share of a
 * feature is weight · value · (H / fit of its side)². A side keeps its weight while anything of it is known: were it renormalized too,
 * somebody would gain by a feature that does not fit at all, for it takes weight from the side that fits worse.
 */
function scored(features: readonly Feature[]): Pick<Fit, 'score' | 'confidence' | 'components'> | null {
  const sides = (['OPPORTUNITY', 'ATHLETE'] as const).flatMap((side) => sideOf(features, side) ?? []);
  if (sides.length === 0) return null;
  const all = sum(sides.map(({ weight }) => weight));
  const mean = sides.some(({ fit }) => fit === 0) ? 0 : all / sum(sides.map(({ weight, fit }) => weight / fit));
  const known = sides
    .flatMap((side) =>
      side.known.map((each) => {
        const weight = (each.weight * side.weight) / all;
        return { ...each, weight, exact: mean === 0 ? 0 : 100 * weight * each.value * (mean / side.fit) ** 2 };
      }),
    )
    .sort((one, other) => features.indexOf(one.feature) - features.indexOf(other.feature));
  // rounded from the mean itself, which never falls when a fit rises, and without its last bits: 62.5 is 62.5, whatever was added to get there
  const score = Math.round(Math.round(mean * 1e10) / 1e8);
  const points = wholePoints(
    known.map(({ exact }) => exact),
    score,
  );
  return {
    score,
    confidence: rounded(sum(known.map(({ feature }) => feature.weight))),
    components: known.map((each, index) => componentOf(each, each.weight, points[index] ?? 0)),
  };
}

/** The features as they would be if a datum were as good or as bad as can be. */
function supposing(features: readonly Feature[], key: string, value: number): Feature[] {
  return features.map((feature) => ({
    ...feature,
    parts: feature.parts.map((each) => (datumKey(each.datum) === key ? { ...each, value } : each)),
  }));
}

function missingIn(features: readonly Feature[], undecided: readonly Datum[], score: number | null): MissingDatum[] {
  const unknown = features.flatMap(({ parts }) => parts.flatMap(({ datum, value }) => (value === null ? [datum] : [])));
  const data = new Map([...undecided, ...unknown].map((datum) => [datumKey(datum), datum]));
  const deciding = new Set(undecided.map(datumKey));
  const told = [...data].map(([key, datum]): MissingDatum => {
    const decidesEligibility = deciding.has(key);
    const supposed = (value: number): number | null => scored(supposing(features, key, value))?.score ?? null;
    return { ...datum, decidesEligibility, lowestScore: decidesEligibility ? null : supposed(0), highestScore: supposed(1) };
  });
  const span = ({ lowestScore, highestScore }: MissingDatum): number => (highestScore ?? 0) - (lowestScore ?? 0);
  return told
    .filter((each) => each.decidesEligibility || each.lowestScore !== score || each.highestScore !== score)
    .sort(
      (one, other) =>
        Number(other.decidesEligibility) - Number(one.decidesEligibility) ||
        span(other) - span(one) ||
        (datumKey(one) < datumKey(other) ? -1 : 1),
    );
}

/** Requirements in an order of their own: what is said does not depend on the order in which it was asked. */
function ordered(opportunity: OpportunityFacts): OpportunityFacts {
  const by =
    <Each>(text: (each: Each) => string) =>
    (one: Each, other: Each): number =>
      text(one) < text(other) ? -1 : 1;
  const { requirements, profile } = opportunity;
  return {
    ...opportunity,
    requirements: requirements.toSorted(
      by(({ metricKey, attribute, operator, value, mandatory, weight }) =>
        JSON.stringify([metricKey, attribute, operator, value, mandatory, weight]),
      ),
    ),
    profile: profile && { ...profile, metrics: profile.metrics.toSorted(by(({ key, value }) => JSON.stringify([key, value]))) },
  };
}

interface Compared {
  readonly fit: Fit;
  /** Empty for who is not eligible. */
  readonly features: readonly Feature[];
  readonly undecided: readonly Datum[];
}

const unscored = { score: null, confidence: 0, components: [] };

function compare(athlete: AthleteFacts, opportunity: OpportunityFacts, moment: Moment): Compared {
  const asked = ordered(opportunity);
  const { failures, undecided } = checkEligibility(athlete, asked, moment);
  if (failures.length > 0)
    return { fit: { eligible: false, failedCriteria: failures, ...unscored, expected: 0 }, features: [], undecided: [] };
  const features = computeFeatures(athlete, asked, moment);
  const answer = scored(features) ?? unscored;
  const eligible = undecided.length > 0 ? null : true;
  return { fit: { eligible, failedCriteria: [], ...answer, expected: expectedFit(features) }, features, undecided };
}

/** The match without its missing data, which cost most of the time. */
export function computeFit(athlete: AthleteFacts, opportunity: OpportunityFacts, moment: Moment): Fit {
  return compare(athlete, opportunity, moment).fit;
}

/** The match of an athlete with an opportunity at a moment: the same facts at the same moment always say the same. */
export function computeMatch(athlete: AthleteFacts, opportunity: OpportunityFacts, moment: Moment): Match {
  const { fit, features, undecided } = compare(athlete, opportunity, moment);
  return { ...fit, missingData: missingIn(features, undecided, fit.score) };
}

/** The expectation in points, to a tenth; null where there is no score. */
export function expectedScore({ score, expected }: Pick<Fit, 'score' | 'expected'>): number | null {
  return score === null ? null : Math.round(expected * 1000) / 10;
}
