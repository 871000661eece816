/** The name of a calendar of matches: that of the team, season, competition or participant that its filter selects. */
import type { Row } from './calendar.ts';
import { participantName, recordsIn, textAt } from './match-event.ts';

type Filter = Readonly<Record<string, unknown>>;

/** The only value of a parameter; null for none or several. */
function onlyId(value: unknown): string | null {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  const [first] = values;
  return values.length === 1 && typeof first === 'string' ? first.toLowerCase() : null;
}

/** The name of the side whose ID at a path is that of the filter. */
function sideName(rows: readonly Row[], id: string | null, ...path: readonly string[]): string | null {
  if (id === null) return null;
  const sides = rows.flatMap((row) => recordsIn(row['participants']));
  const found = sides.find((side) => textAt(side, ...path, 'id') === id);
  return found === undefined ? null : participantName(found);
}

/** The name for a calendar program; null where the filter selects several teams or competitions, or nothing. */
export function matchCalendarName(filter: Filter, rows: readonly Row[]): string | null {
  const side =
    sideName(rows, onlyId(filter['teamId']), 'participant', 'team') ??
    sideName(rows, onlyId(filter['athleteId']), 'participant', 'athlete') ??
    sideName(rows, onlyId(filter['participantId']), 'participant');
  if (side !== null) return side;
  const [row] = rows;
  const competition = textAt(row, 'season', 'competition', 'name');
  const parts = [
    ['contestId', textAt(row, 'contest', 'name')],
    ['stageId', textAt(row, 'stage', 'name')],
  ] as const;
  const isOfSeason = ['seasonId', 'contestId', 'stageId'].some((name) => onlyId(filter[name]) !== null);
  if (!isOfSeason) return onlyId(filter['competitionId']) === null ? null : competition;
  const part = parts.flatMap(([name, text]) => (onlyId(filter[name]) !== null && text !== null ? [text] : []));
  return [competition, textAt(row, 'season', 'name'), ...part].filter((text) => text !== null).join(' ') || null;
}
