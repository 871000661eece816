/** Days and months as the numbers that Redis stores: days since 1970, months since the year 0 (January is 0). */

const dayMs = 86_400_000;

/** From YYYY-MM-DD. */
export const dayNumber = (day: string): number => Date.parse(`${day}T00:00:00Z`) / dayMs;

/** From YYYY-MM-01. */
export const monthNumber = (month: string): number => Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1;

let last = { number: NaN, day: '' };

/** YYYY-MM-DD; caches the last day, which nearly always repeats. */
export function dayOf(number: number): string {
  if (last.number !== number) last = { number, day: new Date(number * dayMs).toISOString().slice(0, 10) };
  return last.day;
}

/** YYYY-MM-01. */
export const monthOf = (number: number): string =>
  `${String(Math.floor(number / 12)).padStart(4, '0')}-${String((number % 12) + 1).padStart(2, '0')}-01`;
