/** Calendar files (RFC 5545) of lists: which lists have one, and the event of each row. */
import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import { matchCalendarName } from './match-calendar-name.ts';
import { matchEvent } from './match-event.ts';
import { opportunityEvent } from './opportunity-event.ts';

export type Row = Readonly<Record<string, unknown>>;

/** An event of a calendar. */
export interface CalendarEvent {
  readonly id: string;
  readonly version: number;
  /** ISO 8601. */
  readonly updatedAt: string;
  /** An instant (ISO 8601), or a date YYYY-MM-DD for an event of a whole day. */
  readonly start: string;
  /** Minutes. Of an event that starts at an instant. */
  readonly durationMin: number;
  readonly summary: string;
  readonly description: string;
  readonly location: string | null;
  readonly status: 'CONFIRMED' | 'TENTATIVE' | 'CANCELLED';
}

export interface Calendar {
  /** The name of a calendar whose rows do not give a better one. */
  readonly name: string;
  /** The name from the filter and the rows; null without one. */
  readonly nameOf?: (filter: Readonly<Record<string, unknown>>, rows: readonly Row[]) => string | null;
  /** The order in which the rows are read, latest first: of a long list the calendar has the latest events. */
  readonly sort: string;
  /** Parameters of which a request sets at least one. Empty: none is required. */
  readonly scopes: readonly string[];
  /** Null for a row that is not on a date. */
  readonly eventOf: (row: Row) => CalendarEvent | null;
}

/** The calendars by the name of the operation that lists their rows. The path of the list ends in `.ics` then. */
export const calendars: Readonly<Record<string, Calendar>> = {
  listMatches: {
    name: 'Matches',
    sort: 'START_TIME_DESC',
    scopes: ['competitionId', 'seasonId', 'contestId', 'stageId', 'teamId', 'participantId', 'athleteId', 'ids'],
    nameOf: matchCalendarName,
    eventOf: matchEvent,
  },
  listOpportunities: { name: 'Application deadlines', sort: 'CREATED_AT_DESC', scopes: [], eventOf: opportunityEvent },
};

/** How often a calendar program should read the file again. */
const refreshSeconds = 3600;

/** The file of some events, in the order of their start. Equal events have an equal file. */
export function calendarText(name: string, events: readonly CalendarEvent[], urlOf: (id: string) => string): string {
  const calendar = ical({
    name,
    prodId: { company: 'Talent platform', product: 'Calendars', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: refreshSeconds,
  });
  const sorted = events.toSorted((one, other) => (one.start + one.id < other.start + other.id ? -1 : 1));
  for (const { id, version, updatedAt, start, durationMin, summary, description, location, status } of sorted) {
    const begins = new Date(start);
    const allDay = !start.includes('T');
    const event = calendar.createEvent({
      id,
      sequence: version,
      stamp: new Date(updatedAt),
      lastModified: new Date(updatedAt),
      start: begins,
      allDay,
      ...(allDay ? {} : { end: new Date(begins.getTime() + durationMin * 60_000) }),
      summary,
      description,
      url: urlOf(id),
      status: ICalEventStatus[status],
    });
    if (location !== null) event.location(location);
  }
  return calendar.toString();
}
