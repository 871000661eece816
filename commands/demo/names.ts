/** Invented people: a matching given and family name, in Latin letters and, where the country uses another script, in that script. */
import { keysOf } from '../../schema/records.ts';
import { nameRows } from './name-rows.ts';
import type { NameRow } from './name-rows.ts';
import type { Random } from '../../platform/random.ts';

export type DemoCountry = keyof typeof nameRows;

/** The countries of demo athletes, ISO 3166-1 alpha-2. */
export const demoCountries = keysOf(nameRows);

export interface PersonName {
  readonly givenName: string;
  readonly familyName: string;
  /** In Latin letters, given name first. */
  readonly displayName: string;
  /** The full name in the script and order of the country; null where that equals displayName. */
  readonly native: string | null;
}

interface Entry {
  readonly latin: string;
  readonly native: string | null;
}

type Names = Record<'MALE' | 'FEMALE', { readonly given: readonly Entry[]; readonly family: readonly Entry[] }>;

const rows: Readonly<Record<DemoCountry, NameRow>> = nameRows;

/** Parses `Latin=native` entries; of two forms `Masculine/Feminine` the requested one. */
function entriesOf(list: string, form: 0 | 1): Entry[] {
  return list.split(/,\s+/).map((entry) => {
    const [latin = '', native] = entry.split('=').map((forms) => forms.split('/')[form] ?? forms.split('/')[0] ?? '');
    return { latin, native: native ?? null };
  });
}

const parsed = new Map<DemoCountry, Names>();

/** The names of a country by sex, parsed once. */
export function namesOf(country: DemoCountry): Names {
  const known = parsed.get(country);
  if (known) return known;
  const row = rows[country];
  const names: Names = {
    MALE: { given: entriesOf(row.male, 0), family: entriesOf(row.family, 0) },
    FEMALE: { given: entriesOf(row.female, 1), family: entriesOf(row.family, 1) },
  };
  parsed.set(country, names);
  return names;
}

/** Generates a person of a country, with two different family names where the country uses two. */
export function generateName(random: Random, country: DemoCountry, sex: 'MALE' | 'FEMALE'): PersonName {
  const row = rows[country];
  const names = namesOf(country)[sex];
  const given = random.pick(names.given);
  const family = random.sample(names.family, row.familyNames ?? 1);
  const familyName = family.map(({ latin }) => latin).join(' ');
  const nativeFamily = family.map(({ native }) => native ?? '').join(' ');
  const native =
    row.familyFirst === undefined
      ? `${given.native ?? ''} ${nativeFamily}`
      : nativeFamily + row.familyFirst + (given.native ?? '');
  return {
    givenName: given.latin,
    familyName,
    displayName: `${given.latin} ${familyName}`,
    native: given.native === null ? null : native,
  };
}
