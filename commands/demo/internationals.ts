/** The international competitions of the demo data, whose seasons are played match by match. */
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
  readonly competition: DemoCompetition;
}

/** Number of teams of a league; it has one matchday a week, and most are finished. */
export const leagueTeams: Partial<Readonly<Record<Sport, number>>> = {
  FOOTBALL: 10,
  BASKETBALL: 8,
  VOLLEYBALL: 8,
  RUGBY: 8,
  HANDBALL: 8,
};
const playedShare = 0.64;

interface Plan {
  readonly shape: InternationalShape;
  readonly sport: Sport;
  readonly sex: DemoSex | null;
  readonly title: string;
  readonly type: DemoCompetition['type'];
  /** Days from its first day to the reference day, and its length in days. */
  readonly daysBefore: (today: string) => number;
  readonly days: number;
  /** Whether it also has an edition a year earlier. */
  readonly again: boolean;
}

/** The sex of each league: the one with more teams in the demo data, or an equal share. */
export const leagueSex: Partial<Readonly<Record<Sport, DemoSex>>> = {
  FOOTBALL: 'MALE',
  BASKETBALL: 'MALE',
  VOLLEYBALL: 'FEMALE',
  RUGBY: 'MALE',
  HANDBALL: 'FEMALE',
};

const women = (sex: DemoSex | null): string => (sex === 'FEMALE' ? ' Women' : '');

function teamPlans(sport: Sport): Plan[] {
  const sex = leagueSex[sport];
  const teams = leagueTeams[sport];
  if (!sex || teams === undefined) return [];
  const { title } = sports[sport];
  const matchdays = 2 * (teams - 1);
  const played = Math.round(matchdays * playedShare);
  return [
    {
      shape: 'LEAGUE',
      sport,
      sex,
      title: `International ${title} League${women(sex)}`,
      type: 'LEAGUE',
      daysBefore: (today) => (Date.parse(today) - Date.parse(addDays(saturdayBefore(today), -7 * (played - 1)))) / 86_400_000,
      days: 7 * (matchdays - 1) + 1,
      again: true,
    },
    {
      shape: 'CUP',
      sport,
      sex,
      title: `International ${title} Cup${women(sex)}`,
      type: 'CUP',
      daysBefore: () => cupDaysBefore,
      days: cupDays,
      again: false,
    },
  ];
}

const plans: readonly Plan[] = [
  ...(['FOOTBALL', 'BASKETBALL', 'VOLLEYBALL', 'RUGBY', 'HANDBALL'] as const).flatMap(teamPlans),
  {
    shape: 'TOUR',
    sport: 'TENNIS',
    sex: 'MALE',
    title: 'International Tennis Tour',
    type: 'SERIES',
    daysBefore: () => 164,
    days: 200,
    again: true,
  },
  {
    shape: 'CARDS',
    sport: 'COMBAT',
    sex: 'MALE',
    title: 'International Combat Games',
    type: 'TOURNAMENT',
    daysBefore: () => 110,
    days: 150,
    again: false,
  },
  {
    shape: 'CHAMPIONSHIPS',
    sport: 'ATHLETICS',
    sex: null,
    title: 'International Athletics Championships',
    type: 'MEET',
    daysBefore: () => 2,
    days: 3,
    again: false,
  },
  {
    shape: 'CHAMPIONSHIPS',
    sport: 'SWIMMING',
    sex: null,
    title: 'International Swimming Championships',
    type: 'MEET',
    daysBefore: () => 2,
    days: 3,
    again: false,
  },
  {
    shape: 'STAGE_RACE',
    sport: 'CYCLING',
    sex: 'MALE',
    title: 'International Stage Race',
    type: 'TOURNAMENT',
    daysBefore: () => 4,
    days: 6,
    again: false,
  },
];

function seasonFrom(random: Random, startDate: string, days: number, status: DemoSeason['status']): DemoSeason {
  const endDate = addDays(startDate, days);
  const [first, last] = [startDate.slice(0, 4), endDate.slice(0, 4)];
  return { id: random.uuid(), name: first === last ? first : `${first}/${last.slice(2)}`, startDate, endDate, status };
}

/** The same weekday a year earlier. */
const yearDays = 364;

/** Each competition has a season in progress on the reference day. */
export function generateInternationals(random: Random, today: string): International[] {
  const opening = yearsBefore(today, 2);
  return plans.map(({ shape, sport, sex, title, type, daysBefore, days, again }) => {
    const source = random.fork(title);
    const [discipline = null] = shape === 'CHAMPIONSHIPS' || shape === 'CARDS' ? [] : (demoSports[sport].disciplines[0] ?? []);
    const startDate = addDays(today, -daysBefore(today));
    const before = again ? [seasonFrom(source, addDays(startDate, -yearDays), days, 'FINISHED')] : [];
    const category = sex === null ? 'OPEN' : sex === 'MALE' ? 'MEN' : 'WOMEN';
    const competition: DemoCompetition = {
      id: source.uuid(),
      code: `INT-${sport.slice(0, 2)}${category.slice(0, 1)}${shape.slice(0, 1)}`,
      name: title,
      sport,
      discipline,
      type,
      category,
      level: 'INTERNATIONAL',
      country: null,
      organizerName: `Demo ${sports[sport].title} Union`,
      createdAt: momentBetween(source, opening, addDays(opening, 60)),
      seasons: [...before, seasonFrom(source, startDate, days, 'IN_PROGRESS')],
    };
    return { shape, sex, competition };
  });
}
