/** Ages in whole years, counted in the latest time zone: an athlete never counts as older too early (docs/minors.md). */

const dayMs = 86_400_000;

// computed for every row of every list, and constant for a day
let known = { dayNumber: NaN, text: '' };

/** Today in the time zone where the day starts last (UTC-12). */
export function latestToday(now: Date = new Date()): string {
  const dayNumber = Math.floor((now.getTime() - dayMs / 2) / dayMs);
  if (dayNumber !== known.dayNumber) known = { dayNumber, text: new Date(dayNumber * dayMs).toISOString().slice(0, 10) };
  return known.text;
}

/** The day on which a person reaches an age. A person born on 29 February does so on 1 March of a common year. */
export function birthday(dateOfBirth: string, age: number): string {
  const [year = 0, month = 1, day = 1] = dateOfBirth.split('-').map(Number);
  return new Date(Date.UTC(year + age, month - 1, day)).toISOString().slice(0, 10);
}

/** Age in whole years on a day. */
export function ageOn(dateOfBirth: string, day: string = latestToday()): number {
  const years = Number(day.slice(0, 4)) - Number(dateOfBirth.slice(0, 4));
  // compared as texts: 29 February sorts between 28 February and 1 March, consistent with `birthday`
  return dateOfBirth.slice(5) <= day.slice(5) ? years : years - 1;
}
