/** Selects the participants of the demo competitions: clubs, national teams and athletes of the first squads. */
import type { Random } from '../../platform/random.ts';
import type { DemoAthlete, DemoOrganization, DemoSex, DemoSquad, DemoTeam } from '../../schema/demo.ts';
import type { Sport } from '../../schema/sports.ts';
import { isShown } from '../../subgraphs/runtime/area-seed.ts';
import { sportNames } from '../../schema/sports.ts';
import { leagueTeams } from './internationals.ts';
import { addDays } from './moments.ts';
import { nationalTeamId } from './national-teams.ts';
import { countryWeights, generateOrganization } from './organizations.ts';
import { generateCity } from './places.ts';
import { demoSports } from './sports.ts';
import type { DemoCountry } from './names.ts';

/** A side of a match. */
export interface Club {
  readonly name: string;
  readonly teamId: string;
  /** City of the home ground, or of the country it represents. */
  readonly country: DemoCountry;
  readonly city: string;
  /** Adults, the best first. */
  readonly players: readonly DemoAthlete[];
  /** 0..1 */
  readonly strength: number;
}

export interface RosterAthlete {
  readonly athlete: DemoAthlete;
  readonly team: { readonly id: string; readonly name: string } | null;
}

export interface Roster {
  /** Clubs of each league of the sport's main discipline, the highest division first; guests fill the remaining places. */
  leagues(sport: Sport, sex: DemoSex): readonly (readonly Club[])[];
  /** Clubs without athletes that only play in a league. */
  readonly guests: readonly DemoSquad[];
  /** National teams of citizens; countries with most players first. */
  nations(sport: Sport, sex: DemoSex, count: number): Club[];
  /** Public adults, the best first. */
  athletes(sport: Sport, sex: DemoSex): readonly RosterAthlete[];
}

/** Number of squads to read: enough for every sport, and bounded, so that the matches of large demo data are, too. */
const squadsMax = 120;
const teamSize = 16;

const better = (one: DemoAthlete, other: DemoAthlete): number => other.ability - one.ability || one.number - other.number;

const plays = ({ status, age }: DemoAthlete): boolean => age >= 18 && (status === 'ACTIVE' || status === 'INACTIVE');

/** A team with few players is weaker than its players. */
function strengthOf(players: readonly DemoAthlete[]): number {
  const best = players.slice(0, 11);
  const sum = best.reduce((total, { ability }) => total + ability, 0);
  return (sum + 4 * 0.45) / (best.length + 4);
}

interface FoundClub extends Club {
  readonly organization: DemoOrganization;
}

function clubsOf({ organization, teams, athletes }: DemoSquad, sport: Sport, sex: DemoSex): FoundClub[] {
  const [discipline] = demoSports[sport].disciplines[0] ?? [''];
  const team = teams.find(
    (each) =>
      each.sport === sport &&
      each.discipline === discipline &&
      each.category === (sex === 'MALE' ? 'MEN' : 'WOMEN') &&
      each.ageGroup === 'SENIOR',
  );
  if (!team) return [];
  const players = athletes
    .filter((each) => plays(each) && each.sport === sport && each.sex === sex && each.discipline === discipline)
    .filter(({ membership }) => membership?.status === 'ACTIVE')
    .toSorted(better)
    .slice(0, teamSize);
  const { city, country } = organization;
  return [
    {
      organization,
      name: team.name,
      teamId: team.id,
      country: country as DemoCountry, // Cast: organizations are generated from the same list of countries.
      city,
      players,
      strength: strengthOf(players),
    },
  ];
}

/** A club with a team without members. */
function generateGuest(random: Random, sport: Sport, sex: DemoSex, { number, today, taken }: GuestFrame): DemoSquad {
  for (;;) {
    const base = generateOrganization(random, number - 1, { today, type: 'CLUB', many: false });
    const organization: DemoOrganization = { ...base, sports: [sport], level: 'INTERNATIONAL' };
    const name = sex === 'FEMALE' ? `${base.name} Women` : base.name;
    if (taken.has(name)) continue;
    const team: DemoTeam = {
      id: random.uuid(),
      name,
      sport,
      discipline: demoSports[sport].disciplines[0]?.[0] ?? null,
      category: sex === 'MALE' ? 'MEN' : 'WOMEN',
      ageGroup: 'SENIOR',
      createdAt: organization.createdAt > addDays(today, -120) ? organization.createdAt : `${addDays(today, -120)}T09:00:00.000Z`,
    };
    return { organization, teams: [team], athletes: [] };
  }
}

interface GuestFrame {
  readonly number: number;
  readonly today: string;
  /** Names that are already in use. */
  readonly taken: ReadonlySet<string>;
}

export interface RosterFrame {
  readonly today: string;
  /** Number of the first guest; lower numbers are in use. */
  readonly firstNumber: number;
  readonly nameOf: (country: DemoCountry) => string;
}

/** Clubs with most players first; clubs come before schools. */
function foundClubs(squads: readonly DemoSquad[], sport: Sport, sex: DemoSex): FoundClub[] {
  return squads
    .flatMap((squad) => clubsOf(squad, sport, sex))
    .toSorted(
      (one, other) =>
        Number(other.organization.type === 'CLUB') - Number(one.organization.type === 'CLUB') ||
        other.players.length - one.players.length ||
        one.organization.number - other.organization.number,
    );
}

/** With fewer clubs there is no further division. */
const divisionMin = 4;
/** A club with fewer players is in no lower division. */
const squadMin = 3;
/** Guests complete a lower division to this number of clubs. */
const divisionCompleted = 6;

/** The clubs of each division: the highest one has all its places, even without clubs, and the lowest one is small. */
function divisionsOf(clubs: readonly Club[], places: number): { readonly clubs: readonly Club[]; readonly places: number }[] {
  const [first = [], ...lower] = Array.from({ length: Math.ceil(clubs.length / places) }, (_, index) =>
    clubs.slice(index * places, (index + 1) * places).filter(({ players }) => index === 0 || players.length >= squadMin),
  );
  const further = lower.filter(({ length }) => length >= divisionMin);
  return [
    { clubs: first, places },
    ...further.map((each) => ({ clubs: each, places: Math.max(divisionCompleted, each.length) })),
  ];
}

interface NationsFrame extends Pick<RosterFrame, 'nameOf'> {
  readonly sport: Sport;
  readonly sex: DemoSex;
  readonly count: number;
  readonly random: Random;
}

/** National teams of the countries with most players. */
function nationsOf(athletes: readonly DemoAthlete[], { sport, sex, count, random, nameOf }: NationsFrame): Club[] {
  const [discipline] = demoSports[sport].disciplines[0] ?? [''];
  const able = athletes.filter(
    (each) => plays(each) && each.sport === sport && each.sex === sex && each.discipline === discipline,
  );
  const byCountry = Map.groupBy(able, ({ nationality }) => nationality);
  return countryWeights
    .map(([country], place) => ({ country, place, players: byCountry.get(country) ?? [] }))
    .toSorted((one, other) => other.players.length - one.players.length || one.place - other.place)
    .slice(0, count)
    .map(({ country, players }) => {
      const squad = players.toSorted(better).slice(0, teamSize);
      const teamId = nationalTeamId(sport, country);
      return {
        name: nameOf(country),
        teamId,
        country,
        city: generateCity(random, country),
        players: squad,
        strength: strengthOf(squad),
      };
    });
}

/** Selects from the first squads, which are read once. */
export function selectRoster(squads: Iterable<DemoSquad>, random: Random, { today, firstNumber, nameOf }: RosterFrame): Roster {
  const squadsRead: DemoSquad[] = [];
  for (const squad of squads) {
    squadsRead.push(squad);
    if (squadsRead.length === squadsMax) break;
  }
  const allAthletes = squadsRead.flatMap(({ athletes }) => athletes);
  const teams = new Map(squadsRead.flatMap((squad) => squad.teams.map(({ id, name }) => [id, { id, name }] as const)));
  const guests: DemoSquad[] = [];
  const leagues = new Map<string, readonly (readonly Club[])[]>();
  for (const sport of sportNames) {
    const places = leagueTeams[sport];
    if (places === undefined) continue;
    for (const sex of ['MALE', 'FEMALE'] as const) {
      const source = random.fork(`guests/${sport}/${sex}`);
      const complete = ({ clubs, places: count }: ReturnType<typeof divisionsOf>[number]): readonly Club[] => {
        const all = [...clubs];
        while (all.length < count) {
          const taken = new Set(all.map(({ name }) => name));
          const guest = generateGuest(source, sport, sex, { number: firstNumber + guests.length, today, taken });
          guests.push(guest);
          const strength = source.normal(0.5, 0.06, 0.35, 0.65);
          all.push(...clubsOf(guest, sport, sex).map((club) => ({ ...club, strength })));
        }
        return all;
      };
      leagues.set(`${sport}/${sex}`, divisionsOf(foundClubs(squadsRead, sport, sex), places).map(complete));
    }
  }

  return {
    guests,
    leagues: (sport, sex) => leagues.get(`${sport}/${sex}`) ?? [],
    nations: (sport, sex, count) =>
      nationsOf(allAthletes, { sport, sex, count, random: random.fork(`nations/${sport}/${sex}`), nameOf }),
    athletes: (sport, sex) =>
      allAthletes
        .filter((each) => isShown(each) && each.sport === sport && each.sex === sex)
        .toSorted(better)
        .map((athlete) => {
          const { membership } = athlete;
          return { athlete, team: membership?.status === 'ACTIVE' ? (teams.get(membership.teamId) ?? null) : null };
        }),
  };
}
