/** The time of a match: its local date, and the instant that lists are sorted by. */
import type { Violation } from '../../../schema/errors.ts';

export interface MatchTime {
  /** YYYY-MM-DD in the time zone of the venue. */
  readonly date: string | null;
  readonly startTime: string | null;
  /** IANA name. Without one, dates are in UTC. */
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

/** Whether a name is that of an IANA time zone. */
export function isTimeZone(name: string): boolean {
  // Intl accepts UTC offsets, which carry no daylight saving time.
  if (/^[+-]/.test(name)) return false;
  try {
    clockOf(name);
    return true;
  } catch {
    return false;
  }
}

/** The local time at an instant (in ms), expressed as the UTC instant with the same date and clock time. */
function localTime(moment: number, timeZone: string | null): number {
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

/** The local date (YYYY-MM-DD) at an instant (RFC 3339). */
export function dateAt(moment: string, timeZone: string | null): string {
  return dayOf(localTime(Date.parse(moment), timeZone));
}

/** The instant (RFC 3339) at which a local date starts: later than 00:00 where daylight saving time skips that hour. */
export function startOfDay(day: string, timeZone: string | null): string {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  const offset = (moment: number): number => localTime(moment, timeZone) - moment;
  const near = midnight - offset(midnight);
  const moments = [near, midnight - offset(near)].sort((a, b) => a - b);
  return new Date(moments.find((moment) => dayOf(localTime(moment, timeZone)) === day) ?? near).toISOString();
}

const dayMs = 86_400_000;

/** The accepted years of matches. Time-zone data outside of them is unreliable. */
const years = { first: 1800, last: 2200 } as const;

const isInRange = (day: string): boolean => Number(day.slice(0, 4)) >= years.first && Number(day.slice(0, 4)) <= years.last;

/** Validates the time that a match has after the write. */
export function timeViolations({ date, startTime, timeZone }: MatchTime): (Violation | false)[] {
  if (timeZone !== null && !isTimeZone(timeZone))
    return [
      {
        pointer: '/timeZone',
        code: 'unknown_time_zone',
        detail: 'The time zone is unknown. Use an IANA name, such as `Europe/Madrid`.',
      },
    ];
  const rangeViolation = ([pointer, time]: readonly [string, string | null]): Violation | false =>
    time !== null &&
    !isInRange(time) && {
      pointer,
      code: 'out_of_range',
      detail: `The year must be between ${years.first} and ${years.last}.`,
    };
  const violations = (
    [
      ['/date', date],
      ['/startTime', startTime],
    ] as const
  ).map(rangeViolation);
  if (date === null || startTime === null || violations.some(Boolean)) return violations;
  const starts = dateAt(startTime, timeZone);
  // Without a time zone the local date may be one day before or after the UTC date.
  const apart = Math.abs(Date.parse(date) - Date.parse(starts)) / dayMs;
  const detail = `\`startTime\` is on ${starts} in ${timeZone ?? 'UTC'}. Set \`date\` to that date, or remove it.`;
  return [apart > (timeZone === null ? 1 : 0) && { pointer: '/date', code: 'not_that_day', detail }];
}

/** Completes the time of a match: its date, and the instant for sorting (its start, else the start of its date, else the first day of its season). */
export function timesOf(
  { date, startTime, timeZone }: MatchTime,
  seasonStart: string,
): MatchTime & { readonly startsAt: string } {
  const starts = startTime === null ? null : new Date(startTime).toISOString();
  const day = date ?? (starts === null ? null : dateAt(starts, timeZone));
  const sortDay = day ?? seasonStart;
  const startsAt = starts ?? startOfDay(sortDay, isInRange(sortDay) ? timeZone : null);
  return { date: day, startTime: starts, timeZone, startsAt };
}
