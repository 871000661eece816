/** The squads of the 2026 World Cup: who was recruited, and from which club. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface SquadMember {
  readonly nation: string;
  readonly name: string;
  readonly isGoalkeeper: boolean;
  readonly dateOfBirth: string;
  readonly club: string;
  /** FIFA code of the country of the club. */
  readonly clubCountry: string;
}

interface SquadFile {
  readonly name: string;
  readonly players: readonly {
    readonly name: string;
    readonly pos: string;
    readonly date_of_birth: string;
    readonly club: { readonly name: string; readonly country: string };
  }[];
}

/** Path of the file in the folder of open data. */
export const squadsFile = join('worldcup', '2026.squads.json');

/** The members of all squads. Throws if the file does not exist. */
export function readSquads(folder: string): SquadMember[] {
  const squads = JSON.parse(readFileSync(join(folder, squadsFile), 'utf8')) as SquadFile[];
  return squads.flatMap(({ name: nation, players }) =>
    players.map(({ name, pos, date_of_birth: dateOfBirth, club }) => {
      return { nation, name, isGoalkeeper: pos === 'GK', dateOfBirth, club: club.name, clubCountry: club.country };
    }),
  );
}
