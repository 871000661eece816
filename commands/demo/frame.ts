/** What every edition of a competition is made of, and what its parts have in common. */
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

/** Where clocks of a country show what a fixture list says: the zone of its capital or largest city. */
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
  /** Null where only the day is known: what is more than three weeks away. */
  readonly startTime: string | null;
  readonly timeZone: string;
  readonly status: DemoMatch['status'];
  /** When its result is written; null while it has none. */
  readonly recordedAt: string | null;
}

const knownDays = 21;

/** When something starts at a place, and whether it was over when the day the world stands at began. */
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
