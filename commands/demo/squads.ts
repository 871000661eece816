/** A squad of the demo data: the athletes of an organization, and their teams. */
import type { Random } from '../../platform/random.ts';
import type { DemoAthlete, DemoMembership, DemoOrganization, DemoSex, DemoSquad, DemoTeam } from '../../schema/demo.ts';
import { sports, type Sport } from '../../schema/sports.ts';
import { generateAthlete, type AthleteFrame } from './athletes.ts';
import { addDays, momentBetween } from './moments.ts';
import { demoSports } from './sports.ts';

export interface SquadFrame extends Pick<AthleteFrame, 'today' | 'competitionOf'> {
  /** Number of the first athlete. */
  readonly first: number;
  readonly size: number;
}

const memberShare = 0.9;

type TeamOf = (athlete: Pick<DemoAthlete, 'sport' | 'discipline' | 'sex' | 'age'>) => DemoTeam;

/** Creates a team with its first member. */
function createTeams(random: Random, organization: DemoOrganization, teams: DemoTeam[], today: string): TeamOf {
  const byKey = new Map<string, DemoTeam>();
  return ({ sport, discipline, sex, age }) => {
    const together = !demoSports[sport].leagues;
    const category = together ? 'MIXED' : sex === 'MALE' ? 'MEN' : 'WOMEN';
    const ageGroup = together || age >= 21 ? 'SENIOR' : age < 18 ? 'U18' : 'U21';
    const key = [sport, together ? '' : discipline, category, ageGroup].join();
    const known = byKey.get(key);
    if (known) return known;
    const main = demoSports[sport].disciplines[0]?.[0] === discipline;
    const words = [
      organization.name,
      organization.sports.length > 1 && sports[sport].title,
      !together && !main && discipline.charAt(0) + discipline.slice(1).toLowerCase().replaceAll('_', ' '),
      category === 'WOMEN' && 'Women',
      ageGroup !== 'SENIOR' && ageGroup,
    ];
    const createdAt = momentBetween(random, organization.createdAt, addDays(today, -90));
    const team: DemoTeam = {
      id: random.uuid(),
      name: words.filter(Boolean).join(' '),
      sport,
      discipline: together ? null : discipline,
      category,
      ageGroup,
      createdAt,
    };
    byKey.set(key, team);
    teams.push(team);
    return team;
  };
}

const membershipTypes = [
  ['PERMANENT', 88],
  ['AMATEUR', 6],
  ['TRIAL', 4],
  ['LOAN', 2],
] as const;

function generateMembership(
  random: Random,
  team: DemoTeam,
  shirtNumber: number,
  athlete: Omit<DemoAthlete, 'membership'>,
  today: string,
): DemoMembership {
  const type = athlete.level === 'GRASSROOTS' && random.chance(0.3) ? 'AMATEUR' : random.weighted(membershipTypes);
  const years = type === 'TRIAL' ? 0.3 : Math.min(athlete.age - 14, 6);
  const startDate = addDays(today, -random.integer(20, Math.max(30, Math.round(years * 365))));
  const ended = random.chance(0.04);
  const endDate = ended
    ? addDays(startDate, random.integer(10, Math.round((Date.parse(today) - Date.parse(startDate)) / 86_400_000)))
    : type === 'LOAN'
      ? `${Number(today.slice(0, 4)) + 1}-06-30`
      : null;
  const paid = !ended && type !== 'AMATEUR' && ['PROFESSIONAL', 'INTERNATIONAL'].includes(athlete.level);
  return {
    id: random.uuid(),
    teamId: team.id,
    status: ended ? 'ENDED' : 'ACTIVE',
    type,
    startDate,
    endDate,
    contractUntil: paid ? `${Number(today.slice(0, 4)) + random.integer(1, 4)}-06-30` : null,
    shirtNumber: demoSports[team.sport].leagues && shirtNumber < 100 ? shirtNumber : null,
    createdAt: momentBetween(random, athlete.createdAt > team.createdAt ? athlete.createdAt : team.createdAt, today),
  };
}

function generateSport(random: Random, offered: readonly Sport[]): Sport {
  return random.weighted(offered.map((sport, index) => [sport, index === 0 ? 3 : 1]));
}

export function generateSquad(
  random: Random,
  organization: DemoOrganization,
  { today, first, size, competitionOf }: SquadFrame,
): DemoSquad {
  const teams: DemoTeam[] = [];
  const athletes: DemoAthlete[] = [];
  const teamOf = createTeams(random, organization, teams, today);
  const shirts = new Map<string, number>();
  for (let number = first; number < first + size; number += 1) {
    const sport = generateSport(random, organization.sports);
    const sex: DemoSex = random.chance(demoSports[sport].maleShare) ? 'MALE' : 'FEMALE';
    const athlete = generateAthlete(random, { number, sport, sex, organization, today, competitionOf });
    let membership: DemoMembership | null = null;
    if (random.chance(memberShare)) {
      const team = teamOf(athlete);
      const shirt = (shirts.get(team.id) ?? 0) + 1;
      shirts.set(team.id, shirt);
      membership = generateMembership(random, team, shirt, athlete, today);
    }
    athletes.push({ ...athlete, membership });
  }
  return { organization, teams, athletes };
}
