/** The features of a match, each with a fit from 0 to 1. preferences.ts has the features of the athlete's side. */
import { keysOf } from '../../../schema/records.ts';
import { metric } from '../../../schema/metrics.ts';
import { positionGroup, positionTitle } from '../../../schema/position-codes.ts';
import type { Sport } from '../../../schema/sports.ts';
import { shrunkPercentile } from '../talent/best-event.ts';
import { levelText, percentileText } from '../texts/cohort-text.ts';
import { lowerTitle, metricValueText } from '../texts/metric-values.ts';
import type { Level, FitFeature, FitSide } from '../generated/resolvers.ts';
import {
  describeAges,
  agesOn,
  checkRequirement,
  datumOf,
  shortfall,
  sportFactsOf,
  describeBound,
  positionFit,
  seasonsOf,
  yearsOutside,
  latestValue,
  type MetricValue,
} from './comparisons.ts';
import type { AthleteFacts, Moment, OpportunityFacts, Requirement } from './facts.ts';
import { joinCodes, nearness, featurePart, unknownPart, type FeaturePart } from './feature-part.ts';
import { athletePreferences } from './preferences.ts';

export interface Feature {
  readonly code: FitFeature;
  readonly side: FitSide;
  /** Share of the score if all data is known. */
  readonly weight: number;
  /** Empty if the opportunity has no such requirement. */
  readonly parts: readonly FeaturePart[];
}

/** Weight and side of each feature (docs/matching.md). */
export const featureWeights: Readonly<Record<FitFeature, readonly [weight: number, side: FitSide]>> = {
  METRICS: [0.3, 'OPPORTUNITY'],
  POSITION: [0.15, 'OPPORTUNITY'],
  LEVEL: [0.15, 'OPPORTUNITY'],
  PREFERENCE: [0.1, 'ATHLETE'],
  GEOGRAPHY: [0.1, 'ATHLETE'],
  AGE: [0.05, 'OPPORTUNITY'],
  ACADEMIC: [0.05, 'OPPORTUNITY'],
  ANTHROPOMETRIC: [0.05, 'OPPORTUNITY'],
  LANGUAGE: [0.05, 'OPPORTUNITY'],
};

const bodyMetrics = ['heightCm', 'weightKg', 'wingspanCm'];
const isBodyMetric = ({ metricKey }: Requirement): boolean => metricKey !== null && bodyMetrics.includes(metricKey);

/** Such as `, percentile 91 of 120 forwards`. Empty without a cohort. */
function standingText(sport: Sport, { percentile, cohort }: MetricValue): string {
  return percentile === null || cohort === null ? '' : `, ${percentileText(sport, percentile, cohort)}`;
}

/**
 * Half of the fit is the distance to the required value, half the percentile in the cohort, shrunk toward the middle if it is based on few
 * matches. Without a cohort, only the distance counts.
 */
function requirementPart(
  requirement: Requirement,
  athlete: AthleteFacts,
  { sport }: OpportunityFacts,
  span: number,
): FeaturePart {
  const { operator, value, weight } = requirement;
  const { datum, name, actual, textOf } = checkRequirement(requirement, athlete, sport);
  if (actual === null) return unknownPart(datum, weight ?? 1);
  const near = nearness(shortfall(operator, value, actual.value), span);
  const { percentile, matches } = actual;
  const text = (): string =>
    `${name} ${textOf(actual.value)}, ${describeBound(operator, textOf(value))} required${standingText(sport, actual)}`;
  const fit = percentile === null ? near : (near + shrunkPercentile(percentile, matches)) / 2;
  return featurePart(datum, fit, text, weight ?? 1);
}

/** The fit is 0 at a difference of half the required value. */
const halfOf = ({ value }: Requirement): number => Math.abs(value) / 2 || 1;
/** Body metrics vary less. */
const tenthOf = ({ value }: Requirement): number => Math.abs(value) / 10 || 1;

/** The requirement of a profile metric: a minimum, or a maximum if lower is better. */
export const profileRequirement = ({ key, value }: { readonly key: string; readonly value: number }): Requirement => ({
  metricKey: key,
  attribute: null,
  operator: metric(key)?.direction === 'LOWER_IS_BETTER' ? 'LTE' : 'GTE',
  value,
  mandatory: false,
  weight: null,
});

/** Without required metrics, the percentiles of the newest values that are relevant for the athlete's positions. */
function percentileParts(athlete: AthleteFacts, opportunity: OpportunityFacts): FeaturePart[] {
  const { sport } = opportunity;
  const groups = (sportFactsOf(athlete, opportunity)?.positions ?? []).map((code) => positionGroup(sport, code));
  const keys = new Set(seasonsOf(athlete, sport).flatMap(({ metrics }) => metrics.map(({ key }) => key)));
  const known = [...keys].sort().flatMap((key) => {
    const row = metric(key);
    const latest = latestValue(athlete, sport, key);
    const percentile = latest?.percentile ?? null;
    const isRelevant = row?.positions?.some((group) => groups.includes(group)) ?? true;
    if (latest === null || percentile === null || !isRelevant || row === undefined || row.direction === 'NEUTRAL') return [];
    const text = (): string => `${row.title} ${metricValueText(key, latest.value)}${standingText(sport, latest)}`;
    return [featurePart(datumOf('METRIC', key), shrunkPercentile(percentile, latest.matches), text)];
  });
  return known.length === 0 ? [unknownPart(datumOf('STATISTICS'))] : known;
}

function metricParts(athlete: AthleteFacts, opportunity: OpportunityFacts): FeaturePart[] {
  const required = [...opportunity.requirements, ...(opportunity.profile?.metrics ?? []).map(profileRequirement)].filter(
    (each) => each.metricKey !== null && !isBodyMetric(each),
  );
  if (required.length === 0) return percentileParts(athlete, opportunity);
  return required.map((each) => requirementPart(each, athlete, opportunity, halfOf(each)));
}

/** The titles of positions, sorted so that the text does not depend on the input order. */
const joinPositions = (sport: Sport, codes: readonly string[]): string =>
  joinCodes(codes.map((code) => lowerTitle(positionTitle(sport, code))));

function positionParts(athlete: AthleteFacts, opportunity: OpportunityFacts): FeaturePart[] {
  const { sport, positions, profile } = opportunity;
  const required = positions.length > 0 ? positions : (profile?.positions ?? []);
  if (required.length === 0) return [];
  const played = sportFactsOf(athlete, opportunity)?.positions ?? [];
  const fit = positionFit(sport, played, required);
  const value = fit === null ? null : { EXACT: 1, GROUP: 0.5, OTHER: 0 }[fit];
  return [
    featurePart(
      datumOf('POSITIONS'),
      value,
      () => `plays ${joinPositions(sport, played)}, ${joinPositions(sport, required)} required`,
    ),
  ];
}

/** Competition levels, lowest first. */
export const levelLadder: readonly Level[] = [
  'GRASSROOTS',
  'SCHOOL',
  'ACADEMY',
  'REGIONAL',
  'NATIONAL',
  'INTERNATIONAL',
  'PROFESSIONAL',
];

/** The fit decreases by a third for each level that the athlete competes below the organization. */
function levelParts(athlete: AthleteFacts, opportunity: OpportunityFacts): FeaturePart[] {
  const level = sportFactsOf(athlete, opportunity)?.level ?? null;
  const required = opportunity.organization?.level ?? null;
  const parts = opportunity.requirements
    .filter(({ attribute }) => attribute === 'YEARS_EXPERIENCE')
    .map((each) => requirementPart(each, athlete, opportunity, halfOf(each)));
  if (required === null) return parts;
  const below = level === null ? null : Math.max(0, levelLadder.indexOf(required) - levelLadder.indexOf(level));
  const text = (): string =>
    `competes at ${level === null ? 'unknown level' : levelText(level)}, the organization at ${levelText(required)}`;
  return [featurePart(datumOf('LEVEL'), below === null ? null : nearness(below, 3), text), ...parts];
}

/** The fit decreases by a fifth for each year outside the required ages. */
function ageParts(athlete: AthleteFacts, { ageRange, profile }: OpportunityFacts, { today }: Moment): FeaturePart[] {
  const range = profile?.ageRange ?? ageRange;
  if (range === null || (range.min === null && range.max === null)) return [];
  const day = range.referenceDate ?? today;
  const [lowest, highest] = agesOn(athlete, day);
  const [one, other] = [nearness(yearsOutside(lowest, range), 5), nearness(yearsOutside(highest, range), 5)];
  const text = (): string => `aged ${describeAges(lowest, highest)} on ${day}, ${describeAges(range.min, range.max)} required`;
  // The possible ages can lie on both sides of the range. Then the ages between them fit better, and the fit is unknown.
  const beyond = lowest > (range.max ?? Infinity) || highest < (range.min ?? 0);
  return [featurePart(datumOf('DATE_OF_BIRTH'), one === other && (one === 1 || beyond) ? one : null, text)];
}

/** 0.5 at the required minimum, 1 at the top of the scale. An average below the minimum fails eligibility before. */
function academicParts(athlete: AthleteFacts, opportunity: OpportunityFacts): FeaturePart[] {
  const { minGpa, gpaScale } = opportunity.academic ?? { minGpa: null, gpaScale: null };
  const { gpa, gpaScale: scale } = athlete.education ?? { gpa: null, gpaScale: null };
  const years = opportunity.requirements
    .filter(({ attribute }) => attribute === 'GRADUATION_YEAR')
    .map((each) => requirementPart(each, athlete, opportunity, 4));
  if (minGpa === null || gpaScale === null) return years;
  const least = minGpa / gpaScale;
  const aboveLeast = (share: number): number =>
    least === 1 ? 1 : Math.min(1, 0.5 + Math.max(0, (share - least) / (1 - least)) / 2);
  const value = gpa === null || scale === null ? null : aboveLeast(gpa / scale);
  return [
    featurePart(datumOf('GPA'), value, () => `grade point average ${gpa} of ${scale}, ${minGpa} of ${gpaScale} required`),
    ...years,
  ];
}

/** An athlete with two equally good feet fits either foot. */
function footFit(foot: AthleteFacts['dominantFoot'], required: NonNullable<AthleteFacts['dominantFoot']>): number | null {
  if (foot === null) return null;
  if (foot === required || foot === 'BOTH') return 1;
  return required === 'BOTH' ? 0.5 : 0;
}

function bodyParts(athlete: AthleteFacts, opportunity: OpportunityFacts): FeaturePart[] {
  const { requirements, profile } = opportunity;
  const height = profile?.heightMinCm ? [profileRequirement({ key: 'heightCm', value: profile.heightMinCm })] : [];
  const parts = [...requirements.filter(isBodyMetric), ...height].map((each) =>
    requirementPart(each, athlete, opportunity, tenthOf(each)),
  );
  const required = profile?.dominantFoot ?? null;
  if (required === null) return parts;
  const text = (): string => `dominant foot ${athlete.dominantFoot}, ${required} required`;
  return [...parts, featurePart(datumOf('DOMINANT_FOOT'), footFit(athlete.dominantFoot, required), text)];
}

/** One common language is enough. Regions are ignored: `pt-BR` counts as Portuguese. */
function languageParts({ languages }: AthleteFacts, opportunity: OpportunityFacts): FeaturePart[] {
  if (opportunity.languages.length === 0) return [];
  const primary = (tags: readonly string[]): string[] => [
    ...new Set(tags.map((tag) => (tag.split('-')[0] ?? tag).toLowerCase())),
  ];
  const spoken = primary(opportunity.languages);
  const value = languages.length === 0 ? null : primary(languages).some((each) => spoken.includes(each)) ? 1 : 0;
  return [
    featurePart(
      datumOf('LANGUAGES'),
      value,
      () => `speaks ${joinCodes(languages)}, ${joinCodes(opportunity.languages)} required`,
    ),
  ];
}

/** All features, in the order of `featureWeights`. */
export function computeFeatures(athlete: AthleteFacts, opportunity: OpportunityFacts, moment: Moment): Feature[] {
  const parts: Readonly<Record<FitFeature, readonly FeaturePart[]>> = {
    METRICS: metricParts(athlete, opportunity),
    POSITION: positionParts(athlete, opportunity),
    LEVEL: levelParts(athlete, opportunity),
    ...athletePreferences(athlete, opportunity),
    AGE: ageParts(athlete, opportunity, moment),
    ACADEMIC: academicParts(athlete, opportunity),
    ANTHROPOMETRIC: bodyParts(athlete, opportunity),
    LANGUAGE: languageParts(athlete, opportunity),
  };
  return keysOf(featureWeights).map((code) => {
    const [weight, side] = featureWeights[code];
    return { code, side, weight, parts: parts[code].filter((each) => each.weight > 0) };
  });
}
