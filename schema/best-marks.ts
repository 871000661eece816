/** The best marks ever recorded by event, and the limit beyond which a mark is a typing error. */
import type { EventRow } from './event-codes.ts';
import type { Sport } from './sports.ts';

const secondMs = 1000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/**
 * The best marks of men and women in canonical units, rounded to the better side, as a plausibility limit and not as a list of records.
 * Sources: World Athletics, world records and world bests, with the javelin of before 1986; World Para Athletics, wheelchair races, which are
 * faster from 800 m on; World Aquatics, world records in the shorter course; UCI, world records on the track. Events whose courses or
 * lengths differ (road races, cross-country, open water) have no limit.
 */
const bestMarks: Readonly<Partial<Record<Sport, Readonly<Record<string, number>>>>> = {
  ATHLETICS: {
    '50M': 5.5 * secondMs,
    '55M': 5.9 * secondMs,
    '60M': 6.3 * secondMs,
    '100M': 9.5 * secondMs,
    '200M': 19 * secondMs,
    '300M': 30 * secondMs,
    '400M': 42 * secondMs,
    '500M': 55 * secondMs,
    '600M': 68 * secondMs,
    '800M': 85 * secondMs,
    '1000M': 110 * secondMs,
    '1500M': 160 * secondMs,
    MILE: 175 * secondMs,
    '2000M': 220 * secondMs,
    '3000M': 330 * secondMs,
    '2_MILES': 360 * secondMs,
    '5000M': 9 * minuteMs,
    '10000M': 17 * minuteMs,
    '50M_HURDLES': 6.2 * secondMs,
    '60M_HURDLES': 7.2 * secondMs,
    '100M_HURDLES': 12 * secondMs,
    '110M_HURDLES': 12.5 * secondMs,
    '300M_HURDLES': 32 * secondMs,
    '400M_HURDLES': 45 * secondMs,
    '2000M_STEEPLECHASE': 300 * secondMs,
    '3000M_STEEPLECHASE': 470 * secondMs,
    '4X100M': 31 * secondMs,
    '4X200M': 78 * secondMs,
    '4X400M': 172 * secondMs,
    '4X800M': 420 * secondMs,
    '4X1500M': 860 * secondMs,
    DISTANCE_MEDLEY: 550 * secondMs,
    '3000M_WALK': 10.5 * minuteMs,
    '5000M_WALK': 17.9 * minuteMs,
    '10000M_WALK': 37 * minuteMs,
    HIGH_JUMP: 2_450,
    POLE_VAULT: 6_310,
    LONG_JUMP: 8_990,
    TRIPLE_JUMP: 18_430,
    SHOT_PUT: 24_500,
    DISCUS_THROW: 78_000,
    HAMMER_THROW: 88_000,
    JAVELIN_THROW: 104_800,
    WEIGHT_THROW: 36_000,
    CLUB_THROW: 40_000,
    '5K_ROAD': 9 * minuteMs,
    MILE_ROAD: 170 * secondMs,
    '10K_ROAD': 17 * minuteMs,
    '15K_ROAD': 27 * minuteMs,
    '10_MILES_ROAD': 29 * minuteMs,
    '20K_ROAD': 36 * minuteMs,
    '50K_ROAD': 1.5 * hourMs,
    '100K_ROAD': 3.5 * hourMs,
    HALF_MARATHON: 38 * minuteMs,
    MARATHON: 75 * minuteMs,
    '10K_WALK': 37 * minuteMs,
    '20K_WALK': 75 * minuteMs,
    '35K_WALK': 140 * minuteMs,
    '50K_WALK': 210 * minuteMs,
    HALF_MARATHON_WALK: 79 * minuteMs,
    MARATHON_WALK: 170 * minuteMs,
    DECATHLON: 9_200,
    HEPTATHLON: 7_300,
    HEPTATHLON_SHORT_TRACK: 6_700,
    PENTATHLON: 5_100,
    PENTATHLON_SHORT_TRACK: 5_100,
  },
  SWIMMING: {
    '50_FREE': 19.9 * secondMs,
    '100_FREE': 44.5 * secondMs,
    '200_FREE': 98 * secondMs,
    '400_FREE': 210 * secondMs,
    '800_FREE': 440 * secondMs,
    '1500_FREE': 840 * secondMs,
    '25_FREE': 9 * secondMs,
    '50_BACK': 22 * secondMs,
    '100_BACK': 48 * secondMs,
    '200_BACK': 105 * secondMs,
    '50_BREAST': 24.5 * secondMs,
    '100_BREAST': 55 * secondMs,
    '200_BREAST': 119 * secondMs,
    '50_FLY': 21 * secondMs,
    '100_FLY': 47 * secondMs,
    '200_FLY': 106 * secondMs,
    '75_MEDLEY': 33 * secondMs,
    '100_MEDLEY': 49 * secondMs,
    '150_MEDLEY': 80 * secondMs,
    '200_MEDLEY': 108 * secondMs,
    '400_MEDLEY': 232 * secondMs,
    '4X50_FREE': 80 * secondMs,
    '4X25_FREE': 37 * secondMs,
    '4X100_FREE': 180 * secondMs,
    '4X200_FREE': 400 * secondMs,
    '4X50_MEDLEY': 88 * secondMs,
    '4X100_MEDLEY': 197 * secondMs,
  },
  CYCLING: {
    TEAM_SPRINT: 31 * secondMs,
    KILOMETRE_TIME_TRIAL: 32 * secondMs,
    INDIVIDUAL_PURSUIT: 125 * secondMs,
    TEAM_PURSUIT: 190 * secondMs,
  },
};

/** How much better than the best known mark a mark can be: no record was ever improved by a tenth. */
const margin = 0.1;

/** The limit of a mark and the best known mark, in the canonical unit of the event. Null for an event without one. */
export function markLimit(sport: Sport, eventCode: string | null, direction: EventRow['direction']) {
  const best = eventCode === null ? undefined : bestMarks[sport]?.[eventCode];
  if (best === undefined) return null;
  return { best, limit: Math.round(best * (direction === 'LOWER_IS_BETTER' ? 1 - margin : 1 + margin)) };
}
