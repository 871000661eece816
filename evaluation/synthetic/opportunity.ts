/** A synthetic opportunity: the hidden needs of its organization, and the published requirements. */
import type { Random } from '../../platform/random.ts';
import type { OpportunityFacts, Requirement } from '../../subgraphs/scouting/matching/facts.ts';
import { levels, roles, roleWeights, types, type Role } from './athlete.ts';
import { places, type Place } from './places.ts';

export interface SyntheticOpportunity {
  readonly index: number;
  readonly facts: OpportunityFacts;
  readonly hidden: {
    /** True level, from 0 to 6. */
    readonly standard: number;
    /** Required skill. */
    readonly need: number;
    /** Weight of each skill by metric, including unpublished ones. */
    readonly counts: ReadonlyMap<string, number>;
    /** Preference for potential over present skill, from 0 to 1. */
    readonly patience: number;
    /** Importance of the language, from 0 to 1. */
    readonly talk: number;
    readonly heightCm: number;
    readonly place: Place;
    /** Pay and support. */
    readonly support: number;
  };
  /** Higher values are newer. */
  readonly published: number;
  /** Number of applications so far. It depends on the level. */
  readonly applications: number;
}

const matchesOfSeason = 18;

/** The published requirements: some of the skills, with values near the required skill. */
function requirementsOf(role: Role, need: number, random: Random): Requirement[] {
  const counted: readonly (readonly [string, number])[] = Object.entries(roles[role].counted);
  return random.sample(counted, random.integer(0, 2)).map(([metricKey, perMatch]) => ({
    metricKey,
    attribute: null,
    operator: 'GTE',
    value: Math.max(1, Math.round(perMatch * matchesOfSeason * Math.exp(0.4 * random.normal(need - 0.5, 0.4)))),
    mandatory: random.chance(0.1),
    weight: random.chance(0.3) ? 2 : null,
  }));
}

/** Generates the opportunity of an index, deterministically for a random source. */
export function generateOpportunity(index: number, random: Random): SyntheticOpportunity {
  const role = random.weighted(roleWeights);
  const place = random.pick(places);
  const standard = random.normal(3, 1.3, 0, 6);
  const need = (standard - 3) / 1.6;
  const type = random.pick(types);
  const exact = random.pick(roles[role].exact);
  const youngest = random.integer(18, 22);
  const heightCm = random.integer(172, 190);
  const hasProfile = random.chance(0.35);
  return {
    index,
    facts: {
      id: random.uuid(),
      type,
      sport: 'FOOTBALL',
      disciplines: [],
      positions: [random.chance(0.4) ? exact : role],
      sex: random.weighted([
        ['MALE', 4],
        ['FEMALE', 4],
        [null, 4],
      ] as const),
      ageRange: random.chance(0.8) ? { min: youngest, max: youngest + random.integer(3, 8), referenceDate: null } : null,
      nationalities: [],
      country: random.chance(0.95) ? place.country : null,
      startDate: '2027-03-01',
      applicationDeadline: '2027-01-31T22:00:00.000Z',
      requirements: requirementsOf(role, need, random.fork('requirements')),
      languages: random.chance(0.6) ? [place.language] : [],
      minorsAllowed: false,
      academic: null,
      profile: hasProfile
        ? {
            positions: [],
            ageRange: null,
            heightMinCm: random.chance(0.6) ? heightCm : null,
            dominantFoot: random.chance(0.3) ? 'LEFT' : null,
            metrics: [],
          }
        : null,
      organization: random.chance(0.85)
        ? { level: levels[Math.min(6, Math.max(0, Math.round(random.normal(standard, 0.5))))] ?? 'REGIONAL' }
        : null,
    },
    hidden: {
      standard,
      need,
      counts: new Map(Object.keys(roles[role].counted).map((metric) => [metric, 0.3 + random.fraction()] as const)),
      patience: random.fraction(),
      talk: random.fraction(),
      heightCm,
      place,
      support: random.normal(0, 1),
    },
    published: random.fraction(),
    applications: Math.round(Math.exp(random.normal(2 + 0.25 * standard, 0.8))),
  };
}
