/** The seasons of the demo data that are played match by match, one at a time. */
import type { Random } from '../../platform/random.ts';
import type { DemoEdition, DemoMatch, DemoUncountedEdition } from '../../schema/demo-edition.ts';
import type { Sport } from '../../schema/sports.ts';
import { generateCards } from './bouts.ts';
import type { Roster } from './roster.ts';
import { generateChampionships } from './championships.ts';
import { generateCup } from './cup.ts';
import type { EditionFrame } from './frame.ts';
import { leagueTeams, roundsOf, type International, type InternationalShape } from './internationals.ts';
import { generateLeague } from './league.ts';
import type { TeamSport } from './scores.ts';
import { playedSeasons } from './played-seasons.ts';
import { generateStageRace } from './stage-race.ts';
import { generateTour } from './tour.ts';

const nations = 8;

const isTeamSport = (sport: Sport): sport is TeamSport => leagueTeams[sport] !== undefined;

type GenerateEdition = (frame: EditionFrame, international: International) => DemoUncountedEdition | null;

function league(
  frame: EditionFrame,
  { sex, division, covered, competition: { sport } }: International,
): DemoUncountedEdition | null {
  if (!isTeamSport(sport) || !sex) return null;
  const clubs = frame.roster.leagues(sport, sex)[division];
  return clubs
    ? generateLeague(frame, {
        sport,
        clubs,
        rounds: roundsOf({ covered }),
        full: covered && frame.season.status === 'IN_PROGRESS',
      })
    : null;
}

function cup(frame: EditionFrame, { sex, competition: { sport } }: International): DemoUncountedEdition | null {
  if (!isTeamSport(sport) || !sex) return null;
  return generateCup(frame, { sport, nations: frame.roster.nations(sport, sex, nations) });
}

function withoutSheets({ entries, actions: _, officials: __, attendance: ___, ...match }: DemoMatch): DemoMatch {
  return { ...match, entries: entries.map(({ lineup: ____, ...entry }) => entry) };
}

/** Counts the matches, before their team sheets are removed from seasons that are over and leagues that are not covered. */
function counted(edition: DemoUncountedEdition, { shape, covered }: International): DemoEdition {
  const played = playedSeasons(edition);
  if (shape !== 'LEAGUE' || (covered && edition.season.status === 'IN_PROGRESS')) return { ...edition, played };
  return { ...edition, matches: edition.matches.map(withoutSheets), played };
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
      if (edition) yield counted(edition, international);
    }
  }
}
