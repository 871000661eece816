/** How well an athlete suits an opportunity, feature by feature, each from 0 to 1 where it is known. What the athlete wants: wishes.ts. */
import { metric } from '../../../schema/metrics.ts';
import { positionGroup } from '../../../schema/sports.ts';
import type { Level, FitFeature, FitSide } from '../resolvers.generated.ts';
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
} from './comparisons.ts';
import type { AthleteFacts, Moment, OpportunityFacts, Requirement } from './facts.ts';
import { joinCodes, nearness, featurePart, type FeaturePart } from './feature-part.ts';
import { athletePreferences } from './preferences.ts';

export interface Feature {
  readonly code: FitFeature;
  readonly side: FitSide;
  /** Share of the score when all is known. */
  readonly weight: number;
  /** Empty where the opportunity asks for nothing of the kind. */
  readonly parts: readonly FeaturePart[];
}

/** Share of the score by feature, and whose wish it is (docs/matching.md). */
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
const isOfBody = ({ metricKey }: Requirement): boolean => metricKey !== null && bodyMetrics.includes(metricKey);

/** Half is how near the number comes to what is asked, half where it stands in its cohort; without a cohort the first is all. */
function requirementPart(
  requirement: Requirement,
  athlete: AthleteFacts,
  { sport }: OpportunityFacts,
  span: number,
): FeaturePart {
  const { operator, value, weight } = requirement;
  const { datum, name, actual } = checkRequirement(requirement, athlete, sport);
  if (actual === null) return featurePart(datum, null, '', weight ?? 1);
  const near = nearness(shortfall(operator, value, actual.value), span);
  const standing = actual.percentile === null ? '' : `, percentile ${actual.percentile}`;
  const text = `${name} ${actual.value}, ${describeBound(operator, value)} asked${standing}`;
  return featurePart(datum, actual.percentile === null ? near : (near + actual.percentile / 100) / 2, text, weight ?? 1);
}

/** A number is off by half of what is asked before it counts for nothing. */
const halfOf = ({ value }: Requirement): number => Math.abs(value) / 2 || 1;
/** Bodies differ less. */
const tenthOf = ({ value }: Requirement): number => Math.abs(value) / 10 || 1;

/** What a profile wants of a metric: at least so much, or at most, where lower is better. */
const wanted = ({ key, value }: { readonly key: string; readonly value: number }): Requirement => ({
  metricKey: key,
  attribute: null,
  operator: metric(key)?.direction === 'LOWER_IS_BETTER' ? 'LTE' : 'GTE',
  value,
  mandatory: false,
  weight: null,
});

/** Where nothing is asked: where the newest numbers stand that say something about the athlete's positions. */
function standings(athlete: AthleteFacts, opportunity: OpportunityFacts): FeaturePart[] {
  const { sport } = opportunity;
  const groups = (sportFactsOf(athlete, opportunity)?.positions ?? []).map((code) => positionGroup(sport, code));
  const keys = new Set(seasonsOf(athlete, sport).flatMap(({ metrics }) => metrics.map(({ key }) => key)));
  const known = [...keys].sort().flatMap((key) => {
    const row = metric(key);
    const percentile = latestValue(athlete, sport, key)?.percentile ?? null;
    const about = row?.positions?.some((group) => groups.includes(group)) ?? true;
    if (percentile === null || !about || row === undefined || row.direction === 'NEUTRAL') return [];
    return [featurePart(datumOf('METRIC', key), percentile / 100, `${key} percentile ${percentile}`)];
  });
  return known.length === 0 ? [featurePart(datumOf('STATISTICS'), null, '')] : known;
}

function metricParts(athlete: AthleteFacts, opportunity: OpportunityFacts): FeaturePart[] {
  const asked = [...opportunity.requirements, ...(opportunity.profile?.metrics ?? []).map(wanted)].filter(
    (each) => each.metricKey !== null && !isOfBody(each),
  );
  if (asked.length === 0) return standings(athlete, opportunity);
  return asked.map((each) => requirementPart(each, athlete, opportunity, halfOf(each)));
}

function positionParts(athlete: AthleteFacts, opportunity: OpportunityFacts): FeaturePart[] {
  const { sport, positions, profile } = opportunity;
  const asked = positions.length > 0 ? positions : (profile?.positions ?? []);
  if (asked.length === 0) return [];
  const played = sportFactsOf(athlete, opportunity)?.positions ?? [];
  const fit = positionFit(sport, played, asked);
  const value = fit === null ? null : { EXACT: 1, GROUP: 0.5, OTHER: 0 }[fit];
  return [featurePart(datumOf('POSITIONS'), value, `plays ${joinCodes(played)}, ${joinCodes(asked)} asked`)];
}

/** Levels, the lowest first. */
export const levelLadder: readonly Level[] = [
  'GRASSROOTS',
  'SCHOOL',
  'ACADEMY',
  'REGIONAL',
  'NATIONAL',
  'INTERNATIONAL',
  'PROFESSIONAL',
];

/** A third less for each step that the athlete competes below the organization. */
function levelParts(athlete: AthleteFacts, opportunity: OpportunityFacts): FeaturePart[] {
  const level = sportFactsOf(athlete, opportunity)?.level ?? null;
  const there = opportunity.organization?.level ?? null;
  const steps = there === null || level === null ? null : Math.max(0, levelLadder.indexOf(there) - levelLadder.indexOf(level));
  const years = opportunity.requirements.filter(({ attribute }) => attribute === 'YEARS_EXPERIENCE');
  return [
    ...(there === null
      ? []
      : [
          featurePart(
            datumOf('LEVEL'),
            steps === null ? null : nearness(steps, 3),
            `competes at ${level}, the organization at ${there}`,
          ),
        ]),
    ...years.map((each) => requirementPart(each, athlete, opportunity, halfOf(each))),
  ];
}

/** A fifth less for each year outside of the ages that are looked for. */
function ageParts(athlete: AthleteFacts, { ageRange, profile }: OpportunityFacts, { today }: Moment): FeaturePart[] {
  const range = profile?.ageRange ?? ageRange;
  if (range === null || (range.min === null && range.max === null)) return [];
  const day = range.referenceDate ?? today;
  const [lowest, highest] = agesOn(athlete, day);
  const [one, other] = [nearness(yearsOutside(lowest, range), 5), nearness(yearsOutside(highest, range), 5)];
  const text = `${describeAges(lowest, highest)} years on ${day}, ${describeAges(range.min, range.max)} asked`;
  // ages on both sides of the range fit alike, and those between them better
  const beyond = lowest > (range.max ?? Infinity) || highest < (range.min ?? 0);
  return [featurePart(datumOf('DATE_OF_BIRTH'), one === other && (one === 1 || beyond) ? one : null, text)];
}

/** Half at the lowest average that is asked for, all at the best of the scale; an average below it never comes so far. */
function academicParts(athlete: AthleteFacts, opportunity: OpportunityFacts): FeaturePart[] {
  const { minGpa, gpaScale } = opportunity.academic ?? { minGpa: null, gpaScale: null };
  const { gpa, gpaScale: scale } = athlete.education ?? { gpa: null, gpaScale: null };
  const years = opportunity.requirements
    .filter(({ attribute }) => attribute === 'GRADUATION_YEAR')
    .map((each) => requirementPart(each, athlete, opportunity, 4));
  if (minGpa === null || gpaScale === null) return years;
  const least = minGpa / gpaScale;
  const value =
    gpa === null || scale === null
      ? null
      : least === 1
        ? 1
        : Math.min(1, 0.5 + Math.max(0, (gpa / scale - least) / (1 - least)) / 2);
  return [featurePart(datumOf('GPA'), value, `average ${gpa} of ${scale}, ${minGpa} of ${gpaScale} asked`), ...years];
}

function bodyParts(athlete: AthleteFacts, opportunity: OpportunityFacts): FeaturePart[] {
  const { requirements, profile } = opportunity;
  const height = profile?.heightMinCm ? [wanted({ key: 'heightCm', value: profile.heightMinCm })] : [];
  const parts = [...requirements.filter(isOfBody), ...height].map((each) =>
    requirementPart(each, athlete, opportunity, tenthOf(each)),
  );
  const asked = profile?.dominantFoot ?? null;
  if (asked === null) return parts;
  const foot = athlete.dominantFoot;
  const value = foot === null ? null : foot === asked || foot === 'BOTH' ? 1 : asked === 'BOTH' ? 0.5 : 0;
  return [...parts, featurePart(datumOf('DOMINANT_FOOT'), value, `better foot ${foot}, ${asked} asked`)];
}

/** One language in common is enough; `pt-BR` is Portuguese. */
function languageParts({ languages }: AthleteFacts, opportunity: OpportunityFacts): FeaturePart[] {
  if (opportunity.languages.length === 0) return [];
  const primary = (tags: readonly string[]): string[] => [
    ...new Set(tags.map((tag) => (tag.split('-')[0] ?? tag).toLowerCase())),
  ];
  const there = primary(opportunity.languages);
  const value = languages.length === 0 ? null : primary(languages).some((each) => there.includes(each)) ? 1 : 0;
  return [
    featurePart(datumOf('LANGUAGES'), value, `speaks ${joinCodes(languages)}, ${joinCodes(opportunity.languages)} spoken there`),
  ];
}

/** All features, in the order of `weights`. */
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
  return (Object.keys(featureWeights) as FitFeature[]).map((code) => {
    const [weight, side] = featureWeights[code];
    return { code, side, weight, parts: parts[code].filter((each) => each.weight > 0) };
  });
}
