/** Generates marks of demo athletes by event. The reference is an elite mark, about the final of a national championship. */
import { openRandom, type Random } from '../../../platform/random.ts';
import type { DemoAthlete } from '../../../schema/demo.ts';
import { bestMetrics } from '../../../schema/metrics.ts';
import { eventOf } from '../../../schema/sports.ts';

/** Elite marks by discipline and event as [men, women], in seconds, meters or points. Null if the event does not exist for the sex. */
const elite: Readonly<Record<string, Readonly<Record<string, readonly [number | null, number | null]>>>> = {
  TRACK: {
    '100M': [10.3, 11.5],
    '200M': [20.8, 23.4],
    '400M': [46, 52.5],
    '800M': [107, 122],
    '1500M': [219, 250],
    '5000M': [820, 945],
    '10000M': [1720, 1990],
    '110M_HURDLES': [13.7, null],
    '100M_HURDLES': [null, 13.2],
    '400M_HURDLES': [50, 57],
    '3000M_STEEPLECHASE': [510, 590],
  },
  FIELD: {
    HIGH_JUMP: [2.22, 1.86],
    POLE_VAULT: [5.55, 4.4],
    LONG_JUMP: [7.85, 6.45],
    TRIPLE_JUMP: [16.3, 13.7],
    SHOT_PUT: [19.2, 16.8],
    DISCUS_THROW: [60, 56],
    HAMMER_THROW: [71, 66],
    JAVELIN_THROW: [77, 57],
  },
  ROAD: { '10K_ROAD': [1740, 1980], HALF_MARATHON: [3780, 4320], MARATHON: [7980, 9120], '20K_WALK': [4920, 5520] },
  COMBINED: { DECATHLON: [7750, null], HEPTATHLON: [null, 5900] },
  POOL: {
    '50_FREE': [22.4, 25.3],
    '100_FREE': [49.2, 55.2],
    '200_FREE': [108, 119],
    '400_FREE': [229, 250],
    '800_FREE': [475, 514],
    '1500_FREE': [912, 985],
    '100_BACK': [54.2, 60.8],
    '200_BACK': [118, 131],
    '100_BREAST': [60.6, 68],
    '200_BREAST': [132, 147],
    '100_FLY': [52.3, 58.6],
    '200_FLY': [117, 130],
    '200_MEDLEY': [119.5, 133],
    '400_MEDLEY': [254, 281],
  },
  OPEN_WATER: { '5K_OPEN_WATER': [3300, 3540], '10K_OPEN_WATER': [6700, 7150] },
};

/** The main event of an athlete, always the same for an athlete. Null in sports without marks. */
export function homeEvent({ id, sport, discipline, sex }: DemoAthlete): string | null {
  if (sport !== 'ATHLETICS' && sport !== 'SWIMMING') return null;
  const of = sex === 'MALE' ? 0 : 1;
  const events = Object.entries(elite[discipline] ?? {}).filter(([, marks]) => marks[of] !== null);
  return events.length === 0 ? null : openRandom(`${id}/event`).pick(events)[0];
}

/** The elite mark of an event in its canonical unit. Null if the event does not exist for the sex. */
export function eliteMark({ discipline, sex }: DemoAthlete, eventCode: string, mark: 'ms' | 'mm' | 'points'): number | null {
  const best = elite[discipline]?.[eventCode]?.[sex === 'MALE' ? 0 : 1];
  return typeof best === 'number' ? best * (mark === 'points' ? 1 : 1000) : null;
}

/** Relative spread of marks below the elite mark. Field events spread more than races. */
export const spreads = { ms: 0.2, mm: 0.28, points: 0.3 } as const;

/**
 * Season best and personal best of an event, as metrics of the registry.
 * @param counted the metrics that the matches of the season determine; null for a season without matches
 */
export function generateMarks(
  random: Random,
  athlete: DemoAthlete,
  eventCode: string,
  counted: Readonly<Record<string, number>> | null,
): Record<string, number> {
  const { sport, ability } = athlete;
  const mark = eventOf(sport, eventCode)?.mark;
  const canonical = mark ? eliteMark(athlete, eventCode, mark) : null;
  if (!mark || canonical === null) return {};
  const missing = (1 - ability) * spreads[mark] * random.normal(1, 0.1, 0.7, 1.3);
  const form = random.normal(0.012, 0.008, 0, 0.04);
  const better = mark === 'ms' ? 1 : -1;
  // round to hundredths of a second, centimeters or points
  const round = (value: number) => (mark === 'points' ? Math.round(value) : Math.round(value / 10) * 10);
  const season = round(canonical * (1 + better * missing) * (1 + better * form));
  const personal = round(canonical * (1 + better * missing));
  const { personal: personalKey, season: seasonKey } = bestMetrics[mark];
  if (counted === null) return { [personalKey]: personal, [seasonKey]: season };
  const reached = counted[seasonKey];
  // an athlete without a valid mark in the season
  if (reached === undefined) return {};
  return { [personalKey]: mark === 'ms' ? Math.min(personal, reached) : Math.max(personal, reached), [seasonKey]: reached };
}
