/** When a match is: its day in the time zone of the place, and the moment by which lists are in order. */
import type { Violation } from '../../../schema/errors.ts';

/** What is known of the time of a match. */
export interface MatchTime {
  /** YYYY-MM-DD in the time zone of the place. */
  readonly date: string | null;
  readonly startTime: string | null;
  /** IANA name; days are those of UTC without one. */
  readonly timeZone: string | null;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known) return known;
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  clocks.set(timeZone, clock);
  return clock;
}

function isTimeZone(name: string): boolean {
  // Offsets are accepted by Intl, and say nothing of summer time.
  if (/^[+-]/.test(name)) return false;
  try {
    clockOf(name);
    return true;
  } catch {
    return false;
  }
}

/** What the clocks of a place show at a moment (in ms), read as if they showed UTC. */
function shownAt(moment: number, timeZone: string | null): number {
  if (timeZone === null) return moment;
  const part = new Map(
    clockOf(timeZone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, Number(value)] as const),
  );
  const read = (type: Intl.DateTimeFormatPartTypes): number => part.get(type) ?? 0;
  return Date.UTC(read('year'), read('month') - 1, read('day'), read('hour'), read('minute'), read('second'));
}

const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10);

/** The day (YYYY-MM-DD) that it is at a place at a moment (RFC 3339). */
export function dayAt(moment: string, timeZone: string | null): string {
  return dayOf(shownAt(Date.parse(moment), timeZone));
}

/** The moment (RFC 3339) at which a day begins at a place: after midnight where summer time takes that hour. */
export function beginningOf(day: string, timeZone: string | null): string {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const offset = (moment: number): number => shownAt(moment, timeZone) - moment;
  const near = midnight - offset(midnight);
  const moments = [near, midnight - offset(near)].sort((a, b) => a - b);
  return new Date(moments.find((moment) => dayOf(shownAt(moment, timeZone)) === day) ?? near).toISOString();
}

const dayMs = 86_400_000;

/** Years in which matches are: before and after them, clocks of places say little. */
const years = { first: 1800, last: 2200 } as const;

const isOfThem = (day: string): boolean => Number(day.slice(0, 4)) >= years.first && Number(day.slice(0, 4)) <= years.last;

/** What is wrong with the time of a match, as it will be after the write. */
export function timeViolations({ date, startTime, timeZone }: MatchTime): (Violation | false)[] {
  if (timeZone !== null && !isTimeZone(timeZone))
    return [
      {
        pointer: '/timeZone',
        code: 'unknown_time_zone',
        detail: 'This is no time zone: use its IANA name, such as Europe/Madrid.',
      },
    ];
  const outside = ([pointer, time]: readonly [string, string | null]): Violation | false =>
    time !== null &&
    !isOfThem(time) && { pointer, code: 'out_of_range', detail: `Matches are of the years ${years.first} to ${years.last}.` };
  const violations = (
    [
      ['/date', date],
      ['/startTime', startTime],
    ] as const
  ).map(outside);
  if (date === null || startTime === null || violations.some(Boolean)) return violations;
  const starts = dayAt(startTime, timeZone);
  // Without a time zone the day of the place may be the one before or after that of UTC.
  const apart = Math.abs(Date.parse(date) - Date.parse(starts)) / dayMs;
  const detail = `It starts on ${starts}${timeZone === null ? ' in UTC' : ` in ${timeZone}`}: leave the date out, or give that one.`;
  return [apart > (timeZone === null ? 1 : 0) && { pointer: '/date', code: 'not_that_day', detail }];
}

/** The time of a match with what follows from it: its day, and the moment it is listed at (the start, else the beginning of its day, else of its season). */
export function timesOf(
  { date, startTime, timeZone }: MatchTime,
  seasonBegins: string,
): MatchTime & { readonly startsAt: string } {
  const starts = startTime === null ? null : new Date(startTime).toISOString();
  const day = date ?? (starts === null ? null : dayAt(starts, timeZone));
  const listed = day ?? seasonBegins;
  return { date: day, startTime: starts, timeZone, startsAt: starts ?? beginningOf(listed, isOfThem(listed) ? timeZone : null) };
}
