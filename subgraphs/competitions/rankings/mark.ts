/** Marks: integers in a canonical unit (ms, mm, points), their notation, and their comparison. */
import type { EventRow } from '../../../schema/event-codes.ts';
import { eventOf, type Sport } from '../../../schema/sports.ts';
import { type Compare } from './placing.ts';
import { readable, unreadable, type Reading } from './reading.ts';

export type MarkUnit = NonNullable<EventRow['mark']>;
export type Direction = Exclude<EventRow['direction'], 'NEUTRAL'>;

export interface MarkRule {
  readonly unit: MarkUnit;
  readonly direction: Direction;
}

/** The unit and direction of an event; undefined where bouts or places decide, and for an unknown code. */
export function markRuleOf(sport: Sport, eventCode: string): MarkRule | undefined {
  const event = eventOf(sport, eventCode);
  if (!event?.mark || event.direction === 'NEUTRAL') return undefined;
  return { unit: event.mark, direction: event.direction };
}

/** Sorts better marks first. */
export const betterFirst = (direction: Direction): Compare<number> =>
  direction === 'LOWER_IS_BETTER' ? (one, other) => one - other : (one, other) => other - one;

const patterns: Readonly<Record<MarkUnit, RegExp>> = {
  ms: /^(?:(?:(?<hours>\d+):(?=\d\d:))?(?<minutes>\d+):(?=\d\d(?!\d)))?(?<whole>\d+)(?:\.(?<fraction>\d{1,3}))?$/,
  mm: /^(?<whole>\d+)(?:\.(?<fraction>\d{1,3}))?(?: ?m)?$/,
  points: /^(?<whole>\d+)$/,
};

const examples: Readonly<Record<MarkUnit, string>> = {
  ms: 'A time has the format 9.58, 2:09.41 or 2:01:09.',
  mm: 'A distance has the format 8.95, in meters.',
  points: 'Points are a whole number, such as 8847.',
};

/**
 * Parses a mark: `2:09.41` is 129410 ms, `8.95` (meters) is 8950 mm, `8847` is 8847 points.
 * Never rounds: a fourth decimal is an error. Violations: `mark_unreadable`, `mark_out_of_range`.
 */
export function readMark(text: string, unit: MarkUnit): Reading<number> {
  const parts = patterns[unit].exec(text.trim())?.groups;
  if (!parts) return unreadable({ code: 'mark_unreadable', detail: `The mark is not valid. ${examples[unit]}` });
  const whole = Number(parts.whole);
  const minutes = Number(parts.minutes ?? 0);
  if ((parts.minutes !== undefined && whole > 59) || (parts.hours !== undefined && minutes > 59)) {
    return unreadable({
      code: 'mark_out_of_range',
      detail: `"${text}" has more than 59 seconds in a minute or minutes in an hour.`,
    });
  }
  if (unit === 'points') return safe(text, whole);
  const seconds = (Number(parts.hours ?? 0) * 60 + minutes) * 60 + whole;
  return safe(text, seconds * 1000 + Number((parts.fraction ?? '').padEnd(3, '0')));
}

function safe(text: string, value: number): Reading<number> {
  if (Number.isSafeInteger(value)) return readable(value);
  return unreadable({ code: 'mark_out_of_range', detail: `"${text}" is too large.` });
}

/**
 * Formats a mark: times and distances with two decimals, or with three where the third is not zero; whole seconds without decimals
 * from one hour on (World Athletics C2.1 TR19.24: road times are in whole seconds). `readMark` parses it to the same value.
 */
export function displayMark(value: number, unit: MarkUnit): string {
  if (unit === 'points') return String(value);
  const whole = Math.floor(value / 1000);
  const thousandths = value % 1000;
  const decimals = thousandths % 10 === 0 ? two(thousandths / 10) : String(thousandths).padStart(3, '0');
  if (unit === 'mm') return `${whole}.${decimals}`;
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  const seconds = whole % 60;
  if (hours > 0) return `${hours}:${two(minutes)}:${two(seconds)}${thousandths === 0 ? '' : `.${decimals}`}`;
  return whole < 60 ? `${seconds}.${decimals}` : `${minutes}:${two(seconds)}.${decimals}`;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** Reasons for a missing mark (IPTC Sport Schema), in the order of a result sheet: longest participation first. */
export const invalidResultMarks = ['DNF', 'OTL', 'NM', 'NH', 'DSQ', 'WDR', 'DNS'] as const;
export type InvalidResultMark = (typeof invalidResultMarks)[number];
