/** Who is a minor, counted so that nobody is taken for an adult too early (docs/minors.md). */
import { birthday, latestToday } from '../../runtime/age.ts';
import type { AgeGroup } from '../resolvers.generated.ts';

/** The last day of birth of those who are at least of an age today. */
export function latestBirthDate(age: number, today: string = latestToday()): string {
  return birthday(today, -age);
}

/**
 * The first day on which somebody is certainly an adult, or null when nothing tells.
 * @param confirmed an account that holds a verified organization says so
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

interface Standing {
  readonly adultFrom: string | null;
  readonly activatedAsMinor: boolean;
}

/** Whether the athlete is shown as a minor: who came of age since the activation is, until the owner activates the adult. */
export function isTreatedAsMinor({ adultFrom: from, activatedAsMinor }: Standing, today: string = latestToday()): boolean {
  return activatedAsMinor || isMinor(from, today);
}

interface AgeFacts extends Standing {
  readonly dateOfBirth: string | null;
  readonly birthYear: number | null;
}

/** Two years of birth each, by the age reached in a calendar year: who watches daily learns no birthday, and of the year only which two. */
const youthGroups: readonly (readonly [until: number, group: AgeGroup])[] = [
  [11, 'U12'],
  [13, 'U14'],
  [15, 'U16'],
];

/** The age group an athlete competes in; a minor of unknown age is U18, an adult SENIOR. */
export function ageGroupOf(athlete: AgeFacts, today: string = latestToday()): AgeGroup {
  if (!isTreatedAsMinor(athlete, today)) return 'SENIOR';
  const { dateOfBirth, birthYear } = athlete;
  const year = dateOfBirth ? Number(dateOfBirth.slice(0, 4)) : birthYear;
  if (year === null) return 'U18';
  const age = Number(today.slice(0, 4)) - year;
  return youthGroups.find(([until]) => age <= until)?.[1] ?? 'U18';
}
