/** The event of an opportunity: its application deadline. */
import { isRecord } from '../../schema/records.ts';
import type { CalendarEvent, Row } from './calendar.ts';

/** Calendars show an event of no duration badly. */
const durationMin = 15;

/** The event of a row of `GET /opportunities`. Null without a deadline. */
export function opportunityEvent(row: Row): CalendarEvent | null {
  const { applicationDeadline, organization, title, venue } = row;
  if (typeof applicationDeadline !== 'string') return null;
  const from = isRecord(organization) && typeof organization['name'] === 'string' ? organization['name'] : '';
  return {
    id: String(row['id']),
    version: Number(row['version']),
    updatedAt: String(row['updatedAt']),
    start: applicationDeadline,
    durationMin,
    summary: `Application deadline: ${String(title)}`,
    description: from,
    location: typeof venue === 'string' ? venue : null,
    status: row['status'] === 'CANCELLED' || row['status'] === 'WITHDRAWN' ? 'CANCELLED' : 'CONFIRMED',
  };
}
