/** The programs of the demo championships: events, categories and times. */
import type { DemoSex } from '../../schema/demo.ts';
import type { RaceEvent } from './races.ts';

export type PhaseName = 'HEATS' | 'SEMIFINAL' | 'FINAL';

export interface ProgrammeEvent extends RaceEvent {
  readonly sex: DemoSex;
  readonly title: string;
  readonly distanceMeters?: number;
  readonly discipline: string;
  /** Events whose athletes start; absent for all of the discipline. */
  readonly homeEvents?: readonly string[];
  readonly relay?: boolean;
  readonly course?: string;
  /** Days from the opening, and local time. */
  readonly at: Readonly<Record<PhaseName, readonly [day: number, time: string]>>;
}

const track = { sport: 'ATHLETICS', discipline: 'TRACK', start: true } as const;
const field = { sport: 'ATHLETICS', discipline: 'FIELD', start: false, laps: 1 } as const;
const pool = { sport: 'SWIMMING', discipline: 'POOL', start: true, wind: false, course: 'LONG_COURSE' } as const;

const sprints = ['100M', '200M', '400M', '100M_HURDLES', '110M_HURDLES', '400M_HURDLES'];
const distances = ['800M', '1500M', '5000M', '10000M', '3000M_STEEPLECHASE'];
const jumps = ['LONG_JUMP', 'TRIPLE_JUMP', 'HIGH_JUMP', 'POLE_VAULT'];
const throws = ['SHOT_PUT', 'DISCUS_THROW', 'HAMMER_THROW', 'JAVELIN_THROW'];

/** Over before the reference day: the meet opened two days earlier. */
const early = { HEATS: [0, '10:05'], SEMIFINAL: [0, '18:30'], FINAL: [1, '19:45'] } as const;
const short = { HEATS: [0, '11:20'], SEMIFINAL: [0, '19:10'], FINAL: [1, '18:55'] } as const;
/** The final is in the future. */
const late = { HEATS: [1, '10:40'], SEMIFINAL: [1, '18:05'], FINAL: [3, '19:30'] } as const;

export const programmes: readonly ProgrammeEvent[] = [
  {
    ...track,
    eventCode: '100M',
    sex: 'MALE',
    title: '100 metres, men',
    distanceMeters: 100,
    homeEvents: sprints,
    laps: 1,
    wind: true,
    at: early,
  },
  {
    ...track,
    eventCode: '100M',
    sex: 'FEMALE',
    title: '100 metres, women',
    distanceMeters: 100,
    homeEvents: sprints,
    laps: 1,
    wind: true,
    at: late,
  },
  {
    ...track,
    eventCode: '1500M',
    sex: 'MALE',
    title: '1500 metres, men',
    distanceMeters: 1500,
    homeEvents: distances,
    laps: 1,
    wind: false,
    start: false,
    at: short,
  },
  { ...field, eventCode: 'LONG_JUMP', sex: 'FEMALE', title: 'Long jump, women', homeEvents: jumps, wind: true, at: early },
  { ...field, eventCode: 'SHOT_PUT', sex: 'MALE', title: 'Shot put, men', homeEvents: throws, wind: false, at: late },
  { ...pool, eventCode: '100_FREE', sex: 'MALE', title: '100 metres freestyle, men', distanceMeters: 100, laps: 2, at: early },
  { ...pool, eventCode: '200_MEDLEY', sex: 'FEMALE', title: '200 metres medley, women', distanceMeters: 200, laps: 4, at: short },
  {
    ...pool,
    eventCode: '4X100_FREE',
    sex: 'MALE',
    title: '4 x 100 metres freestyle, men',
    distanceMeters: 400,
    laps: 4,
    relay: true,
    at: short,
  },
  { ...pool, eventCode: '50_FREE', sex: 'FEMALE', title: '50 metres freestyle, women', distanceMeters: 50, laps: 1, at: late },
];
