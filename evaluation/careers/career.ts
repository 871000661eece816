/** Synthetic careers of football players: the hidden ability in each year, and the observed seasons. */
import type { Random } from '../../platform/random.ts';
import type { Level } from '../../subgraphs/scouting/generated/resolvers.ts';
import type { PlayedSeason } from '../../subgraphs/scouting/talent/compared-values.ts';
import { levels, roles, roleWeights, type Role } from '../synthetic/athlete.ts';

export const firstYear = 2018;
export const lastYear = 2026;
const years = Array.from({ length: lastYear - firstYear + 1 }, (_, index) => firstYear + index);

interface Year {
  /** Mean of the skills, which have a normal distribution for each sex. */
  readonly ability: number;
  /** Level played at, from 0 (GRASSROOTS) to 6 (PROFESSIONAL). It follows the ability with a delay and with noise. */
  readonly standard: number;
  /** Observed season. Null if none was recorded. */
  readonly season: PlayedSeason | null;
  readonly level: Level | null;
}

export interface Career {
  readonly id: string;
  readonly sex: 'MALE' | 'FEMALE';
  readonly role: Role;
  readonly birthYear: number;
  readonly quarter: 1 | 2 | 3 | 4;
  readonly verified: boolean;
  readonly followers: number;
  /** Higher values are newer. */
  readonly registered: number;
  readonly years: ReadonlyMap<number, Year>;
}

const clamp = (value: number, min: number, max: number): number => Math.min(max, Math.max(min, value));

/**
 * Skill at an age. It approaches an individual peak at an individual pace and declines from the age of 29. Late developers start below
 * their age group and overtake it.
 */
function skillAt(age: number, peak: number, pace: number, start: number): number {
  const developed = peak - (peak - start) * Math.exp(-pace * Math.max(0, age - 14));
  return developed - 0.08 * Math.max(0, age - 29);
}

function seasonOf(
  year: number,
  matches: number,
  skills: ReadonlyMap<string, number>,
  role: Role,
  standard: number,
  random: Random,
): PlayedSeason {
  const counts = Object.entries<number>(roles[role].counted).map(([key, perMatch]) => {
    // The same skill produces less at a higher level.
    const expected = matches * perMatch * Math.exp(0.4 * ((skills.get(key) ?? 0) - 0.35 * (standard - 3)));
    return { key, value: Math.max(0, Math.round(random.normal(expected, Math.sqrt(expected)))) };
  });
  return {
    sport: 'FOOTBALL',
    seasonId: `league ${year}`,
    competitionId: 'league',
    eventCode: null,
    source: 'COMPUTED',
    matchesPlayed: matches,
    minutesPlayed: null,
    matchesTimed: null,
    asOf: `${year}-06-30`,
    metrics: [{ key: 'matchesPlayed', value: matches }, ...counts],
  };
}

/** Generates a career, deterministically for a random source. Athletes born late in the year play less and at a lower level when young, regardless of ability. */
export function generateCareer(random: Random): Career {
  const role = random.weighted(roleWeights);
  const birthYear = random.integer(firstYear - 25, lastYear - 20);
  const quarter = random.integer(1, 4) as Career['quarter'];
  const quality = random.normal(0, 1);
  const pace = random.normal(0.2, 0.08, 0.05, 0.5);
  const start = random.normal(-1.5, 0.5);
  const skills = Object.keys(roles[role].counted).map((key) => [key, 0.8 * quality + random.normal(0, 0.5)] as const);
  const luck = random.normal(0, 0.6);
  let form = 0;
  const careerYears = years.map((year) => {
    const age = year - birthYear;
    // Form carries over from year to year. An injury lowers it occasionally.
    form = 0.6 * form + random.normal(0, 0.2) - (random.chance(0.04) ? 0.6 : 0);
    const current = new Map(skills.map(([key, peak]) => [key, skillAt(age, peak, pace, start) + form] as const));
    const ability = [...current.values()].reduce((sum, each) => sum + each, 0) / current.size;
    const late = age < 24 ? (quarter - 2.5) / 1.5 : 0;
    const standard = clamp(3.2 + 1.1 * ability + luck - 0.3 * late, 0, 6);
    const matches = Math.round(random.normal(20 - 3 * late, 8, 1, 38));
    return [
      year,
      {
        ability,
        standard,
        season: random.chance(0.15) ? null : seasonOf(year, matches, current, role, standard, random),
        level: random.chance(0.2) ? null : (levels[clamp(Math.round(random.normal(standard, 0.4)), 0, 6)] ?? null),
      },
    ] as const;
  });
  return {
    id: random.uuid(),
    sex: random.pick(['MALE', 'FEMALE'] as const),
    role,
    birthYear,
    quarter,
    verified: random.chance(0.3),
    followers: Math.round(Math.exp(random.normal(4 + 0.4 * quality, 1))),
    registered: random.fraction(),
    years: new Map(careerYears),
  };
}
