/** Statistics of players from an earlier tournament: the goals of each scorer of the 2018 World Cup. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isShortNameOf } from './names.ts';

/** Path of the file in the folder of open data. */
export const tournamentFile = join('worldcup', '2018.json');

export interface Scorer {
  readonly nation: string;
  /** The longest of the names in the file. */
  readonly name: string;
  readonly goals: number;
  readonly matchesWithGoals: number;
}

interface Goal {
  readonly name: string;
  readonly owngoal?: boolean;
}

interface TournamentFile {
  readonly matches: readonly {
    readonly team1: string;
    readonly team2: string;
    readonly goals1?: readonly Goal[];
    readonly goals2?: readonly Goal[];
  }[];
}

interface Scored {
  readonly nation: string;
  readonly match: number;
  readonly name: string;
}

/** The scorers by nation and name. Own goals do not count. Throws if the file does not exist. */
export function readScorers(folder: string): Scorer[] {
  const { matches } = JSON.parse(readFileSync(join(folder, tournamentFile), 'utf8')) as TournamentFile;
  const goals = matches.flatMap(({ team1, team2, goals1 = [], goals2 = [] }, match): Scored[] => {
    const of = (nation: string, list: readonly Goal[]): Scored[] =>
      list.filter(({ owngoal }) => owngoal !== true).map(({ name }) => ({ nation, match, name }));
    return [...of(team1, goals1), ...of(team2, goals2)];
  });
  return [...Map.groupBy(goals, ({ nation }) => nation)].flatMap(([nation, all]) => {
    const names = [...new Set(all.map(({ name }) => name))].toSorted((one, other) => other.length - one.length);
    // The file writes `Costa` and `Diego Costa`: a short name belongs to the longest name that contains it.
    const longest = (short: string): string => names.find((name) => isShortNameOf(short, name)) ?? short;
    return [...Map.groupBy(all, ({ name }) => longest(name))]
      .map(([name, scored]): Scorer => {
        return { nation, name, goals: scored.length, matchesWithGoals: new Set(scored.map(({ match }) => match)).size };
      })
      .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  });
}
