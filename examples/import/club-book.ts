/** Finds a club of clubs.csv by any of its names, so that a season refers to the club that the clubs import created. */
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

/** The only match; null when there is none or more than one. */
const only = (entries: readonly Entry[]): Row | null => (entries.length === 1 ? (entries[0]?.row ?? null) : null);

/**
 * Opens the book over the text of clubs.csv (null: an empty one) for a league of the country file `home` (`eng`). It looks for a club
 * by its main name in the home country, by another name there, by a name in any country (Cardiff City plays in England), and by
 * the start of a name in the home country. Without a match the team becomes a new club.
 * @throws {Error} when `home` is not a country, or the text is not a clubs.csv.
 */
export function openClubs(text: string | null, home: string): (name: string) => Club {
  const country = countryOfClubFile(home);
  if (country === null)
    throw new Error(
      home === ''
        ? 'The file name has no country. Add --country with the code of openfootball/clubs, such as --country de.'
        : `--country must be a code of openfootball/clubs, such as de, es or eng. It is ${home}.`,
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
