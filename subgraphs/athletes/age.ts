/** Ages, counted so that nobody is taken for an adult too early (domain.md section 4). */

/** Today where the day begins last (UTC-12): an athlete is an adult when he is one everywhere. */
export function latestToday(now: Date = new Date()): string {
  return new Date(now.getTime() - 12 * 3_600_000).toISOString().slice(0, 10);
}

/** The day somebody born on a day turns an age; who is born on 29 February does so on 1 March of a common year. */
export function birthday(dateOfBirth: string, age: number): string {
  const [year = 0, month = 1, day = 1] = dateOfBirth.split('-').map(Number);
  return new Date(Date.UTC(year + age, month - 1, day)).toISOString().slice(0, 10);
}

/** The last day of birth of those who are at least of an age today. */
export function bornUntil(age: number, today: string = latestToday()): string {
  return birthday(today, -age);
}

/** Age in whole years on a day. */
export function ageOn(dateOfBirth: string, day: string = latestToday()): number {
  const years = Number(day.slice(0, 4)) - Number(dateOfBirth.slice(0, 4));
  return birthday(dateOfBirth, years) <= day ? years : years - 1;
}

/**
 * The first day on which somebody is certainly an adult, or null when nothing tells.
 * @param confirmed an account that holds a verified organization says so
 */
export function adultFrom(facts: { dateOfBirth?: string | null; birthYear?: number | null; confirmed: boolean }): string | null {
  if (facts.dateOfBirth) return birthday(facts.dateOfBirth, 18);
  if (facts.birthYear) return `${facts.birthYear + 19}-01-01`;
  return facts.confirmed ? '0001-01-01' : null;
}

/** True unless the athlete is certainly an adult today. */
export function isMinor(adultSince: string | null, today: string = latestToday()): boolean {
  return adultSince === null || adultSince > today;
}
