/** Reads the match files of openfootball (football.json, worldcup.json): rounds, dates, teams, scores and goals. */
import { keyOf } from './key.ts';
import { isRecord } from './problem.ts';
import type { Rejection } from './row.ts';
import { parseJson } from './source-file.ts';

export type Pair = readonly [number, number];

export interface Score {
  /** After 90 minutes. */
  readonly full: Pair;
  readonly half: Pair | null;
  /** After extra time. */
  readonly extra: Pair | null;
  readonly shootout: Pair | null;
}

export interface Goal {
  readonly minute: number;
  readonly addedMinute: number | null;
  readonly kind: 'GOAL' | 'OWN_GOAL' | 'PENALTY_GOAL';
}

export interface Fixture {
  /** Position in the file: `match 12`. */
  readonly place: string;
  readonly number: number | null;
  readonly round: string;
  readonly group: string | null;
  readonly date: string;
  /** Local time, `HH:MM`. */
  readonly time: string | null;
  /** Offset of the local time, `+03:00`. */
  readonly offset: string | null;
  readonly teams: readonly [string, string];
  readonly score: Score | null;
  /** Goals that count for the first and for the second team. */
  readonly goals: readonly [readonly Goal[], readonly Goal[]];
  readonly ground: string | null;
}

export interface FootballFile {
  readonly name: string;
  readonly fixtures: readonly Fixture[];
  readonly rejected: readonly Rejection[];
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
const teamOf = (value: unknown): string => textOf(isRecord(value) ? value.name : value);
const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && value >= 0;

function pairOf(value: unknown): Pair | null {
  const [one, other] = Array.isArray(value) ? (value as unknown[]) : [];
  return isCount(one) && isCount(other) ? [one, other] : null;
}

const scorePattern = /^\s*(\d{1,3})\s*[-–:]\s*(\d{1,3})\s*$/;

/** The score as an object; a text (`2-1`) or a pair is the score after 90 minutes. */
function scoreFacts(value: unknown): Record<string, unknown> {
  if (isRecord(value)) return value;
  const [, one, other] = typeof value === 'string' ? (scorePattern.exec(value) ?? []) : [];
  return { ft: one === undefined ? value : [Number(one), Number(other)] };
}

function scoreOf(value: unknown): Score | null {
  const facts = scoreFacts(value);
  const full = pairOf(facts.ft);
  return full && { full, half: pairOf(facts.ht), extra: pairOf(facts.et), shootout: pairOf(facts.p) };
}

function goalsOf(value: unknown): Goal[] {
  return (Array.isArray(value) ? value : []).filter(isRecord).flatMap(({ minute, offset, owngoal, penalty }) =>
    isCount(minute)
      ? [
          {
            minute,
            addedMinute: isCount(offset) ? offset : null,
            kind: owngoal === true ? 'OWN_GOAL' : penalty === true ? 'PENALTY_GOAL' : 'GOAL',
          } as const,
        ]
      : [],
  );
}

/** True for a YYYY-MM-DD that is a calendar day. */
function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

const timePattern = /^([01]?\d|2[0-3]):([0-5]\d)(?: UTC([+-])(\d{1,2})(?::([0-5]\d))?)?$/;

/** The local time of a match and its UTC offset; null for a text in another format. */
function timeOf(text: string): Pick<Fixture, 'time' | 'offset'> | null {
  if (text === '') return { time: null, offset: null };
  const match = timePattern.exec(text);
  if (match === null) return null;
  const [, hour = '', minute = '', sign, offsetHour = '', offsetMinute = '00'] = match;
  return {
    time: `${hour.padStart(2, '0')}:${minute}`,
    offset: sign === undefined ? null : `${sign}${offsetHour.padStart(2, '0')}:${offsetMinute}`,
  };
}

const hasScore = (value: unknown): boolean => {
  const { ft } = scoreFacts(value);
  return ft !== undefined && ft !== null && ft !== '';
};

/** Optional details of a match, which cannot make it invalid. */
function detailsOf(entry: Record<string, unknown>): Pick<Fixture, 'number' | 'round' | 'group' | 'goals' | 'ground'> {
  return {
    number: isCount(entry.num) ? entry.num : null,
    round: textOf(entry.round),
    group: textOf(entry.group) || null,
    goals: [goalsOf(entry.goals1), goalsOf(entry.goals2)],
    ground: textOf(entry.ground) || null,
  };
}

/** More goals of a side than in any match of a league: the record is 36-0 (Arbroath, 1885). */
const goalsMax = 40;

/** Why a score is impossible: periods above the score that follows them, or a level shoot-out. */
function scoreReasons({ full, half, extra, shootout }: Score): string[] {
  const exceeds = (part: Pair | null, whole: Pair | null): part is Pair =>
    part !== null && whole !== null && (part[0] > whole[0] || part[1] > whole[1]);
  const text = (pair: Pair | null): string => pair?.join('-') ?? '';
  return [
    ...(exceeds(half, full) ? [`half-time ${text(half)} exceeds full-time ${text(full)}`] : []),
    ...(exceeds(full, extra) ? [`full-time ${text(full)} exceeds the score after extra time, ${text(extra)}`] : []),
    ...(shootout !== null && shootout[0] === shootout[1] ? [`the shoot-out ${text(shootout)} has no winner`] : []),
    ...([...full, ...(extra ?? [])].some((goals) => goals > goalsMax)
      ? [`the score ${text(extra ?? full)} is not plausible: a side has at most ${goalsMax} goals`]
      : []),
  ];
}

function fixtureOf(value: unknown, index: number): Fixture | Rejection {
  const entry = isRecord(value) ? value : {};
  const place = `match ${index + 1}`;
  const teams = [teamOf(entry.team1), teamOf(entry.team2)] as const;
  const date = textOf(entry.date);
  const time = timeOf(textOf(entry.time));
  const score = scoreOf(entry.score);
  const reasons = [
    ...(teams.includes('') ? ['two teams are required'] : []),
    ...(isDay(date) ? [] : [`date is not a calendar day: ${date || '(empty)'}`]),
    ...(time === null ? [`time is not HH:MM: ${textOf(entry.time)}`] : []),
    ...(hasScore(entry.score) && score === null ? ['score is invalid'] : []),
    ...(teams[0] !== '' && keyOf(teams[0]) === keyOf(teams[1]) ? [`${teams[0]} cannot play against itself`] : []),
    ...(score === null ? [] : scoreReasons(score)),
  ];
  if (time === null || reasons.length > 0) return { place, label: teams.join(' – '), reasons };
  return { place, date, teams, score, ...time, ...detailsOf(entry) };
}

const yearOf = ({ date }: Fixture): number => Number(date.slice(0, 4));

/** Rejects matches that are more than a year away from the others: the year is a typing error. */
function withPlausibleYears(entries: readonly (Fixture | Rejection)[]): (Fixture | Rejection)[] {
  const years = entries
    .filter((entry) => 'teams' in entry)
    .map(yearOf)
    .toSorted((one, other) => one - other);
  const middle = years[Math.floor(years.length / 2)] ?? 0;
  return entries.map((entry) =>
    'teams' in entry && Math.abs(yearOf(entry) - middle) > 1
      ? {
          place: entry.place,
          label: entry.teams.join(' – '),
          reasons: [`the year of ${entry.date} is not plausible: most matches are in ${middle}`],
        }
      : entry,
  );
}

/**
 * Reads the text of a match file.
 * @throws {Error} when it is not a JSON object with a name and matches.
 */
export function readFootball(text: string): FootballFile {
  const file: unknown = parseJson(text);
  if (!isRecord(file) || !Array.isArray(file.matches) || textOf(file.name) === '')
    throw new Error('The file has no name and matches: it does not have the format of football.json');
  const entries = withPlausibleYears(file.matches.map(fixtureOf));
  return {
    name: textOf(file.name),
    fixtures: entries.filter((entry) => 'teams' in entry),
    rejected: entries.filter((entry) => 'reasons' in entry),
  };
}

/** `English Premier League 2018/19` names a competition and its season; a name without a year is used for both. */
export function readTitle(name: string): { competition: string; season: string } {
  const [, competition, season] = /^(.*\S)\s+(\d{4}(?:[/-]\d{2,4})?)$/.exec(name) ?? [];
  return { competition: competition ?? name, season: season ?? name };
}

/**
 * The start of a match as an instant, from its own offset or in the given time zone; null when only the day is known.
 * @throws {RangeError} for an unknown time zone.
 */
export function startTimeOf({ date, time, offset }: Fixture, timeZone: string | null): string | null {
  if (time === null || (offset === null && timeZone === null)) return null;
  return offset === null
    ? Temporal.PlainDateTime.from(`${date}T${time}`)
        .toZonedDateTime(timeZone ?? 'UTC')
        .toInstant()
        .toString()
    : Temporal.Instant.from(`${date}T${time}${offset}`).toString();
}

/** The number of `Matchday 12`; null for a round with another name. */
export function matchdayOf(round: string): number | null {
  const [, number] = /^Matchday (\d+)$/i.exec(round) ?? [];
  return number === undefined ? null : Number(number);
}

const minus = ([one, other]: Pair, [first, second]: Pair): Pair => [one - first, other - second];

/** A score in the format of the API, for two participants. */
export function resultOf({ full, half, extra, shootout }: Score, participantIds: readonly [string, string]) {
  const periods = half === null ? [] : [half, minus(full, half), ...(extra === null ? [] : [minus(extra, full)])];
  const final = extra ?? full;
  const part = (side: 0 | 1) => ({
    participantId: participantIds[side],
    score: final[side],
    ...(shootout !== null && { shootoutScore: shootout[side] }),
    ...(periods.length > 0 && { periodScores: periods.map((period) => period[side]) }),
  });
  const duration = shootout !== null ? 'PENALTY_SHOOTOUT' : extra !== null ? 'EXTRA_TIME' : 'REGULAR';
  return { status: 'OFFICIAL', duration, participants: [part(0), part(1)] };
}
