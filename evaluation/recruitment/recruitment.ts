/** Temporal hold-outs on real recruitment: the squads of 2026, predicted from club level and statistics of earlier years. */
import type { Random } from '../../platform/random.ts';
import type { Gain } from '../measures.ts';
import { reportOf, type Candidate, type Question, type Report } from '../report.ts';
import { leagueSeasons, readClubLevels, type LeagueSeason } from './leagues.ts';
import { clubsFile, isShortNameOf, readClubNames } from './names.ts';
import { readScorers, tournamentFile } from './scorers.ts';
import { readSquads, squadsFile, type SquadMember } from './squads.ts';

/** The files that the evaluation reads, in the folder of open data. */
export const recruitmentFiles: readonly string[] = [
  squadsFile,
  clubsFile,
  tournamentFile,
  ...leagueSeasons.map(({ file }) => file),
];

const depth = 100;

const gainOf = (recruited: number): Gain => (recruited >= 3 ? 3 : recruited === 2 ? 2 : recruited === 1 ? 1 : 0);

/** A question with `items` in the order of each ranking. Equal ranks keep the order of the items. Null if none is relevant. */
function questionOf<Item>(
  items: readonly Item[],
  gain: (item: Item) => Gain,
  ranks: Readonly<Record<string, (item: Item) => number>>,
  random: Random,
): Question | null {
  const candidateOf = (item: Item): Candidate => ({ gain: gain(item), mutual: null, quarter: null, sex: null });
  const relevant = items.map(candidateOf).filter((each) => each.gain > 0);
  if (relevant.length === 0) return null;
  const ranked = Object.entries(ranks).map(([name, rank]): [string, Item[]] => [
    name,
    items.toSorted((one, other) => rank(other) - rank(one)).slice(0, depth),
  ]);
  const rankings = [...ranked, ['random', random.sample(items, depth)] as const];
  return {
    candidates: items.length,
    relevant,
    rankings: new Map(rankings.map(([name, listed]) => [name, listed.map(candidateOf)])),
  };
}

const known = (questions: readonly (Question | null)[]): Question[] => questions.filter((each) => each !== null);

/** For each nation with players in a league: the clubs of an earlier season of it. The gain is the number of players, at most 3. */
function clubQuestions(folder: string, season: LeagueSeason, members: readonly SquadMember[], random: Random): Question[] {
  const clubs = readClubLevels(folder, season);
  const keyOf = readClubNames(folder);
  const ofLeague = members.filter(({ clubCountry }) => clubCountry === season.fifaCode);
  return known(
    [...Map.groupBy(ofLeague, ({ nation }) => nation)].map(([nation, recruited]) => {
      const counts = Map.groupBy(recruited, ({ club }) => keyOf(season.country, club));
      return questionOf(
        clubs,
        ({ name }) => gainOf(counts.get(keyOf(season.country, name))?.length ?? 0),
        {
          'club level': ({ points }) => points,
          'goals scored': ({ goalsFor }) => goalsFor,
          'goals conceded': ({ goalsAgainst }) => -goalsAgainst,
          'filter only': () => 0,
        },
        random.fork(`${season.file} ${nation}`),
      );
    }),
  );
}

/** Nobody born later scored in 2018, and no goalkeeper. Both conditions keep namesakes out. */
const latestBirth = '2002-06-14';

/** For each nation: its scorers of 2018. Relevant are those in its squad eight years later. */
function scorerQuestions(folder: string, members: readonly SquadMember[], random: Random): Question[] {
  const squads = Map.groupBy(
    members.filter(({ dateOfBirth, isGoalkeeper }) => !isGoalkeeper && dateOfBirth <= latestBirth),
    ({ nation }) => nation,
  );
  return known(
    [...Map.groupBy(readScorers(folder), ({ nation }) => nation)].map(([nation, scorers]) =>
      questionOf(
        scorers,
        ({ name }) => ((squads.get(nation) ?? []).some((member) => isShortNameOf(name, member.name)) ? 1 : 0),
        {
          goals: ({ goals }) => goals,
          'matches with goals': ({ matchesWithGoals }) => matchesWithGoals,
          'filter only': () => 0,
        },
        random.fork(`scorers ${nation}`),
      ),
    ),
  );
}

/** The reports on clubs by the year of the league seasons, and on scorers. Throws if a file does not exist. */
export function recruitment(folder: string, random: Random): Report[] {
  const members = readSquads(folder);
  const clubs = [...Map.groupBy(leagueSeasons, ({ year }) => year)].map(([year, seasons]) =>
    reportOf(
      `recruitment ${year}`,
      `Clubs of the squads of 2026, level of ${year}, real data`,
      seasons.flatMap((season) => clubQuestions(folder, season, members, random)),
      random,
    ),
  );
  const title = 'Scorers of the World Cup 2018 in the squads of 2026, real data';
  return [...clubs, reportOf('recruitment scorers', title, scorerQuestions(folder, members, random), random)];
}
