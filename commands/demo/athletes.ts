/** The athletes of the demo data: most are about 21, higher levels are rarer, and no athlete under 18 is public. */
import type { Random } from '../../platform/random.ts';
import type { DemoAthlete, DemoCompetition, DemoLevel, DemoOrganization, DemoSex } from '../../schema/demo.ts';
import type { Sport } from '../../schema/sports.ts';
import { addDays, momentBetween } from './moments.ts';
import { generateName, type DemoCountry } from './names.ts';
import { countryWeights } from './organizations.ts';
import { generateCity } from './places.ts';
import { demoSports } from './sports.ts';

export interface AthleteFrame {
  readonly number: number;
  readonly sport: Sport;
  readonly sex: DemoSex;
  readonly organization: DemoOrganization;
  readonly today: string;
  /** The competition of a sport in a country or a discipline, for a category. */
  readonly competitionOf: (sport: Sport, of: string, category: 'MEN' | 'WOMEN' | 'OPEN') => DemoCompetition | null;
}

const youngest = 15;
const oldest = 38;
const yearDays = 365.2425;

/** Log-normal above 14, mode 21: few minors, a long tail of older athletes. */
function generateAgeDays(random: Random): number {
  for (;;) {
    const age = 14 + Math.exp(random.normal(2.196, 0.5));
    if (age >= youngest + 0.01 && age < oldest + 0.99) return Math.floor(age * yearDays);
  }
}

/** Whole years between two days. */
function yearsBetween(from: string, to: string): number {
  return Number(to.slice(0, 4)) - Number(from.slice(0, 4)) - (to.slice(5) < from.slice(5) ? 1 : 0);
}

const ladder: readonly DemoLevel[] = ['GRASSROOTS', 'REGIONAL', 'NATIONAL', 'PROFESSIONAL', 'INTERNATIONAL'];
const meanAbility: Readonly<Record<DemoLevel, number>> = {
  GRASSROOTS: 0.26,
  SCHOOL: 0.3,
  REGIONAL: 0.42,
  ACADEMY: 0.48,
  NATIONAL: 0.58,
  PROFESSIONAL: 0.71,
  INTERNATIONAL: 0.8,
};

function generateLevel(random: Random, age: number, organization: DemoOrganization): DemoLevel {
  if (organization.type === 'ACADEMY') return age <= 21 ? 'ACADEMY' : 'REGIONAL';
  if (age < 18)
    return random.weighted([
      ['SCHOOL', 60],
      ['ACADEMY', 25],
      ['GRASSROOTS', 15],
    ]);
  const own = ladder.indexOf(organization.level ?? 'GRASSROOTS');
  const step = random.weighted([
    [0, 80],
    [-1, 13],
    [1, 7],
  ]);
  return ladder[Math.min(ladder.length - 1, Math.max(0, own + step))] ?? 'GRASSROOTS';
}

/** A minor is not public by default (docs/minors.md). */
function generateStanding(random: Random, age: number): Pick<DemoAthlete, 'status' | 'visibility' | 'verified'> {
  const visibility = random.weighted<DemoAthlete['visibility']>([
    ['PUBLIC', 92],
    ['ORGANIZATIONS', 6],
    ['PRIVATE', 2],
  ]);
  if (age < 18) return { status: random.chance(0.94) ? 'PENDING_CONSENT' : 'DRAFT', visibility, verified: false };
  const status = random.weighted<DemoAthlete['status']>([
    ['ACTIVE', 955],
    ['INACTIVE', 22],
    ['DRAFT', 18],
    ['SUSPENDED', 5],
  ]);
  return { status, visibility, verified: status === 'ACTIVE' && random.chance(0.3) };
}

function generatePositions(random: Random, sport: Sport, discipline: string): string[] {
  const known = demoSports[sport].positions[discipline] ?? [];
  if (known.length === 0) return [];
  const first = random.weighted(known);
  const second = random.chance(0.25) ? random.weighted(known) : first;
  return first === second || first === 'GK' || second === 'GK' ? [first] : [first, second];
}

export function generateAthlete(random: Random, frame: AthleteFrame): Omit<DemoAthlete, 'membership'> {
  const { number, sport, sex, organization, today, competitionOf } = frame;
  const id = random.uuid();
  const home = organization.country as DemoCountry; // Cast: organizations are generated from the same list of countries.
  const nationality = random.chance(0.87) ? home : random.weighted(countryWeights);
  const { givenName, familyName, displayName, native } = generateName(random, nationality, sex);
  const dateOfBirth = addDays(today, -generateAgeDays(random));
  const age = yearsBetween(dateOfBirth, today);
  const level = generateLevel(random, age, organization);
  const discipline = random.weighted(demoSports[sport].disciplines);
  const category = sex === 'MALE' ? 'MEN' : 'WOMEN';
  // the leagues are those of the main discipline
  const competes = demoSports[sport].leagues && demoSports[sport].disciplines[0]?.[0] === discipline;
  return {
    id,
    number,
    givenName,
    familyName,
    displayName,
    nativeName: native,
    sex,
    dateOfBirth,
    age,
    nationality,
    country: home,
    city: random.chance(0.7) ? organization.city : generateCity(random, home),
    sport,
    discipline,
    positions: generatePositions(random, sport, discipline),
    level,
    ability: random.normal(meanAbility[level], 0.12, 0.02, 0.98),
    ...generateStanding(random, age),
    createdAt: momentBetween(random, organization.createdAt, today),
    competition: competes
      ? competitionOf(sport, home, category)
      : demoSports[sport].leagues
        ? null
        : competitionOf(sport, discipline, 'OPEN'),
  };
}
