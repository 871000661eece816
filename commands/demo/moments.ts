/** Dates and times of the demo data. */
import type { Random } from '../../platform/random.ts';

const dayMs = 86_400_000;

/** The day a number of days after (or before) another. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
}

/** The same day a number of years earlier; February 28 when that year has no 29th. */
export function yearsBefore(day: string, years: number): string {
  const same = `${Number(day.slice(0, 4)) - years}${day.slice(4)}`;
  return Number.isNaN(Date.parse(same)) || !new Date(same).toISOString().startsWith(same) ? same.replace(/29$/, '28') : same;
}

/** The last Saturday before a day. */
export function saturdayBefore(day: string): string {
  return addDays(day, -((new Date(day).getUTCDay() + 1) % 7 || 7));
}

/** A random moment between two (days start at midnight), with milliseconds; the first where they are reversed. */
export function momentBetween(random: Random, from: string, to: string): string {
  const first = Date.parse(from);
  const last = Math.max(first, Date.parse(to) - 1);
  return new Date(Math.floor(first + random.fraction() * (last - first))).toISOString();
}

/** The moment a number of minutes after another. */
export function addMinutes(moment: string, minutes: number): string {
  return new Date(Date.parse(moment) + minutes * 60_000).toISOString();
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Local time in a time zone as if it were UTC, in milliseconds since 1970. */
function shownAt(instantMs: number, timeZone: string): number {
  const clock = clocks.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  clocks.set(timeZone, clock);
  return Date.parse(`${clock.format(instantMs).replace(' ', 'T')}Z`);
}

/** The instant of a local day and time `HH:MM` in a time zone. */
export function momentAt(day: string, time: string, timeZone: string): string {
  const shown = Date.parse(`${day}T${time}:00Z`);
  const near = shown - (shownAt(shown, timeZone) - shown);
  return new Date(near - (shownAt(near, timeZone) - shown)).toISOString();
}
