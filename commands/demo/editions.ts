/** The seasons of the demo data that are played match by match, one at a time. */
import type { Random } from '../../platform/random.ts';
import type { DemoEdition } from '../../schema/demo-edition.ts';
import type { Sport } from '../../schema/sports.ts';
import { generateCards } from './bouts.ts';
import type { Roster } from './roster.ts';
import { generateChampionships } from './championships.ts';
import { generateCup } from './cup.ts';
import type { EditionFrame } from './frame.ts';
import { leagueTeams, type International, type InternationalShape } from './internationals.ts';
import { generateLeague } from './league.ts';
import type { TeamSport } from './scores.ts';
import { generateStageRace } from './stage-race.ts';
import { generateTour } from './tour.ts';

const nations = 8;

const isTeamSport = (sport: Sport): sport is TeamSport => leagueTeams[sport] !== undefined;

type GenerateEdition = (frame: EditionFrame, international: International) => DemoEdition | null;

function league(frame: EditionFrame, { sex, competition: { sport } }: International): DemoEdition | null {
  if (!isTeamSport(sport) || !sex) return null;
  return generateLeague(frame, { sport, clubs: frame.roster.clubs(sport), full: frame.season.status === 'IN_PROGRESS' });
}

function cup(frame: EditionFrame, { sex, competition: { sport } }: International): DemoEdition | null {
  if (!isTeamSport(sport) || !sex) return null;
  return generateCup(frame, { sport, nations: frame.roster.nations(sport, sex, nations) });
}

const shapes: Readonly<Record<InternationalShape, GenerateEdition>> = {
  LEAGUE: league,
  CUP: cup,
  TOUR: generateTour,
  CARDS: generateCards,
  CHAMPIONSHIPS: generateChampionships,
  STAGE_RACE: generateStageRace,
};

export interface EditionsFrame {
  readonly today: string;
  readonly internationals: readonly International[];
  readonly roster: Roster;
}

/** Leaves out editions without enough participants. */
export function* generateEditions(random: Random, { today, internationals, roster }: EditionsFrame): Generator<DemoEdition> {
  for (const international of internationals) {
    const { competition, shape } = international;
    for (const season of competition.seasons) {
      const source = random.fork(`${competition.code}/${season.status}`);
      const edition = shapes[shape]({ random: source, today, competition, season, roster }, international);
      if (edition) yield edition;
    }
  }
}
