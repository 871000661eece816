/** Finds a club of clubs.csv by any name it goes by, so that a season names the club that the clubs importer made. */
import { countryOfClubFile } from './countries.ts';
import { keyOf } from './key.ts';
import { readClubs } from './clubs.ts';
import { externalId, externalIdOf, type ExternalId, type Row } from './row.ts';

export interface Club {
  readonly externalId: ExternalId;
  readonly name: string;
  readonly members: Readonly<Record<string, unknown>>;
}

interface Entry {
  readonly row: Row;
  readonly isAtHome: boolean;
  readonly keys: readonly string[];
}

const namesOf = ({ item }: Row): string[] =>
  [item.name, ...(Array.isArray(item.aliases) ? (item.aliases as unknown[]) : [])].filter((name) => typeof name === 'string');

/** Where one club is meant; two of one name are none. */
const only = (entries: readonly Entry[]): Row | null => (entries.length === 1 ? (entries[0]?.row ?? null) : null);

/**
 * Opens the book over the text of clubs.csv (null: an empty one) for a league of the country file `home` (`eng`). It finds the club of a name
 * as the clubs importer writes it: by its name at home, by another name at home, by a name anywhere (Cardiff City plays in England), or by
 * the beginning of a name at home. Who is not found is a club of its own.
 * @throws {Error} when `home` is no country, or the text is no clubs.csv.
 */
export function openClubs(text: string | null, home: string): (name: string) => Club {
  const country = countryOfClubFile(home);
  if (country === null)
    throw new Error(
      `--country names the country of the league as the files of openfootball/clubs do (eng, es), not ${home || 'nothing'}`,
    );
  const book = (text === null ? [] : readClubs(text).rows).map((row): Entry => ({
    row,
    isAtHome: externalIdOf(row).startsWith(`${home}/`),
    keys: namesOf(row).map(keyOf),
  }));

  const find = (name: string): Club => {
    const key = keyOf(name);
    const row =
      only(book.filter((entry) => entry.isAtHome && entry.row.item.name === name)) ??
      only(book.filter((entry) => entry.isAtHome && entry.keys.includes(key))) ??
      only(book.filter((entry) => entry.keys.includes(key))) ??
      only(book.filter((entry) => entry.isAtHome && entry.keys.some((each) => each.startsWith(`${key}-`))));
    const id = row === null ? externalId('OPENFOOTBALL', home, name) : row.item.externalIds[0];
    if (id === null) throw new Error(`${JSON.stringify(name)} is no name of a club`);
    if (row === null)
      return { externalId: id, name, members: { type: 'CLUB', name, country, sports: ['FOOTBALL'], status: 'ACTIVE' } };
    const { externalIds: _, ...members } = row.item;
    return { externalId: id, name: row.label, members };
  };
  const known = new Map<string, Club>();
  return (name) => {
    const club = known.get(name) ?? find(name);
    known.set(name, club);
    return club;
  };
}
