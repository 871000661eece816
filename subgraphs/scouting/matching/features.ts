/** How well an athlete suits an opportunity, feature by feature, each from 0 to 1 where it is known. What the athlete wants: wishes.ts. */
import { metric } from '../../../schema/metrics.ts';
import { positionGroup } from '../../../schema/sports.ts';
import type { Level, FitFeature, FitSide } from '../resolvers.generated.ts';
import {
  agesInWords,
  agesOn,
  askedOf,
  datumOf,
  gap,
  inSport,
  inWords,
  positionFit,
  seasonsOf,
  yearsOutside,
  measured,
} from './asked.ts';
import type { AthleteFacts, Moment, OpportunityFacts, Requirement } from './facts.ts';
import { listed, nearness, part, type Part } from './part.ts';
import { wishes } from './wishes.ts';

export interface Feature {
  readonly code: FitFeature;
  readonly side: FitSide;
  /** Share of the score when all is known. */
  readonly weight: number;
  /** Empty where the opportunity asks for nothing of the kind. */
  readonly parts: readonly Part[];
}

/** Share of the score by feature, and whose wish it is (domain.md section 3). */
export const weights: Readonly<Record<FitFeature, readonly [weight: number, side: FitSide]>> = {
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
function requirementPart(requirement: Requirement, athlete: AthleteFacts, { sport }: OpportunityFacts, span: number): Part {
  const { operator, value, weight } = requirement;
  const { datum, name, actual } = askedOf(requirement, athlete, sport);
  if (actual === null) return part(datum, null, '', weight ?? 1);
  const near = nearness(gap(operator, value, actual.value), span);
  const standing = actual.percentile === null ? '' : `, percentile ${actual.percentile}`;
  const text = `${name} ${actual.value}, ${inWords(operator, value)} asked${standing}`;
  return part(datum, actual.percentile === null ? near : (near + actual.percentile / 100) / 2, text, weight ?? 1);
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
function standings(athlete: AthleteFacts, opportunity: OpportunityFacts): Part[] {
  const { sport } = opportunity;
  const groups = (inSport(athlete, opportunity)?.positions ?? []).map((code) => positionGroup(sport, code));
  const keys = new Set(seasonsOf(athlete, sport).flatMap(({ metrics }) => metrics.map(({ key }) => key)));
  const known = [...keys].sort().flatMap((key) => {
    const row = metric(key);
    const percentile = measured(athlete, sport, key)?.percentile ?? null;
    const about = row?.positions?.some((group) => groups.includes(group)) ?? true;
    if (percentile === null || !about || row === undefined || row.direction === 'NEUTRAL') return [];
    return [part(datumOf('METRIC', key), percentile / 100, `${key} percentile ${percentile}`)];
  });
  return known.length === 0 ? [part(datumOf('STATISTICS'), null, '')] : known;
}

function metricParts(athlete: AthleteFacts, opportunity: OpportunityFacts): Part[] {
  const asked = [...opportunity.requirements, ...(opportunity.profile?.metrics ?? []).map(wanted)].filter(
    (each) => each.metricKey !== null && !isOfBody(each),
  );
  if (asked.length === 0) return standings(athlete, opportunity);
  return asked.map((each) => requirementPart(each, athlete, opportunity, halfOf(each)));
}

function positionParts(athlete: AthleteFacts, opportunity: OpportunityFacts): Part[] {
  const { sport, positions, profile } = opportunity;
  const asked = positions.length > 0 ? positions : (profile?.positions ?? []);
  if (asked.length === 0) return [];
  const played = inSport(athlete, opportunity)?.positions ?? [];
  const fit = positionFit(sport, played, asked);
  const value = fit === null ? null : { EXACT: 1, GROUP: 0.5, OTHER: 0 }[fit];
  return [part(datumOf('POSITIONS'), value, `plays ${listed(played)}, ${listed(asked)} asked`)];
}

/** Levels, the lowest first. */
export const ladder: readonly Level[] = [
  'GRASSROOTS',
  'SCHOOL',
  'ACADEMY',
  'REGIONAL',
  'NATIONAL',
  'INTERNATIONAL',
  'PROFESSIONAL',
];

/** A third less for each step that the athlete competes below the organization. */
function levelParts(athlete: AthleteFacts, opportunity: OpportunityFacts): Part[] {
  const level = inSport(athlete, opportunity)?.level ?? null;
  const there = opportunity.organization?.level ?? null;
  const steps = there === null || level === null ? null : Math.max(0, ladder.indexOf(there) - ladder.indexOf(level));
  const years = opportunity.requirements.filter(({ attribute }) => attribute === 'YEARS_EXPERIENCE');
  return [
    ...(there === null
      ? []
      : [
          part(
            datumOf('LEVEL'),
            steps === null ? null : nearness(steps, 3),
            `competes at ${level}, the organization at ${there}`,
          ),
        ]),
    ...years.map((each) => requirementPart(each, athlete, opportunity, halfOf(each))),
  ];
}

/** A fifth less for each year outside of the ages that are looked for. */
function ageParts(athlete: AthleteFacts, { ageRange, profile }: OpportunityFacts, { today }: Moment): Part[] {
  const range = profile?.ageRange ?? ageRange;
  if (range === null || (range.min === null && range.max === null)) return [];
  const day = range.referenceDate ?? today;
  const [lowest, highest] = agesOn(athlete, day);
  const [one, other] = [nearness(yearsOutside(lowest, range), 5), nearness(yearsOutside(highest, range), 5)];
  const text = `${agesInWords(lowest, highest)} years on ${day}, ${agesInWords(range.min, range.max)} asked`;
  // ages on both sides of the range fit alike, and those between them better
  const beyond = lowest > (range.max ?? Infinity) || highest < (range.min ?? 0);
  return [part(datumOf('DATE_OF_BIRTH'), one === other && (one === 1 || beyond) ? one : null, text)];
}

/** Half at the lowest average that is asked for, all at the best of the scale; an average below it never comes so far. */
function academicParts(athlete: AthleteFacts, opportunity: OpportunityFacts): Part[] {
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
  return [part(datumOf('GPA'), value, `average ${gpa} of ${scale}, ${minGpa} of ${gpaScale} asked`), ...years];
}

function bodyParts(athlete: AthleteFacts, opportunity: OpportunityFacts): Part[] {
  const { requirements, profile } = opportunity;
  const height = profile?.heightMinCm ? [wanted({ key: 'heightCm', value: profile.heightMinCm })] : [];
  const parts = [...requirements.filter(isOfBody), ...height].map((each) =>
    requirementPart(each, athlete, opportunity, tenthOf(each)),
  );
  const asked = profile?.dominantFoot ?? null;
  if (asked === null) return parts;
  const foot = athlete.dominantFoot;
  const value = foot === null ? null : foot === asked || foot === 'BOTH' ? 1 : asked === 'BOTH' ? 0.5 : 0;
  return [...parts, part(datumOf('DOMINANT_FOOT'), value, `better foot ${foot}, ${asked} asked`)];
}

/** One language in common is enough; `pt-BR` is Portuguese. */
function languageParts({ languages }: AthleteFacts, opportunity: OpportunityFacts): Part[] {
  if (opportunity.languages.length === 0) return [];
  const primary = (tags: readonly string[]): string[] => [
    ...new Set(tags.map((tag) => (tag.split('-')[0] ?? tag).toLowerCase())),
  ];
  const there = primary(opportunity.languages);
  const value = languages.length === 0 ? null : primary(languages).some((each) => there.includes(each)) ? 1 : 0;
  return [part(datumOf('LANGUAGES'), value, `speaks ${listed(languages)}, ${listed(opportunity.languages)} spoken there`)];
}

/** All features, in the order of `weights`. */
export function featuresOf(athlete: AthleteFacts, opportunity: OpportunityFacts, moment: Moment): Feature[] {
  const parts: Readonly<Record<FitFeature, readonly Part[]>> = {
    METRICS: metricParts(athlete, opportunity),
    POSITION: positionParts(athlete, opportunity),
    LEVEL: levelParts(athlete, opportunity),
    ...wishes(athlete, opportunity),
    AGE: ageParts(athlete, opportunity, moment),
    ACADEMIC: academicParts(athlete, opportunity),
    ANTHROPOMETRIC: bodyParts(athlete, opportunity),
    LANGUAGE: languageParts(athlete, opportunity),
  };
  return (Object.keys(weights) as FitFeature[]).map((code) => {
    const [weight, side] = weights[code];
    return { code, side, weight, parts: parts[code].filter((each) => each.weight > 0) };
  });
}
