/** What an opportunity asks of an athlete, and what of it is known: the comparisons that eligibility and features share. */
import { metric } from '../../../schema/metrics.ts';
import { positionGroup, type Sport } from '../../../schema/sports.ts';
import { ageOn } from '../../runtime/age.ts';
import type { FitDatum } from '../resolvers.generated.ts';
import type { AgeRange, AthleteFacts, StatisticsFacts, Operator, OpportunityFacts, Requirement, SportFacts } from './facts.ts';

/** A fact of an athlete that a match may miss; of a number, which. */
export interface Datum {
  readonly datum: FitDatum;
  readonly metricKey: string | null;
}

export const datumOf = (datum: FitDatum, metricKey: string | null = null): Datum => ({ datum, metricKey });

/** Data with the same key are one. */
export const datumKey = ({ datum, metricKey }: Datum): string => (metricKey === null ? datum : `${datum} ${metricKey}`);

/** What the athlete is in the sport of the opportunity; undefined for somebody of other sports. */
export function sportFactsOf({ sports }: AthleteFacts, { sport }: OpportunityFacts): SportFacts | undefined {
  return sports.find((each) => each.sport === sport);
}

/** Ages that the athlete may be of on a day, the lowest and the highest: a year of birth tells two, an adult is 18 at least. */
export function agesOn(athlete: AthleteFacts, day: string): readonly [lowest: number, highest: number] {
  const { dateOfBirth, birthYear, ageGroup } = athlete;
  if (dateOfBirth !== null) return [ageOn(dateOfBirth, day), ageOn(dateOfBirth, day)];
  if (birthYear !== null) return [ageOn(`${birthYear}-12-31`, day), ageOn(`${birthYear}-01-01`, day)];
  return [ageGroup === 'SENIOR' ? 18 : 0, Infinity];
}

/** Years that an age lies outside of a range. */
export function yearsOutside(age: number, { min, max }: AgeRange): number {
  return Math.max(0, (min ?? 0) - age, age - (max ?? Infinity));
}

/** How well somebody who plays some positions suits who asks for others: exactly, perhaps (only the group is known), or not. */
export function positionFit(
  sport: Sport,
  played: readonly string[],
  asked: readonly string[],
): 'EXACT' | 'GROUP' | 'OTHER' | null {
  if (played.length === 0) return null;
  const exact = (code: string): boolean => asked.includes(code) || asked.includes(positionGroup(sport, code) ?? code);
  if (played.some(exact)) return 'EXACT';
  const group = (code: string): boolean =>
    positionGroup(sport, code) === code && asked.some((each) => positionGroup(sport, each) === code);
  return played.some(group) ? 'GROUP' : 'OTHER';
}

const newest = (one: StatisticsFacts, other: StatisticsFacts): number =>
  (other.asOf ?? '').localeCompare(one.asOf ?? '') || one.source.localeCompare(other.source);

/**
 * Seasons that count for a match, the newest first, of one day what was COMPUTED before what a PROVIDER says. Those of an event are
 * left out, because no opportunity says which event it means, and so is what somebody says of himself.
 */
export function seasonsOf({ statistics }: AthleteFacts, sport: Sport): StatisticsFacts[] {
  return statistics
    .filter((row) => row.scope === 'SEASON' && row.source !== 'SELF_REPORTED' && row.sport === sport && row.eventCode === null)
    .sort(newest);
}

export interface MetricValue {
  readonly value: number;
  /** Null where there is no cohort to compare with. */
  readonly percentile: number | null;
}

/** The newest value of a metric; heights and weights are those of the profile. Of two seasons alike the better value counts. */
export function latestValue(athlete: AthleteFacts, sport: Sport, key: string): MetricValue | null {
  const ofProfile = key === 'heightCm' ? athlete.heightCm : key === 'weightKg' ? athlete.weightKg : null;
  if (ofProfile !== null) return { value: ofProfile, percentile: null };
  const sign = metric(key)?.direction === 'LOWER_IS_BETTER' ? -1 : 1;
  const found = seasonsOf(athlete, sport).flatMap((row) =>
    row.metrics.filter((each) => each.key === key).map(({ value, percentile }) => ({ row, value, percentile })),
  );
  const [first] = found.sort((one, other) => newest(one.row, other.row) || sign * (other.value - one.value));
  return first ? { value: first.value, percentile: first.percentile } : null;
}

const attributes = {
  YEARS_EXPERIENCE: (athlete: AthleteFacts, sport: Sport) =>
    athlete.sports.find((each) => each.sport === sport)?.yearsExperience ?? null,
  GRADUATION_YEAR: ({ education }: AthleteFacts) => education?.graduationYear ?? null,
} as const;

/** A requirement, what the athlete has of it, and what has to be known for that. */
export interface RequirementCheck {
  readonly datum: Datum;
  readonly name: string;
  readonly unit: string;
  readonly actual: MetricValue | null;
}

export function checkRequirement(requirement: Requirement, athlete: AthleteFacts, sport: Sport): RequirementCheck {
  const { metricKey, attribute } = requirement;
  if (attribute !== null) {
    const value = attributes[attribute](athlete, sport);
    const name = attribute === 'YEARS_EXPERIENCE' ? 'years of experience' : 'year of graduation';
    return { datum: datumOf(attribute), name, unit: 'years', actual: value === null ? null : { value, percentile: null } };
  }
  const key = metricKey ?? '';
  const datum = key === 'heightCm' ? datumOf('HEIGHT') : datumOf('METRIC', key);
  return { datum, name: key, unit: metric(key)?.unit ?? 'count', actual: latestValue(athlete, sport, key) };
}

/** How far a value is from what is asked; 0 where it meets it. */
export function shortfall(operator: Operator, asked: number, actual: number): number {
  if (operator === 'GTE') return Math.max(0, asked - actual);
  return operator === 'LTE' ? Math.max(0, actual - asked) : Math.abs(actual - asked);
}

/** `at least 10`. */
export function describeBound(operator: Operator, value: number): string {
  return `${{ GTE: 'at least', LTE: 'at most', EQ: 'exactly' }[operator]} ${value}`;
}

/** `16 to 18`, `18 or older`, `18`. */
export function describeAges(min: number | null, max: number | null): string {
  if (max === null || max === Infinity) return min === null ? 'any' : `${min} or older`;
  if (min === null || min === 0) return `${max} or younger`;
  return min === max ? String(min) : `${min} to ${max}`;
}
