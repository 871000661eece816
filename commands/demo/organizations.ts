/** The organizations of the demo data: mostly clubs of one sport, some academies, universities with several sports, a few recruiters. */
import type { Random } from '../../platform/random.ts';
import type { DemoLevel, DemoOrganization } from '../../schema/demo.ts';
import { sports, type Sport } from '../../schema/sports.ts';
import { addDays, momentBetween } from './moments.ts';
import type { DemoCountry } from './names.ts';
import { coordinatesOf } from './coordinates.ts';
import { generateCity, generateClubName, generateUniversityName } from './places.ts';
import { demoSportNames, demoSports } from './sports.ts';

type OrganizationType = DemoOrganization['type'];

const types: readonly (readonly [OrganizationType, number])[] = [
  ['CLUB', 68],
  ['ACADEMY', 14],
  ['UNIVERSITY', 13],
  ['RECRUITER', 5],
];
const shareWithAthletes = 0.95;

export const countryWeights: readonly (readonly [DemoCountry, number])[] = [
  ['DE', 11],
  ['GB', 11],
  ['US', 11],
  ['ES', 9],
  ['FR', 9],
  ['BR', 9],
  ['IT', 8],
  ['AR', 5],
  ['NL', 5],
  ['PL', 5],
  ['SE', 4],
  ['JP', 4],
  ['NG', 3],
  ['KE', 2],
  ['KR', 2],
  ['GR', 2],
];

const clubLevels: readonly (readonly [DemoLevel, number])[] = [
  ['GRASSROOTS', 40],
  ['REGIONAL', 31],
  ['NATIONAL', 15],
  ['PROFESSIONAL', 10],
  ['INTERNATIONAL', 4],
];
const universityLevels: readonly (readonly [DemoLevel, number])[] = [
  ['REGIONAL', 62],
  ['NATIONAL', 38],
];

/** Fractions of the golden ratio are evenly spread from the start, so small demo data also covers every sport. */
function spread(index: number, offset: number): number {
  return (offset + index * 0.618_033_988_749_895) % 1;
}

function atFraction<Item>(items: readonly (readonly [Item, number])[], fraction: number): Item {
  let left = fraction * items.reduce((sum, [, weight]) => sum + weight, 0);
  const found = items.find(([, weight]) => (left -= weight) < 0) ?? items[0];
  if (!found) throw new RangeError('There is nothing to choose from.');
  return found[0];
}

const sportWeights = demoSportNames.map((sport) => [sport, demoSports[sport].weight] as const);

function generateSports(random: Random, type: OrganizationType, index: number): Sport[] {
  const [first, more] = [
    atFraction(sportWeights, spread(index, 0.1)),
    type === 'UNIVERSITY' ? random.integer(2, 4) : type === 'ACADEMY' ? 0 : random.chance(0.15) ? random.integer(1, 2) : 0,
  ];
  const others = random.sample(
    demoSportNames.filter((sport) => sport !== first),
    more,
  );
  return [first, ...others];
}

function generateName(
  random: Random,
  organization: { type: OrganizationType; country: DemoCountry; city: string; sport: Sport },
): string {
  const { type, country, city, sport } = organization;
  if (type === 'UNIVERSITY') return generateUniversityName(random, country, city);
  if (type === 'RECRUITER')
    return `${random.pick(['Northstar', 'Bluebird', 'Longview', 'Open Door', 'Clearwater', 'Second Wind'])} Scouting ${city}`;
  const club = generateClubName(random, country, city);
  return type === 'ACADEMY' ? `${club} ${sports[sport].title} Academy` : club;
}

export interface OrganizationFrame {
  readonly today: string;
  /** Fixes the type, which is random otherwise. */
  readonly type: OrganizationType | null;
  /** There are more organizations than names, so names include the founding year. */
  readonly many: boolean;
}

export function generateOrganization(
  random: Random,
  index: number,
  { today, type: given, many }: OrganizationFrame,
): DemoOrganization {
  const id = random.uuid();
  const type = given ?? (index === 0 ? 'CLUB' : atFraction(types, random.fraction()));
  const country = random.weighted(countryWeights);
  const city = generateCity(random, country);
  const offered = generateSports(random, type, index);
  const name = generateName(random, { type, country, city, sport: offered[0] ?? 'FOOTBALL' });
  const foundedYear = type === 'RECRUITER' ? random.integer(1995, 2020) : Math.round(random.normal(1948, 32, 1863, 2022));
  const level =
    type === 'RECRUITER'
      ? null
      : type === 'ACADEMY'
        ? 'ACADEMY'
        : random.weighted(type === 'UNIVERSITY' ? universityLevels : clubLevels);
  return {
    id,
    number: index + 1,
    type,
    name: many ? `${name} ${foundedYear}` : name,
    foundedYear,
    country,
    city,
    coordinates: coordinatesOf(country, city),
    sports: offered,
    level,
    verified: random.chance(0.6),
    safeguarded: type !== 'RECRUITER' && random.chance(0.6),
    createdAt: momentBetween(random, addDays(today, -730), addDays(today, -120)),
  };
}

/** How many of the remaining athletes belong to this organization. */
export function sizeOf(random: Random, { type }: DemoOrganization, left: number, organizationsLeft: number): number {
  if (type === 'RECRUITER') return 0;
  const fair = left / Math.max(1, organizationsLeft * shareWithAthletes);
  return Math.min(left, Math.round(fair * (0.5 + random.fraction())));
}
