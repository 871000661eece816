/** Violations of filters of matches: parameters that need others, and combinations that can match nothing. */
import type { Violation } from '../../../schema/errors.ts';
import { rejectFilter, reversedRange } from '../../runtime/filter-violations.ts';
import type { MatchSort, MatchStatus, QueryMatchesArgs } from '../generated/resolvers.ts';
import { dateAt, isTimeZone } from './match-time.ts';
import { liveMatchStatuses } from './rules.ts';

type Filter = NonNullable<QueryMatchesArgs['filter']>;
type Check = Violation | false;

const dayMs = 86_400_000;
const relativeDays: Readonly<Record<string, number>> = { yesterday: -1, today: 0, tomorrow: 1 };

/** Statuses of the matches that `next` and `last` return. */
export const nextStatuses: readonly MatchStatus[] = ['SCHEDULED', 'TIMED'];
export const lastStatuses: readonly MatchStatus[] = ['FINISHED', 'AWARDED'];

/** Every status of a match. */
const matchStatuses: readonly MatchStatus[] = [
  ...nextStatuses,
  ...liveMatchStatuses,
  ...lastStatuses,
  'POSTPONED',
  'SUSPENDED',
  'ABANDONED',
  'CANCELLED',
];

/** Whether a date YYYY-MM-DD exists: `Date` reads February 31 as March 3. */
const exists = (date: string): boolean => new Date(`${date}T00:00:00Z`).toISOString().startsWith(date);

const violation = (parameter: string, code: string, detail: string): Violation => ({ parameter, code, detail });

/** The day (YYYY-MM-DD) of a date or of `today`, `yesterday` and `tomorrow`, in a time zone or UTC. */
export function dayOf(date: string, timeZone: string | null | undefined): string {
  const days = relativeDays[date];
  return days === undefined ? date : dateAt(new Date(Date.now() + days * dayMs).toISOString(), timeZone ?? 'UTC');
}

/** Whether a date depends on the current time. */
export const isRelative = (date: string): boolean => date in relativeDays;

function shortcutViolations({ next, last, updatedSince }: Filter, sort: MatchSort | null | undefined): Check[] {
  const shortcut = next ? 'next' : 'last';
  return [
    !!last && !!next && violation('last', 'one_of', 'Set either `next` or `last`.'),
    !!updatedSince &&
      !!(next ?? last) &&
      violation('updatedSince', 'one_of', 'Remove `next` and `last`: changes are sorted by their time.'),
    !!sort && !!(next ?? last) && violation('sort', 'contradiction', `Remove \`sort\`: \`${shortcut}\` has a fixed order.`),
  ];
}

function dateViolations({ date, timeZone }: Filter): Check[] {
  return [
    !!timeZone && !date && violation('timeZone', 'requires', '`timeZone` requires `date`.'),
    !!timeZone &&
      !isTimeZone(timeZone) &&
      violation('timeZone', 'format', 'The time zone is unknown. Use an IANA name, such as Europe/Berlin.'),
    !!date &&
      !isRelative(date) &&
      !exists(date) &&
      violation('date', 'format', 'The date does not exist. Use a date such as 2026-11-23.'),
  ];
}

/** The dates of one moment in two time zones are at most two days apart. */
const daysApartMax = 2;

const shifted = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);

/** A `date` outside of the range of dates. The range is local to the venues, and so is a date without a time zone. */
function outsideViolation({ date, timeZone, dateFrom, dateTo }: Filter): Check {
  if (!date || (timeZone && !isTimeZone(timeZone)) || (!isRelative(date) && !exists(date))) return false;
  const tolerance = timeZone || isRelative(date) ? daysApartMax : 0;
  const day = dayOf(date, timeZone);
  const isOutside = (!!dateFrom && shifted(day, tolerance) < dateFrom) || (!!dateTo && shifted(day, -tolerance) > dateTo);
  return isOutside && violation('date', 'contradiction', '`date` must be within `dateFrom` and `dateTo`.');
}

/** The selection of statuses that a parameter makes. */
interface StatusSelection {
  readonly parameter: string;
  readonly has: (status: MatchStatus) => boolean;
}

/** The selections of statuses in a filter. `live=false` is every status that is not live. */
function statusSelections({ status, live, next, last }: Filter): StatusSelection[] {
  const selections: (StatusSelection | false)[] = [
    typeof live === 'boolean' && { parameter: 'live', has: (each) => liveMatchStatuses.includes(each) === live },
    !!next && { parameter: 'next', has: (each) => nextStatuses.includes(each) },
    !!last && { parameter: 'last', has: (each) => lastStatuses.includes(each) },
    !!status && { parameter: 'status', has: (each) => status.includes(each) },
  ];
  return selections.filter((selection) => selection !== false);
}

/** A status, `live`, `next` and `last` that no match has at the same time. */
function statusViolation(filter: Filter): Check {
  const selections = statusSelections(filter);
  const parameter = selections.at(-1)?.parameter;
  if (parameter === undefined || matchStatuses.some((status) => selections.every(({ has }) => has(status)))) return false;
  const others = selections.slice(0, -1).map((selection) => `\`${selection.parameter}\``);
  return violation(parameter, 'contradiction', `No match has this \`${parameter}\` and this ${others.join(' and ')}.`);
}

function sideViolations({ teamId, opponentId }: Filter): Check[] {
  const isSame = !!opponentId && teamId?.length === 1 && teamId[0] === opponentId;
  return [
    !!opponentId && !teamId && violation('opponentId', 'requires', '`opponentId` requires `teamId`.'),
    isSame && violation('opponentId', 'contradiction', '`opponentId` must be another team than `teamId`.'),
  ];
}

/** Throws Problem parameter_invalid (400) for a filter that cannot match anything. `sort` is the requested order; null without one. */
export function requireValidFilter(filter: Filter, sort: MatchSort | null | undefined): void {
  const checks = [
    ...shortcutViolations(filter, sort),
    ...reversedRange(['dateFrom', filter.dateFrom], ['dateTo', filter.dateTo]),
    ...dateViolations(filter),
    outsideViolation(filter),
    statusViolation(filter),
    ...sideViolations(filter),
    !!filter.parentMatchId &&
      filter.partOfMatch === false &&
      violation('partOfMatch', 'contradiction', 'The parts of a match are no whole matches. Remove `partOfMatch`.'),
  ];
  rejectFilter(checks.filter((check) => check !== false));
}
