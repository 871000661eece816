/** Ages of athletes. An athlete counts as a minor unless they are certainly an adult (docs/minors.md). */
import { birthday, latestToday } from '../../runtime/age.ts';
import type { AgeGroup } from '../generated/resolvers.ts';

/** The latest birth date of athletes who are at least of an age today. */
export function latestBirthDate(age: number, today: string = latestToday()): string {
  return birthday(today, -age);
}

/**
 * The first day on which an athlete is certainly an adult, or null when it is unknown.
 * @param confirmed whether an account with a verified organization confirms that the athlete is an adult
 */
export function firstAdultDay(facts: {
  dateOfBirth?: string | null | undefined;
  birthYear?: number | null | undefined;
  confirmed: boolean;
}): string | null {
  if (facts.dateOfBirth) return birthday(facts.dateOfBirth, 18);
  if (facts.birthYear) return `${facts.birthYear + 19}-01-01`;
  return facts.confirmed ? '0001-01-01' : null;
}

/** True unless the athlete is certainly an adult today. */
export function isMinor(adultSince: string | null, today: string = latestToday()): boolean {
  return adultSince === null || adultSince > today;
}

interface MinorFacts {
  readonly adultFrom: string | null;
  readonly activatedAsMinor: boolean;
}

/** Whether the athlete is treated as a minor. An athlete who came of age stays one until the owner activates the adult. */
export function isTreatedAsMinor({ adultFrom, activatedAsMinor }: MinorFacts, today: string = latestToday()): boolean {
  return activatedAsMinor || isMinor(adultFrom, today);
}

interface AgeFacts extends MinorFacts {
  readonly dateOfBirth: string | null;
  readonly birthYear: number | null;
}

/** Age groups by the age reached in the calendar year. Each spans two birth years, so that daily reads reveal no birthday. */
const youthGroups: readonly (readonly [until: number, group: AgeGroup])[] = [
  [11, 'U12'],
  [13, 'U14'],
  [15, 'U16'],
];

/** The age group that an athlete competes in. A minor of unknown age is U18, an adult is SENIOR. */
export function ageGroupOf(athlete: AgeFacts, today: string = latestToday()): AgeGroup {
  if (!isTreatedAsMinor(athlete, today)) return 'SENIOR';
  const { dateOfBirth, birthYear } = athlete;
  const year = dateOfBirth ? Number(dateOfBirth.slice(0, 4)) : birthYear;
  if (year === null) return 'U18';
  const age = Number(today.slice(0, 4)) - year;
  return youthGroups.find(([until]) => age <= until)?.[1] ?? 'U18';
}
