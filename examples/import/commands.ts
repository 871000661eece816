/** The sources that can be imported: one command each, with its options and the function that sends its file. */
import { readDeduction } from './deductions.ts';
import { readClubs } from './clubs.ts';
import { flag, repeated, valued, type Given, type Option } from './options.ts';
import type { Plan } from './plan.ts';
import { externalIdOf, type Result, type Source } from './row.ts';
import { leagueOfFile, readSeason } from './season.ts';
import { splits, type Split } from './season-phases.ts';
import type { Session } from './session.ts';
import { memberships, readSquads, type Squads } from './squads.ts';
import { readSwimming } from './swimming.ts';
import { readDecision } from './tie-break.ts';
import { readTour } from './tour.ts';
import { readUniversities } from './universities.ts';
import { readWorldCup } from './worldcup.ts';

/** Reads the text of a source and sends it. */
export type Import = (text: string) => (session: Session) => Promise<unknown>;

export interface Command {
  readonly what: string;
  /** Scopes that the key requires. */
  readonly scopes: readonly string[];
  readonly options: Readonly<Record<string, Option>>;
  /** Reads the options. @throws {Error} for an invalid option. */
  readonly prepare: (given: Given) => Import | Promise<Import>;
}

const idsOf = (results: readonly Result[]): Map<string, string> =>
  new Map(results.flatMap(({ row, id }): [string, string][] => (id === null ? [] : [[externalIdOf(row), id]])));

const sendSquads =
  ({ teams, athletes, players }: Squads) =>
  async (session: Session): Promise<void> => {
    const teamIds = idsOf(await session.send('teams', '/organizations/teams', teams));
    const athleteIds = idsOf(await session.send('athletes', '/athletes', athletes));
    await session.send('memberships', '/organizations/memberships', memberships(players, teamIds, athleteIds));
  };

const sendOrganizations = (source: Source) => (session: Session) => session.send('organizations', '/organizations', source);
const sendPlan = (plan: Plan) => (session: Session) => session.carryOut(plan);

const adultsConfirmed = flag(
  'states that athletes of unknown age are adults; has an effect for accounts with a verified organization',
);

function dayOf(given: Given, name: string): string {
  const text = given.text(name) ?? '';
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) throw new Error(`--${name} must be a day such as 2022-06-18, not ${text || '(empty)'}`);
  return text;
}

export const commands: Readonly<Record<string, Command>> = {
  clubs: {
    what: 'clubs.csv (openfootball/clubs) as organizations',
    scopes: ['organizations:write'],
    options: {},
    prepare: () => (text) => sendOrganizations(readClubs(text)),
  },
  universities: {
    what: 'universities.csv (university-domains-list) as organizations',
    scopes: ['organizations:write'],
    options: {},
    prepare: () => (text) => sendOrganizations(readUniversities(text)),
  },
  squads: {
    what: 'squads of a World Cup (openfootball/worldcup.json) as national teams, athletes and memberships',
    scopes: ['organizations:write', 'athletes:write'],
    options: {},
    prepare: () => (text) => sendSquads(readSquads(text)),
  },
  season: {
    what: 'a league season (openfootball/football.json) with every match and result',
    scopes: ['organizations:write', 'competitions:write'],
    options: {
      'tie-break': valued(
        'RULE',
        'goal-difference (default of a new competition) or head-to-head: how teams with equal points are separated',
      ),
      points: valued(
        'W-D-L',
        'points for a win, a draw and a loss, such as 2-1-0 for older seasons (default of a new competition 3-1-0)',
      ),
      split: valued('RESULTS', `results of the regular rounds that count after a split: ${splits.join(', ')}`),
      deduct: repeated('TEAM=POINTS:REASON', 'deducts points from a team; repeatable'),
      aliases: valued('FILE', 'clubs.csv: matches teams to the clubs of the clubs import by any of their names'),
      country: valued('CODE', 'openfootball code of the country (eng, es); default: from a file name such as en.1.json'),
      'time-zone': valued('ZONE', 'time zone of the file, such as Europe/London; without it matches only have days'),
    },
    prepare: async (given) => {
      const tieBreak = given.text('tie-break');
      if (tieBreak !== null && tieBreak !== 'goal-difference' && tieBreak !== 'head-to-head')
        throw new Error(`--tie-break must be goal-difference or head-to-head, not ${tieBreak}`);
      const timeZone = given.text('time-zone');
      if (timeZone !== null) checkTimeZone(timeZone);
      const options = {
        tieBreak,
        points: pointsOf(given.text('points')),
        split: splitOf(given.text('split')),
        timeZone,
        deductions: given.all('deduct').map(readDeduction),
        clubs: await given.file('aliases'),
        country: given.text('country') ?? leagueOfFile(given.source),
      } as const;
      return (text) => sendPlan(readSeason(text, options));
    },
  },
  worldcup: {
    what: 'a World Cup (openfootball/worldcup.json) with its groups and knock-out rounds',
    scopes: ['organizations:write', 'competitions:write'],
    options: {
      decide: repeated('"GROUP: A > B: CRITERION: REASON"', 'order of teams that the criteria leave level; repeatable'),
      successors: flag(
        'stores teams of states that no longer exist, such as the Soviet Union, with the countries that succeeded them',
      ),
    },
    prepare: (given) => {
      const decisions = given.all('decide').map(readDecision);
      return (text) => sendPlan(readWorldCup(text, { decisions, successors: given.is('successors') }));
    },
  },
  swimming: {
    what: 'results of a swimming championship (CSV made with SwimmeR) with heats, lanes, splits and reaction times',
    scopes: ['athletes:write', 'competitions:write'],
    options: {
      name: valued('TEXT', 'name of the meet', 'FINA World Championships'),
      from: valued('DAY', 'first day', '2022-06-18'),
      to: valued('DAY', 'last day', '2022-06-25'),
      'adults-confirmed': adultsConfirmed,
    },
    prepare: (given) => {
      const options = {
        name: given.text('name') ?? '',
        startDate: dayOf(given, 'from'),
        endDate: dayOf(given, 'to'),
        adultsConfirmed: given.is('adults-confirmed'),
      };
      return (text) => sendPlan(readSwimming(text, options));
    },
  },
  tour: {
    what: 'general classifications of the Tour de France (CSV of LeTourDataSet), one season per year',
    scopes: ['athletes:write', 'competitions:write'],
    options: { 'adults-confirmed': adultsConfirmed },
    prepare: (given) => (text) => sendPlan(readTour(text, { adultsConfirmed: given.is('adults-confirmed') })),
  },
};

function pointsOf(text: string | null): readonly [number, number, number] | null {
  if (text === null) return null;
  const [, win, draw, loss] = /^(\d{1,2})-(\d{1,2})-(\d{1,2})$/.exec(text) ?? [];
  if (win === undefined) throw new Error(`--points must be three numbers such as 2-1-0, not ${text}`);
  return [Number(win), Number(draw), Number(loss)];
}

function splitOf(text: string | null): Split | null {
  const split = splits.find((each) => each === text) ?? null;
  if (text !== null && split === null) throw new Error(`--split must be one of ${splits.join(', ')}, not ${text}`);
  return split;
}

function checkTimeZone(timeZone: string): void {
  try {
    Temporal.PlainDate.from('2000-01-01').toZonedDateTime(timeZone);
  } catch (cause) {
    throw new Error(`--time-zone must be an IANA name such as Europe/London, not ${timeZone}`, { cause });
  }
}
