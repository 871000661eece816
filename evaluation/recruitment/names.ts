/** Compares names across sources, which spell the same club and the same player differently. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';

/** Path of the file with the other names of clubs in the folder of open data. */
export const clubsFile = join('clubs', 'clubs.csv');

/** Parts of club names that some sources leave out. */
const forms = new Set(['fc', 'afc', 'cf', 'cd', 'rc', 'rcd', 'sd', 'ud', 'c', 'f', 'de']);

/** The words of a name in lower case, without accents and punctuation. */
export const wordsOf = (name: string): string[] =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

const clubKey = (name: string): string =>
  wordsOf(name)
    .filter((word) => !forms.has(word))
    .join(' ');

/** Returns one key for all names of a club of a country (a country code of the file, such as `eng`). Throws if the file does not exist. */
export function readClubNames(folder: string): (country: string, name: string) => string {
  const rows = parse<Readonly<Record<'name' | 'country_file' | 'aliases', string>>>(
    readFileSync(join(folder, clubsFile), 'utf8'),
    {
      columns: true,
    },
  );
  const keys = new Map<string, string>();
  for (const { name, country_file: country, aliases } of rows)
    for (const alias of [name, ...aliases.split('|')]) {
      const key = `${country} ${clubKey(alias)}`;
      if (!keys.has(key)) keys.set(key, `${country} ${clubKey(name)}`);
    }
  return (country, name) => {
    const key = `${country} ${clubKey(name)}`;
    return keys.get(key) ?? key;
  };
}

/** Whether a short name of a player, such as `M. Salah` or `Messi`, can be the full name. Initials must match the first letters. */
export function isShortNameOf(short: string, full: string): boolean {
  const words = wordsOf(full);
  const parts = wordsOf(short).filter((word) => word !== 'jr');
  return (
    parts.length > 0 && parts.every((part) => words.some((word) => (part.length === 1 ? word.startsWith(part) : word === part)))
  );
}
