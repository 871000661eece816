/** The event of a match: its participants, with the score or the winner once it has a result. */
import { isRecord } from '../../schema/records.ts';
import type { CalendarEvent, Row } from './calendar.ts';

export const textAt = (value: unknown, ...path: readonly string[]): string | null => {
  const found = path.reduce<unknown>((each, name) => (isRecord(each) ? each[name] : undefined), value);
  return typeof found === 'string' && found !== '' ? found : null;
};

export const recordsIn = (value: unknown): readonly Row[] => (Array.isArray(value) ? value.filter(isRecord) : []);

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

/** The name of a side; null while it is not known. */
export const participantName = (entry: Row): string | null =>
  textAt(entry, 'participant', 'name') ??
  textAt(entry, 'participant', 'team', 'name') ??
  textAt(entry, 'participant', 'athlete', 'displayName') ??
  membersOf(entry);

const nameOf = (entry: Row): string => participantName(entry) ?? textAt(entry, 'placeholder', 'text') ?? 'To be decided';

const numberAt = (value: unknown, name: string): number => {
  const found = isRecord(value) ? value[name] : null;
  return typeof found === 'number' ? found : 0;
};

const isAnnulled = (row: Row): boolean => textAt(row, 'result', 'status') === 'ANNULLED';

/** ` 2-1`, ` 1-1 (Rot wins)` where the score does not show the winner, or empty without a result that counts. */
function scoreOf(row: Row): string {
  const { result } = row;
  if (!isRecord(result) || isAnnulled(row)) return '';
  const parts = recordsIn(result['participants']);
  const scores = parts.flatMap(({ score }) => (typeof score === 'number' ? [score] : []));
  const text = parts.length === 2 && scores.length === 2 ? ` ${scores.join('-')}` : '';
  const index = parts.findIndex(({ outcome }) => outcome === 'WIN');
  const others = scores.filter((_, place) => place !== index);
  const isShown = text !== '' && others.every((score) => score < (scores[index] ?? score));
  const winnerId = textAt(parts[index], 'participant', 'id');
  const winner = recordsIn(row['participants']).find((entry) => textAt(entry, 'participant', 'id') === winnerId);
  return winnerId === null || isShown || !winner ? text : `${text} (${nameOf(winner)} wins)`;
}

/** The later of the times of a match and its result: both change its event. */
function updatedAtOf(row: Row): string {
  const times = [String(row['updatedAt']), textAt(row, 'result', 'updatedAt') ?? ''];
  return times.toSorted().at(-1) ?? '';
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
    [isAnnulled(row) ? 'Result annulled' : null],
    [textAt(row, 'status') === 'POSTPONED' ? 'Postponed' : null, textAt(row, 'statusReason')],
  ];
  const place = ['name', 'city', 'country'].map((name) => textAt(row, 'venue', name)).filter(Boolean);
  return {
    id: String(row['id']),
    version: numberAt(row, 'version') + numberAt(row['result'], 'version'),
    updatedAt: updatedAtOf(row),
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
