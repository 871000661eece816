/** The international competitions of the demo data, whose seasons are played match by match. Each has a season in progress. */
import type { Random } from '../../platform/random.ts';
import type { DemoCompetition, DemoSeason, DemoSex } from '../../schema/demo.ts';
import { sports, type Sport } from '../../schema/sports.ts';
import { addDays, momentBetween, saturdayBefore, yearsBefore } from './moments.ts';
import { demoSports } from './sports.ts';
import { cupDays, cupDaysBefore } from './cup.ts';

export type InternationalShape = 'LEAGUE' | 'CUP' | 'TOUR' | 'CARDS' | 'CHAMPIONSHIPS' | 'STAGE_RACE';

export interface International {
  readonly shape: InternationalShape;
  readonly sex: DemoSex | null;
  /** Of a league, from 0 for the highest. */
  readonly division: number;
  /** Whether its matches have team sheets and actions. Of the other leagues, results and statistics of a season are known. */
  readonly covered: boolean;
  readonly competition: DemoCompetition;
}

/** Number of teams of a full league. */
export const leagueTeams: Partial<Readonly<Record<Sport, number>>> = {
  FOOTBALL: 10,
  BASKETBALL: 8,
  VOLLEYBALL: 8,
  RUGBY: 8,
  HANDBALL: 8,
};

/** The covered leagues play a double round robin, the others a single one. A league has one matchday a week, and most are finished. */
export const roundsOf = ({ covered }: Pick<International, 'covered'>): 1 | 2 => (covered ? 2 : 1);
const playedShare = 0.64;

interface Plan {
  readonly shape: InternationalShape;
  readonly sport: Sport;
  readonly sex: DemoSex | null;
  readonly division: number;
  readonly covered: boolean;
  readonly title: string;
  readonly type: DemoCompetition['type'];
  /** Days from its first day to the reference day, and its length in days. */
  readonly daysBefore: (today: string) => number;
  readonly days: number;
  /** Whether it also has an edition a year earlier. */
  readonly again: boolean;
}

/** The sex of the national teams and of the covered league of each sport: the one with more teams in the demo data, or an equal share. */
export const cupSex: Partial<Readonly<Record<Sport, DemoSex>>> = {
  FOOTBALL: 'MALE',
  BASKETBALL: 'MALE',
  VOLLEYBALL: 'FEMALE',
  RUGBY: 'MALE',
  HANDBALL: 'FEMALE',
};

const women = (sex: DemoSex | null): string => (sex === 'FEMALE' ? ' Women' : '');
const sexes = ['MALE', 'FEMALE'] as const;
const divisionNames = ['', ', Second Division', ', Third Division', ', Fourth Division'];
const divisionName = (division: number): string => divisionNames[division] ?? `, Division ${division + 1}`;

/** A league of a number of teams in a division. */
function leaguePlan(sport: Sport, sex: DemoSex, teams: number, division: number): Plan {
  const covered = division === 0 && sex === cupSex[sport];
  const matchdays = roundsOf({ covered }) * (teams - 1 + (teams % 2));
  const played = Math.round(matchdays * playedShare);
  return {
    shape: 'LEAGUE',
    sport,
    sex,
    division,
    covered,
    title: `International ${sports[sport].title} League${women(sex)}${divisionName(division)}`,
    type: 'LEAGUE',
    daysBefore: (today) => (Date.parse(today) - Date.parse(addDays(saturdayBefore(today), -7 * (played - 1)))) / 86_400_000,
    days: 7 * (matchdays - 1) + 1,
    again: true,
  };
}

/** The numbers of teams of the leagues of a sport and sex, the highest division first. */
export type LeagueSizes = (sport: Sport, sex: DemoSex) => readonly number[];

function teamPlans(sport: Sport, sizes: LeagueSizes): Plan[] {
  const sex = cupSex[sport];
  if (!sex) return [];
  return [
    ...sexes.flatMap((each) => sizes(sport, each).map((teams, division) => leaguePlan(sport, each, teams, division))),
    {
      shape: 'CUP',
      sport,
      sex,
      division: 0,
      covered: true,
      title: `International ${sports[sport].title} Cup${women(sex)}`,
      type: 'CUP',
      daysBefore: () => cupDaysBefore,
      days: cupDays,
      again: false,
    },
  ];
}

type IndividualPlan = Pick<Plan, 'shape' | 'sport' | 'title' | 'type' | 'days'> & {
  /** A competition for each sex, or one for both. */
  readonly sexes: readonly (DemoSex | null)[];
  readonly daysBefore: number;
};

const individualPlans: readonly IndividualPlan[] = [
  { shape: 'TOUR', sport: 'TENNIS', sexes, title: 'International Tennis Tour', type: 'SERIES', daysBefore: 164, days: 200 },
  { shape: 'CARDS', sport: 'COMBAT', sexes, title: 'International Combat Games', type: 'TOURNAMENT', daysBefore: 110, days: 150 },
  {
    shape: 'CHAMPIONSHIPS',
    sport: 'ATHLETICS',
    sexes: [null],
    title: 'International Athletics Championships',
    type: 'MEET',
    daysBefore: 2,
    days: 3,
  },
  {
    shape: 'CHAMPIONSHIPS',
    sport: 'SWIMMING',
    sexes: [null],
    title: 'International Swimming Championships',
    type: 'MEET',
    daysBefore: 2,
    days: 3,
  },
  { shape: 'STAGE_RACE', sport: 'CYCLING', sexes, title: 'International Stage Race', type: 'TOURNAMENT', daysBefore: 4, days: 6 },
];

function* plans(sizes: LeagueSizes): Generator<Plan> {
  for (const sport of ['FOOTBALL', 'BASKETBALL', 'VOLLEYBALL', 'RUGBY', 'HANDBALL'] as const) yield* teamPlans(sport, sizes);
  for (const { sexes: of, title, daysBefore, ...plan } of individualPlans)
    for (const sex of of)
      yield {
        ...plan,
        sex,
        division: 0,
        covered: true,
        title: `${title}${women(sex)}`,
        daysBefore: () => daysBefore,
        again: true,
      };
}

function seasonFrom(random: Random, startDate: string, days: number, status: DemoSeason['status']): DemoSeason {
  const endDate = addDays(startDate, days);
  const [first, last] = [startDate.slice(0, 4), endDate.slice(0, 4)];
  return { id: random.uuid(), name: first === last ? first : `${first}/${last.slice(2)}`, startDate, endDate, status };
}

/** The same weekday a year earlier. */
const yearDays = 364;

/** Each competition has a season in progress on the reference day. */
export function generateInternationals(random: Random, today: string, sizes: LeagueSizes): International[] {
  const opening = yearsBefore(today, 2);
  let higher: string | null = null;
  return [...plans(sizes)].map(({ shape, sport, sex, division, covered, title, type, daysBefore, days, again }) => {
    const source = random.fork(title);
    const [discipline = null] = shape === 'CHAMPIONSHIPS' || shape === 'CARDS' ? [] : (demoSports[sport].disciplines[0] ?? []);
    const startDate = addDays(today, -daysBefore(today));
    const before = again ? [seasonFrom(source, addDays(startDate, -yearDays), days, 'FINISHED')] : [];
    const category = sex === null ? 'OPEN' : sex === 'MALE' ? 'MEN' : 'WOMEN';
    const competition: DemoCompetition = {
      id: source.uuid(),
      code: `INT-${sport.slice(0, 2)}${category.slice(0, 1)}${shape.slice(0, 1)}${division > 0 ? division + 1 : ''}`,
      name: title,
      sport,
      discipline,
      type,
      category,
      level: 'INTERNATIONAL',
      country: null,
      organizerName: `Demo ${sports[sport].title} Union`,
      tier: type === 'LEAGUE' ? division + 1 : null,
      promotesToId: division > 0 ? higher : null,
      createdAt: momentBetween(source, opening, addDays(opening, 60)),
      seasons: [...before, seasonFrom(source, startDate, days, 'IN_PROGRESS')],
    };
    // the plans of the divisions of a league follow each other
    higher = competition.id;
    return { shape, sex, division, covered, competition };
  });
}
