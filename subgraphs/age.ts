/** Ages in whole years, counted so that nobody is taken for older too early (domain.md section 4). */

/** Today where the day begins last (UTC-12). */
export function latestToday(now: Date = new Date()): string {
  return new Date(now.getTime() - 12 * 3_600_000).toISOString().slice(0, 10);
}

/** The day somebody born on a day turns an age; who is born on 29 February does so on 1 March of a common year. */
export function birthday(dateOfBirth: string, age: number): string {
  const [year = 0, month = 1, day = 1] = dateOfBirth.split('-').map(Number);
  return new Date(Date.UTC(year + age, month - 1, day)).toISOString().slice(0, 10);
}

/** Age in whole years on a day. */
export function ageOn(dateOfBirth: string, day: string = latestToday()): number {
  const years = Number(day.slice(0, 4)) - Number(dateOfBirth.slice(0, 4));
  return birthday(dateOfBirth, years) <= day ? years : years - 1;
}
