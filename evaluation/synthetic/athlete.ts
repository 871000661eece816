/** A synthetic football player: hidden properties, complete data, and the visible data with noise and gaps. */
import type { Random } from '../../platform/random.ts';
import type { AthleteFacts, StatisticsFacts } from '../../subgraphs/scouting/matching/facts.ts';
import { places, type Place } from './places.ts';

export const levels = ['GRASSROOTS', 'SCHOOL', 'ACADEMY', 'REGIONAL', 'NATIONAL', 'INTERNATIONAL', 'PROFESSIONAL'] as const;
export const types = ['SCHOLARSHIP', 'TRIAL', 'SHOWCASE', 'TALENT_REQUEST'] as const;

/** The exact positions of each position group, and the mean counts per match of a player with average skill. */
export const roles = {
  GK: { exact: ['GK'], counted: { saves: 3, cleanSheets: 0.3 } },
  DF: { exact: ['RB', 'CB', 'LB'], counted: { tacklesWon: 2, interceptions: 1.5 } },
  MF: { exact: ['DM', 'CM', 'AM'], counted: { assists: 0.25, interceptions: 1, tacklesWon: 1.2 } },
  FW: { exact: ['RW', 'LW', 'ST'], counted: { goals: 0.4, assists: 0.2, shotsOnTarget: 1.1 } },
} as const satisfies Record<string, { exact: readonly string[]; counted: Readonly<Record<string, number>> }>;

export type Role = keyof typeof roles;

/** Frequency of each role. */
export const roleWeights = [
  ['GK', 1],
  ['DF', 3],
  ['MF', 3],
  ['FW', 3],
] as const satisfies readonly (readonly [Role, number])[];

export const today = '2026-11-21';
const year = 2026;

/** Hidden properties. Skills have a normal distribution for each sex. */
export interface Hidden {
  readonly role: Role;
  readonly age: number;
  /** By metric. */
  readonly skills: ReadonlyMap<string, number>;
  /** Potential for development. */
  readonly potential: number;
  /** Training attitude and teamwork. */
  readonly character: number;
  /** True level, from 0 (GRASSROOTS) to 6 (PROFESSIONAL). */
  readonly standard: number;
  readonly home: Place;
  /** Willingness to move, from 0 to 1. */
  readonly mobility: number;
  readonly ambition: number;
  readonly heightCm: number;
  readonly speaks: readonly string[];
  /** Preference by type of opportunity, from 0 to 1. */
  readonly tastes: ReadonlyMap<string, number>;
}

export interface SyntheticAthlete {
  readonly index: number;
  readonly hidden: Hidden;
  /** Complete data. It decides the true eligibility. */
  readonly complete: AthleteFacts;
  /** Data that the platform has. Rankings use nothing else. */
  readonly visible: AthleteFacts;
  readonly quarter: 1 | 2 | 3 | 4;
  readonly sex: 'MALE' | 'FEMALE';
  /** Higher values are newer. */
  readonly registered: number;
  readonly followers: number;
}

const clamp = (value: number, min: number, max: number): number => Math.min(max, Math.max(min, value));

function hiddenOf(random: Random, quality: number): Hidden {
  const role = random.weighted(roleWeights);
  const home = random.pick(places);
  const age = random.integer(18, 29);
  const skills = new Map(
    Object.keys(roles[role].counted).map((metric) => [metric, 0.7 * quality + 0.7 * random.normal(0, 1)] as const),
  );
  return {
    role,
    age,
    skills,
    potential: 0.5 * quality + random.normal(0, 0.85),
    character: random.normal(0, 1),
    standard: clamp(2.6 + 1.1 * quality + (age - 22) * 0.08 + random.normal(0, 0.7), 0, 6),
    home,
    mobility: random.fraction(),
    ambition: random.fraction(),
    heightCm: Math.round(random.normal(role === 'GK' ? 186 : 178, 7)),
    speaks: [
      home.language,
      ...(random.chance(0.45) ? ['en'] : []),
      ...(random.chance(0.15) ? [random.pick(places).language] : []),
    ],
    tastes: new Map(types.map((type) => [type, random.fraction()] as const)),
  };
}

/** The counts of a season with a number of matches. */
function season(hidden: Hidden, matches: number, random: Random): Map<string, number> {
  const counts = Object.entries<number>(roles[hidden.role].counted).map(([metric, perMatch]) => {
    const expected = matches * perMatch * Math.exp(0.4 * (hidden.skills.get(metric) ?? 0));
    return [metric, Math.max(0, Math.round(random.normal(expected, Math.sqrt(expected))))] as const;
  });
  return new Map([['matchesPlayed', matches], ...counts]);
}

/** Season statistics without percentiles, which require all athletes (percentiles.ts). */
const statisticsOf = (counts: ReadonlyMap<string, number>): StatisticsFacts[] => {
  if (counts.size === 0) return [];
  const metrics = [...counts].map(([key, value]) => ({ key, value, percentile: null, cohort: null }));
  const matches = counts.get('matchesPlayed') ?? 1;
  return [{ scope: 'SEASON', sport: 'FOOTBALL', eventCode: null, source: 'COMPUTED', asOf: '2026-06-30', matches, metrics }];
};

function relocation(mobility: number): 'NONE' | 'NATIONAL' | 'INTERNATIONAL' {
  if (mobility < 0.25) return 'NONE';
  return mobility < 0.5 ? 'NATIONAL' : 'INTERNATIONAL';
}

function levelOf(standard: number): (typeof levels)[number] {
  return levels[clamp(Math.round(standard), 0, 6)] ?? 'REGIONAL';
}

function completeFacts(random: Random, hidden: Hidden, sex: SyntheticAthlete['sex'], born: string): AthleteFacts {
  const { role, home, heightCm, speaks, tastes, mobility, standard } = hidden;
  const matches = random.integer(16, 34);
  return {
    id: random.uuid(),
    ageGroup: 'SENIOR',
    dateOfBirth: born,
    birthYear: Number(born.slice(0, 4)),
    sex,
    nationalities: [home.country],
    residence: { country: home.country },
    sports: [
      {
        sport: 'FOOTBALL',
        discipline: 'ASSOCIATION',
        positions: [random.pick(roles[role].exact)],
        level: levelOf(standard),
        yearsExperience: Math.max(1, hidden.age - 10),
      },
    ],
    heightCm,
    weightKg: null,
    dominantFoot: random.weighted([
      ['RIGHT', 7],
      ['LEFT', 2],
      ['BOTH', 1],
    ] as const),
    education: null,
    availability: {
      openToOpportunities: true,
      from: null,
      types: types.filter((type) => (tastes.get(type) ?? 0) > 0.5),
      relocation: relocation(mobility),
    },
    languages: [...new Set(speaks)],
    statistics: statisticsOf(season(hidden, matches, random)),
  };
}

/** The availability as the athlete last published it. */
function visibleAvailability(availability: AthleteFacts['availability'], { mobility }: Hidden, random: Random) {
  return (
    availability && {
      ...availability,
      // Some athletes are open to opportunities but have not updated their profile.
      openToOpportunities: !random.chance(0.05),
      relocation: relocation(clamp(mobility + random.normal(0, 0.15), 0, 1)),
    }
  );
}

/**
 * The visible data. Athletes born late in the year have played less and at a lower level, and fewer statistics of women are recorded,
 * regardless of skill. A fair ranking compensates for that.
 */
function visibleFacts(complete: AthleteFacts, hidden: Hidden, quarter: number, random: Random): AthleteFacts {
  const late = (quarter - 2.5) / 1.5;
  const [sport] = complete.sports;
  const matches = Math.round(random.normal(18 - 3 * late, 8, 2, 34));
  const isCounted = !random.chance(complete.sex === 'FEMALE' ? 0.35 : 0.2);
  const counts = isCounted
    ? [...season(hidden, matches, random)].filter(([key]) => key === 'matchesPlayed' || !random.chance(0.15))
    : [];
  const positions = sport?.positions ?? [];
  return {
    ...complete,
    dateOfBirth: random.chance(0.15) ? null : complete.dateOfBirth,
    residence: random.chance(0.1) ? null : complete.residence,
    sports: [
      {
        sport: 'FOOTBALL',
        discipline: 'ASSOCIATION',
        positions: random.weighted([
          [positions, 7],
          [[hidden.role], 2],
          [[], 1],
        ]),
        level: random.chance(0.25) ? null : levelOf(hidden.standard - 0.3 * late + random.normal(0, 0.6)),
        yearsExperience: random.chance(0.4) ? null : (sport?.yearsExperience ?? null),
      },
    ],
    heightCm: random.chance(0.3) ? null : complete.heightCm,
    dominantFoot: random.chance(0.3) ? null : complete.dominantFoot,
    availability: random.chance(0.35) ? null : visibleAvailability(complete.availability, hidden, random),
    languages: random.chance(0.4) ? [] : complete.languages,
    statistics: statisticsOf(new Map(counts)),
  };
}

/** Generates the athlete of an index, deterministically for a random source. */
export function generateAthlete(index: number, random: Random): SyntheticAthlete {
  const sex = random.pick(['MALE', 'FEMALE'] as const);
  const quality = random.normal(0, 1);
  const hidden = hiddenOf(random.fork('hidden'), quality);
  const month = random.integer(1, 12);
  // With a birthday later this year, the birth year is one year earlier.
  const turned = month < 11 ? 0 : 1;
  const born = `${year - hidden.age - turned}-${String(month).padStart(2, '0')}-28`;
  const complete = completeFacts(random.fork('complete'), hidden, sex, born);
  const quarter = Math.ceil(month / 3) as SyntheticAthlete['quarter'];
  return {
    index,
    hidden,
    complete,
    visible: visibleFacts(complete, hidden, quarter, random.fork('seen')),
    quarter,
    sex,
    registered: random.fraction(),
    followers: Math.round(Math.exp(random.normal(4 + 0.5 * quality, 1))),
  };
}
