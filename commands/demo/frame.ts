/** The parts shared by all editions of a competition. */
import type { Random } from '../../platform/random.ts';
import type { DemoCompetition, DemoSeason } from '../../schema/demo.ts';
import type { DemoMatch } from '../../schema/demo-edition.ts';
import { addDays, addMinutes, momentAt } from './moments.ts';
import type { Cast } from './cast.ts';
import type { DemoCountry } from './names.ts';

export interface EditionFrame {
  readonly random: Random;
  readonly today: string;
  readonly competition: DemoCompetition;
  readonly season: DemoSeason;
  readonly cast: Cast;
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
