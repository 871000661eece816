/** Comparisons of athlete data with the requirements of an opportunity, shared by eligibility and features. */
import { metric } from '../../../schema/metrics.ts';
import { positionGroup } from '../../../schema/position-codes.ts';
import type { Sport } from '../../../schema/sports.ts';
import { ageOn } from '../../runtime/age.ts';
import type { FitDatum } from '../generated/resolvers.ts';
import { matchesMin } from '../talent/compared-values.ts';
import { metricTitle, metricValueText } from '../texts/metric-values.ts';
import type {
  AgeRange,
  AthleteFacts,
  MetricFacts,
  Operator,
  OpportunityFacts,
  Requirement,
  SportFacts,
  StatisticsFacts,
} from './facts.ts';

/** Athlete data that a match can lack. A metric value also has the key of its metric. */
export interface Datum {
  readonly datum: FitDatum;
  readonly metricKey: string | null;
}

export const datumOf = (datum: FitDatum, metricKey: string | null = null): Datum => ({ datum, metricKey });

/** The identity of a datum. */
export const datumKey = ({ datum, metricKey }: Datum): string => (metricKey === null ? datum : `${datum} ${metricKey}`);

/** The athlete's data in the sport of the opportunity. Undefined if the athlete does not practice it. */
export function sportFactsOf({ sports }: AthleteFacts, { sport }: OpportunityFacts): SportFacts | undefined {
  return sports.find((each) => each.sport === sport);
}

/** The range of ages an athlete can have on a day. A birth year leaves two ages. An adult is at least 18. */
export function agesOn(athlete: AthleteFacts, day: string): readonly [lowest: number, highest: number] {
  const { dateOfBirth, birthYear, ageGroup } = athlete;
  if (dateOfBirth !== null) return [ageOn(dateOfBirth, day), ageOn(dateOfBirth, day)];
  if (birthYear !== null) return [ageOn(`${birthYear}-12-31`, day), ageOn(`${birthYear}-01-01`, day)];
  return [ageGroup === 'SENIOR' ? 18 : 0, Infinity];
}

/** Years by which an age is outside a range. */
export function yearsOutside(age: number, { min, max }: AgeRange): number {
  return Math.max(0, (min ?? 0) - age, age - (max ?? Infinity));
}

/** How played positions fit required ones: EXACT, GROUP (only the position group is known), OTHER, or null if no position is known. */
export function positionFit(
  sport: Sport,
  played: readonly string[],
  required: readonly string[],
): 'EXACT' | 'GROUP' | 'OTHER' | null {
  if (played.length === 0) return null;
  const isExact = (code: string): boolean => required.includes(code) || required.includes(positionGroup(sport, code) ?? code);
  if (played.some(isExact)) return 'EXACT';
  const isGroup = (code: string): boolean =>
    positionGroup(sport, code) === code && required.some((each) => positionGroup(sport, each) === code);
  return played.some(isGroup) ? 'GROUP' : 'OTHER';
}

const newestFirst = (one: StatisticsFacts, other: StatisticsFacts): number =>
  (other.asOf ?? '').localeCompare(one.asOf ?? '') || one.source.localeCompare(other.source);

/**
 * The seasons that count for a match, newest first; on the same day, COMPUTED before PROVIDER. Seasons of a single event are excluded,
 * because an opportunity does not name an event. Self-reported seasons are excluded too.
 */
export function seasonsOf({ statistics }: AthleteFacts, sport: Sport): StatisticsFacts[] {
  return statistics
    .filter((row) => row.scope === 'SEASON' && row.source !== 'SELF_REPORTED' && row.sport === sport && row.eventCode === null)
    .sort(newestFirst);
}

export interface MetricValue extends Omit<MetricFacts, 'key'> {
  /** Number of full matches behind the value. */
  readonly matches: number;
  /** Last day of the season. */
  readonly asOf: string | null;
}

/** A value that is not compared with a cohort. */
const uncompared = (value: number): MetricValue => ({ value, percentile: null, cohort: null, matches: 0, asOf: null });

/** Whether a season has too few matches for a sum or a share, as in the talent score. The best mark of a single match counts. */
function isUnrepresentative({ matches }: StatisticsFacts, key: string): boolean {
  const aggregation = metric(key)?.aggregation;
  return matches < matchesMin && (aggregation === 'SUM' || typeof aggregation === 'object');
}

/**
 * The value of a metric in the newest season with at least five full matches, or in the newest season if there is none; of two equally new
 * seasons, that with more matches, then the better value. Height and weight come from the profile.
 */
export function latestValue(athlete: AthleteFacts, sport: Sport, key: string): MetricValue | null {
  const ofProfile = key === 'heightCm' ? athlete.heightCm : key === 'weightKg' ? athlete.weightKg : null;
  if (ofProfile !== null) return uncompared(ofProfile);
  const sign = metric(key)?.direction === 'LOWER_IS_BETTER' ? -1 : 1;
  const values = seasonsOf(athlete, sport).flatMap((row) =>
    row.metrics.filter((each) => each.key === key).map((each) => ({ ...each, row, matches: row.matches, asOf: row.asOf })),
  );
  const [latest] = values.sort(
    (one, other) =>
      Number(isUnrepresentative(one.row, key)) - Number(isUnrepresentative(other.row, key)) ||
      newestFirst(one.row, other.row) ||
      other.matches - one.matches ||
      sign * (other.value - one.value),
  );
  return latest ?? null;
}

const attributes = {
  YEARS_EXPERIENCE: (athlete: AthleteFacts, sport: Sport) =>
    athlete.sports.find((each) => each.sport === sport)?.yearsExperience ?? null,
  GRADUATION_YEAR: ({ education }: AthleteFacts) => education?.graduationYear ?? null,
} as const;

/** The athlete's value for a requirement, and the datum that it comes from. */
export interface RequirementCheck {
  readonly datum: Datum;
  /** Such as `Pass accuracy`. */
  readonly name: string;
  readonly unit: string;
  readonly actual: MetricValue | null;
  /** A value with its unit, such as `82 %`. */
  readonly textOf: (value: number) => string;
}

export function checkRequirement(requirement: Requirement, athlete: AthleteFacts, sport: Sport): RequirementCheck {
  const { metricKey, attribute } = requirement;
  if (attribute !== null) {
    const value = attributes[attribute](athlete, sport);
    const name = attribute === 'YEARS_EXPERIENCE' ? 'Years of experience' : 'Graduation year';
    return { datum: datumOf(attribute), name, unit: 'years', actual: value === null ? null : uncompared(value), textOf: String };
  }
  const key = metricKey ?? '';
  const datum = key === 'heightCm' ? datumOf('HEIGHT') : datumOf('METRIC', key);
  const textOf = (value: number): string => metricValueText(key, value);
  return { datum, name: metricTitle(key), unit: metric(key)?.unit ?? 'count', actual: latestValue(athlete, sport, key), textOf };
}

/** The difference between a required and an actual value. 0 if the requirement is met. */
export function shortfall(operator: Operator, required: number, actual: number): number {
  if (operator === 'GTE') return Math.max(0, required - actual);
  return operator === 'LTE' ? Math.max(0, actual - required) : Math.abs(actual - required);
}

/** For example `at least 10`. */
export function describeBound(operator: Operator, value: string): string {
  return `${{ GTE: 'at least', LTE: 'at most', EQ: 'exactly' }[operator]} ${value}`;
}

/** For example `16 to 18`, `18 or older` or `18`. */
export function describeAges(min: number | null, max: number | null): string {
  if (max === null || max === Infinity) return min === null ? 'any' : `${min} or older`;
  if (min === null || min === 0) return `${max} or younger`;
  return min === max ? String(min) : `${min} to ${max}`;
}
