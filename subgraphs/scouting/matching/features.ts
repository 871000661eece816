/** The features of a match, each with a fit from 0 to 1. preferences.ts has the features of the athlete's side. */
import { keysOf } from '../../../schema/records.ts';
import { positionTitle } from '../../../schema/position-codes.ts';
import type { Sport } from '../../../schema/sports.ts';
import { levelText } from '../texts/cohort-text.ts';
import { lowerTitle } from '../texts/metric-values.ts';
import { joinAll, joinAny } from '../texts/ordinal.ts';
import type { Level, FitFeature, FitSide } from '../generated/resolvers.ts';
import { describeAges, agesOn, datumOf, sportFactsOf, positionFit, yearsOutside } from './comparisons.ts';
import type { AthleteFacts, Moment, OpportunityFacts } from './facts.ts';
import { nearness, featurePart, type FeaturePart } from './feature-part.ts';
import { halfOf, isBodyMetric, metricParts, profileRequirement, requirementPart, tenthOf } from './metric-parts.ts';
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

const titlesOf = (sport: Sport, codes: readonly string[]): string[] =>
  codes.map((code) => lowerTitle(positionTitle(sport, code)));

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
      () => `plays ${joinAll(titlesOf(sport, played))}; required: ${joinAny(titlesOf(sport, required))}`,
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

/** One level above the organization is a usual step, such as to more playing time. */
const stepDown = 1;

/**
 * The fit decreases by a third for each level that the athlete competes below the organization, and for each from the second one above:
 * neither side gains from a large gap.
 */
function levelParts(athlete: AthleteFacts, opportunity: OpportunityFacts): FeaturePart[] {
  const level = sportFactsOf(athlete, opportunity)?.level ?? null;
  const required = opportunity.organization?.level ?? null;
  const parts = opportunity.requirements
    .filter(({ attribute }) => attribute === 'YEARS_EXPERIENCE')
    .map((each) => requirementPart(each, athlete, opportunity, halfOf(each)));
  if (required === null) return parts;
  const below = level === null ? null : levelLadder.indexOf(required) - levelLadder.indexOf(level);
  const gap = below === null ? null : Math.max(0, below, -below - stepDown);
  const text = (): string =>
    `competes at ${level === null ? 'unknown level' : levelText(level)}; the organization: ${levelText(required)}`;
  return [featurePart(datumOf('LEVEL'), gap === null ? null : nearness(gap, 3), text), ...parts];
}

/** The fit decreases by a fifth for each year outside the required ages. */
function ageParts(athlete: AthleteFacts, { ageRange, profile }: OpportunityFacts, { today }: Moment): FeaturePart[] {
  const range = profile?.ageRange ?? ageRange;
  if (range === null || (range.min === null && range.max === null)) return [];
  const day = range.referenceDate ?? today;
  const [lowest, highest] = agesOn(athlete, day);
  const [one, other] = [nearness(yearsOutside(lowest, range), 5), nearness(yearsOutside(highest, range), 5)];
  const text = (): string => `aged ${describeAges(lowest, highest)} on ${day}; required: ${describeAges(range.min, range.max)}`;
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
    featurePart(datumOf('GPA'), value, () => `grade point average ${gpa} of ${scale}; required: ${minGpa} of ${gpaScale}`),
    ...years,
  ];
}

const footText = (foot: AthleteFacts['dominantFoot']): string => (foot ?? 'unknown').toLowerCase();

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
  const text = (): string => `dominant foot: ${footText(athlete.dominantFoot)}; required: ${footText(required)}`;
  return [...parts, featurePart(datumOf('DOMINANT_FOOT'), footFit(athlete.dominantFoot, required), text)];
}

const languageNames = new Intl.DisplayNames('en', { type: 'language' });

/** Such as `German` or `Brazilian Portuguese`. A code without a name is its own name. */
const languageName = (tag: string): string => languageNames.of(tag) ?? tag;

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
      () => `speaks ${joinAll(languages.map(languageName))}; required: ${joinAny(opportunity.languages.map(languageName))}`,
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
