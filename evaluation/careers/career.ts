/** Planted careers of footballers: what somebody can do in each year of life, which nobody sees, and seasons that tell of it. */
import type { Random } from '../../platform/random.ts';
import type { Level } from '../../subgraphs/scouting/resolvers.generated.ts';
import type { PlayedSeason } from '../../subgraphs/scouting/talent/compared-values.ts';
import { levels, roles, roleWeights, type Role } from '../synthetic/athlete.ts';

export const firstYear = 2018;
export const lastYear = 2026;
const years = Array.from({ length: lastYear - firstYear + 1 }, (_, index) => firstYear + index);

interface Year {
  /** The mean of the skills, which are normally distributed among those of a sex. */
  readonly ability: number;
  /** Where somebody plays, from 0 (GRASSROOTS) to 6 (PROFESSIONAL): it follows the ability late, and not always. */
  readonly standard: number;
  /** What is counted of it; null where nothing is. */
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
  /** The higher the newer. */
  readonly registered: number;
  readonly years: ReadonlyMap<number, Year>;
}

const kept = (value: number, min: number, max: number): number => Math.min(max, Math.max(min, value));

/**
 * Skill at an age: it rises to a height of one's own at a pace of one's own, holds, and falls from about 29 on.
 * Who rises late is below others of the same age, and passes them.
 */
function curve(age: number, height: number, pace: number, start: number): number {
  const risen = height - (height - start) * Math.exp(-pace * Math.max(0, age - 14));
  return risen - 0.08 * Math.max(0, age - 29);
}

function seasonOf(
  year: number,
  matches: number,
  skills: ReadonlyMap<string, number>,
  role: Role,
  standard: number,
  random: Random,
): PlayedSeason {
  const counts = Object.entries<number>(roles[role].counted).map(([key, often]) => {
    // it is harder where better ones play
    const expected = matches * often * Math.exp(0.4 * ((skills.get(key) ?? 0) - 0.35 * (standard - 3)));
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

/** A career; the same source makes the same. Who is born late in the year plays less and lower when young, whatever he can do. */
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
  const told = years.map((year) => {
    const age = year - birthYear;
    // what stays of a good or a bad year, and now and then an injury that leaves something behind
    form = 0.6 * form + random.normal(0, 0.2) - (random.chance(0.04) ? 0.6 : 0);
    const now = new Map(skills.map(([key, height]) => [key, curve(age, height, pace, start) + form] as const));
    const ability = [...now.values()].reduce((sum, each) => sum + each, 0) / now.size;
    const late = age < 24 ? (quarter - 2.5) / 1.5 : 0;
    const standard = kept(3.2 + 1.1 * ability + luck - 0.3 * late, 0, 6);
    const matches = Math.round(random.normal(20 - 3 * late, 8, 1, 38));
    return [
      year,
      {
        ability,
        standard,
        season: random.chance(0.15) ? null : seasonOf(year, matches, now, role, standard, random),
        level: random.chance(0.2) ? null : (levels[kept(Math.round(random.normal(standard, 0.4)), 0, 6)] ?? null),
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
    years: new Map(told),
  };
}
