/** Club level from league seasons of earlier years: points and goals per match. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface LeagueSeason {
  /** Path of the file in the folder of open data. */
  readonly file: string;
  /** Code of the country in the list of clubs, and its FIFA code in the squads. */
  readonly country: string;
  readonly fifaCode: string;
  readonly year: string;
}

/** All league seasons in the open data. The year is that of the last matches, so all of them are over before the squads are named. */
export const leagueSeasons: readonly LeagueSeason[] = [
  { file: join('football', '2018-19_en.1.json'), country: 'eng', fifaCode: 'ENG', year: '2019' },
  { file: join('football', '2018-19_es.1.json'), country: 'es', fifaCode: 'ESP', year: '2019' },
  { file: join('football', '2023-24_en.1.json'), country: 'eng', fifaCode: 'ENG', year: '2024' },
];

/** Totals per match. Points are 3, 1 and 0 as played: deductions of an association say nothing about players. */
export interface ClubLevel {
  readonly name: string;
  readonly points: number;
  readonly goalsFor: number;
  readonly goalsAgainst: number;
}

interface LeagueFile {
  readonly matches: readonly {
    readonly team1: string;
    readonly team2: string;
    readonly score: { readonly ft: readonly [number, number] };
  }[];
}

interface Side {
  readonly name: string;
  readonly scored: number;
  readonly conceded: number;
}

const pointsOf = ({ scored, conceded }: Side): number => (scored > conceded ? 3 : scored === conceded ? 1 : 0);

/** The clubs of a season by name. Throws if the file does not exist. */
export function readClubLevels(folder: string, { file }: LeagueSeason): ClubLevel[] {
  const { matches } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as LeagueFile;
  const sides = matches.flatMap(({ team1, team2, score: { ft } }): Side[] => [
    { name: team1, scored: ft[0], conceded: ft[1] },
    { name: team2, scored: ft[1], conceded: ft[0] },
  ]);
  const levels = [...Map.groupBy(sides, ({ name }) => name)].map(([name, played]): ClubLevel => {
    const perMatch = (read: (side: Side) => number): number => played.reduce((sum, side) => sum + read(side), 0) / played.length;
    return {
      name,
      points: perMatch(pointsOf),
      goalsFor: perMatch(({ scored }) => scored),
      goalsAgainst: perMatch(({ conceded }) => conceded),
    };
  });
  return levels.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}
