/** Who is a minor, counted so that nobody is taken for an adult too early (domain.md section 4). */
import { birthday, latestToday } from '../age.ts';

/** The last day of birth of those who are at least of an age today. */
export function bornUntil(age: number, today: string = latestToday()): string {
  return birthday(today, -age);
}

/**
 * The first day on which somebody is certainly an adult, or null when nothing tells.
 * @param confirmed an account that holds a verified organization says so
 */
export function adultFrom(facts: {
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
