/** The seasons of the demo data that are played match by match, one at a time. */
import type { Random } from '../../platform/random.ts';
import type { DemoEdition } from '../../schema/demo-edition.ts';
import type { Sport } from '../../schema/sports.ts';
import { drawCards } from './bouts.ts';
import type { Cast } from './cast.ts';
import { drawChampionships } from './championships.ts';
import { drawCup } from './cup.ts';
import type { EditionFrame } from './frame.ts';
import { leagueTeams, type International, type InternationalShape } from './internationals.ts';
import { drawLeague } from './league.ts';
import type { TeamSport } from './scores.ts';
import { drawStageRace } from './stage-race.ts';
import { drawTour } from './tour.ts';

const nations = 8;

const isTeamSport = (sport: Sport): sport is TeamSport => leagueTeams[sport] !== undefined;

type DrawEdition = (frame: EditionFrame, international: International) => DemoEdition | null;

function league(frame: EditionFrame, { sex, competition: { sport } }: International): DemoEdition | null {
  if (!isTeamSport(sport) || !sex) return null;
  return drawLeague(frame, { sport, clubs: frame.cast.clubs(sport), full: frame.season.status === 'IN_PROGRESS' });
}

function cup(frame: EditionFrame, { sex, competition: { sport } }: International): DemoEdition | null {
  if (!isTeamSport(sport) || !sex) return null;
  return drawCup(frame, { sport, nations: frame.cast.nations(sport, sex, nations) });
}

const shapes: Readonly<Record<InternationalShape, DrawEdition>> = {
  LEAGUE: league,
  CUP: cup,
  TOUR: drawTour,
  CARDS: drawCards,
  CHAMPIONSHIPS: drawChampionships,
  STAGE_RACE: drawStageRace,
};

export interface EditionsFrame {
  readonly today: string;
  readonly internationals: readonly International[];
  readonly cast: Cast;
}

/** Leaves out editions without enough participants. */
export function* drawEditions(random: Random, { today, internationals, cast }: EditionsFrame): Generator<DemoEdition> {
  for (const international of internationals) {
    const { competition, shape } = international;
    for (const season of competition.seasons) {
      const source = random.fork(`${competition.code}/${season.status}`);
      const edition = shapes[shape]({ random: source, today, competition, season, cast }, international);
      if (edition) yield edition;
    }
  }
}
