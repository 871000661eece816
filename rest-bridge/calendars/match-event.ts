/** The event of a match: its participants, with the score once it has one. */
import { isRecord } from '../../schema/records.ts';
import type { CalendarEvent, Row } from './calendar.ts';

const textAt = (value: unknown, ...path: readonly string[]): string | null => {
  const found = path.reduce<unknown>((each, name) => (isRecord(each) ? each[name] : undefined), value);
  return typeof found === 'string' && found !== '' ? found : null;
};

const recordsIn = (value: unknown): readonly Row[] => (Array.isArray(value) ? value.filter(isRecord) : []);

/** The names of a pair: "Ada Quillon / Ben Zarela". Null without members. */
function membersOf({ participant }: Row): string | null {
  const members = recordsIn(isRecord(participant) ? participant['members'] : null);
  return (
    members
      .map((member) => textAt(member, 'displayName'))
      .filter((name) => name !== null)
      .join(' / ') || null
  );
}

const nameOf = (entry: Row): string =>
  textAt(entry, 'participant', 'name') ??
  textAt(entry, 'participant', 'team', 'name') ??
  textAt(entry, 'participant', 'athlete', 'displayName') ??
  membersOf(entry) ??
  textAt(entry, 'placeholder', 'text') ??
  'To be decided';

/** ` 2-1`; empty without the scores of two sides. */
function scoreOf({ result }: Row): string {
  const scores = recordsIn(isRecord(result) ? result['participants'] : null).map(({ score }) => score);
  return scores.length === 2 && scores.every((score) => typeof score === 'number') ? ` ${scores.join('-')}` : '';
}

const sidesMax = 4;

function summaryOf(row: Row): string {
  const names = recordsIn(row['participants']).map(nameOf);
  if (names.length === 2) return `${names.join(' – ')}${scoreOf(row)}`;
  const title = [textAt(row, 'contest', 'name'), textAt(row, 'round') ?? textAt(row, 'stage', 'name')].filter(Boolean).join(', ');
  return names.length > 0 && names.length <= sidesMax ? `${title}: ${names.join(', ')}` : title;
}

const statuses: Readonly<Record<string, CalendarEvent['status']>> = {
  CANCELLED: 'CANCELLED',
  POSTPONED: 'TENTATIVE',
  SCHEDULED: 'TENTATIVE',
};

/** Calendars need an end, which is not known before: two hours. */
const durationMin = 120;

/** The event of a row of `GET /competitions/matches`. Null without a date. */
export function matchEvent(row: Row): CalendarEvent | null {
  const start = textAt(row, 'startTime') ?? textAt(row, 'date');
  if (start === null) return null;
  const details = [
    [textAt(row, 'season', 'competition', 'name'), textAt(row, 'season', 'name')],
    [textAt(row, 'stage', 'name'), textAt(row, 'group'), textAt(row, 'round')],
    [textAt(row, 'status') === 'POSTPONED' ? 'Postponed' : null, textAt(row, 'statusReason')],
  ];
  const place = ['name', 'city', 'country'].map((name) => textAt(row, 'venue', name)).filter(Boolean);
  return {
    id: String(row['id']),
    version: Number(row['version']),
    updatedAt: String(row['updatedAt']),
    start,
    durationMin,
    summary: summaryOf(row),
    description: details
      .map((line) => line.filter(Boolean).join(', '))
      .filter((line) => line !== '')
      .join('\n'),
    location: place.length > 0 ? place.join(', ') : null,
    status: statuses[String(row['status'])] ?? 'CONFIRMED',
  };
}
