/** The parts shared by all editions of a competition. */
import type { Random } from '../../platform/random.ts';
import type { DemoCompetition, DemoSeason } from '../../schema/demo.ts';
import type { DemoContest, DemoUncountedEdition, DemoMatch, DemoParticipant, DemoResult } from '../../schema/demo-edition.ts';
import { addDays, addMinutes, momentAt } from './moments.ts';
import type { Roster, RosterAthlete } from './roster.ts';
import type { DemoCountry } from './names.ts';

export interface EditionFrame {
  readonly random: Random;
  readonly today: string;
  readonly competition: DemoCompetition;
  readonly season: DemoSeason;
  readonly roster: Roster;
}

/** Time zone of a country for fixture times: that of its capital or largest city. */
const timeZones: Readonly<Record<DemoCountry, string>> = {
  AR: 'America/Argentina/Buenos_Aires',
  BR: 'America/Sao_Paulo',
  DE: 'Europe/Berlin',
  ES: 'Europe/Madrid',
  FR: 'Europe/Paris',
  GB: 'Europe/London',
  GR: 'Europe/Athens',
  IT: 'Europe/Rome',
  JP: 'Asia/Tokyo',
  KE: 'Africa/Nairobi',
  KR: 'Asia/Seoul',
  NG: 'Africa/Lagos',
  NL: 'Europe/Amsterdam',
  PL: 'Europe/Warsaw',
  SE: 'Europe/Stockholm',
  US: 'America/New_York',
};

export interface Place {
  readonly city: string;
  readonly country: DemoCountry;
}

export interface Kickoff {
  readonly date: string;
  /** Null when only the day is known: more than three weeks ahead. */
  readonly startTime: string | null;
  readonly timeZone: string;
  readonly status: DemoMatch['status'];
  /** Time at which its result is written; null without a result. */
  readonly recordedAt: string | null;
}

const knownDays = 21;

/** The start of a match at a place, and whether it was over at the start of the reference day. */
export function kickoff(
  today: string,
  day: string,
  time: string,
  { country }: Pick<Place, 'country'>,
  lastsMinutes: number,
): Kickoff {
  const timeZone = timeZones[country];
  const startTime = momentAt(day, time, timeZone);
  const over = addMinutes(startTime, lastsMinutes);
  if (over <= `${today}T00:00:00.000Z`) return { date: day, startTime, timeZone, status: 'FINISHED', recordedAt: over };
  const known = day <= addDays(today, knownDays);
  return { date: day, startTime: known ? startTime : null, timeZone, status: known ? 'TIMED' : 'SCHEDULED', recordedAt: null };
}

/** When a match takes place, as members of the match. */
export const scheduleOf = ({ date, startTime, timeZone, status }: Kickoff) => ({ date, startTime, timeZone, status });

/** The official result of a match; no member while the match has no result. */
export function officialResult(
  random: Random,
  { recordedAt }: Pick<Kickoff, 'recordedAt'>,
  details: Pick<DemoResult, 'endedBy' | 'scoreText'> = {},
): Pick<DemoMatch, 'result'> {
  return recordedAt === null ? {} : { result: { id: random.uuid(), status: 'OFFICIAL', at: recordedAt, ...details } };
}

/** The participant that an athlete is in a contest. */
export function athleteParticipant(random: Random, contestId: string, { athlete, team }: RosterAthlete) {
  return {
    id: random.uuid(),
    contestId,
    type: 'ATHLETE',
    athleteId: athlete.id,
    representsCountry: athlete.nationality,
    ...(team && { representsTeamId: team.id }),
  } as const satisfies DemoParticipant;
}

/** A contest with its participants and matches. */
export interface GeneratedContest {
  readonly contest: DemoContest;
  readonly participants: readonly DemoParticipant[];
  readonly matches: readonly DemoMatch[];
}

/** The edition that consists of these contests; null without contests. */
export function editionOf(
  { competition, season }: EditionFrame,
  contests: readonly GeneratedContest[],
): DemoUncountedEdition | null {
  if (contests.length === 0) return null;
  return {
    competition,
    season,
    contests: contests.map(({ contest }) => contest),
    participants: contests.flatMap(({ participants }) => participants),
    matches: contests.flatMap(({ matches }) => matches),
    adjustments: [],
  };
}
