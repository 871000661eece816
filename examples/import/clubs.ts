/** Rows of clubs.csv (openfootball/clubs) as organizations of type CLUB. */
import { countryOfClubFile } from './countries.ts';
import { externalId, sourceOf, type Rejection, type Row, type Source } from './row.ts';
import { readTable, type TableRecord } from './table.ts';

const columns = ['name', 'country_file', 'founded', 'stadium', 'city', 'aliases'] as const;
type Club = TableRecord<(typeof columns)[number]>;

/** openfootball marks a name's language (`[de]`), a sponsor's part (`$$Flyeralarm$$`) and second teams (`ii) …`); these are not part of the name. */
function cleanName(name: string): string {
  return name
    .replace(/^i+\)\s+/, '')
    .replace(/\[[a-z]{2}\]/g, '')
    .replaceAll('$$', '')
    .replace(/\s+/g, ' ')
    .replace(/[\s,;]+$/, '')
    .trim();
}

export interface ClubPlace {
  readonly city?: string;
  readonly region?: string;
  readonly foundedYear?: number;
}

/**
 * Splits a place: `Gent › Oost-Vlaanderen › Vlaanderen` is a city and its region. Some rows contain leftovers of the source
 * line: a year before the city (`2007  Linz`), a street before `//`, or a Mexican postal code after the city.
 */
export function readPlace(place: string): ClubPlace {
  const year = /^(\d{4})\s+/.exec(place)?.[1];
  const address = place.slice(year === undefined ? 0 : year.length).replace(/\bC\.P\.\s*\d{5}/, '');
  const last = address.split('//').at(-1) ?? '';
  const parts = last.split('›').map((part) => part.trim().replace(/\s+/g, ' '));
  const [city = '', ...region] = parts.filter((part) => part !== '');
  return {
    ...(city !== '' && { city }),
    ...(region.length > 0 && { region: region.join(', ') }),
    ...(year !== undefined && { foundedYear: Number(year) }),
  };
}

/** The row of one club, or the reasons why it is rejected. */
export function clubRow({ place, values }: Club): Row | Rejection {
  const [name = '', ...others] = [...values.name.split('|'), ...values.aliases.split('|')]
    .map(cleanName)
    .filter((text) => text !== '');
  const country = countryOfClubFile(values.country_file);
  const id = externalId('OPENFOOTBALL', values.country_file, name);
  const reasons = [
    ...(values.name === '' ? ['has no name'] : []),
    // Some lines of the source that give the place of the previous club became separate rows.
    ...(values.name.includes('//') ? ['has an address for a name'] : []),
    ...(country === null ? [`unknown country: ${values.country_file || '(empty)'}`] : []),
    ...(/^(\d{4})?$/.test(values.founded) ? [] : [`founded is not a year: ${values.founded}`]),
  ];
  if (reasons.length > 0 || country === null || id === null) return { place, label: name, reasons };
  const aliases = [...new Set(others)].filter((alias) => alias !== name);
  const item = {
    type: 'CLUB',
    name,
    ...(aliases.length > 0 && { aliases }),
    country,
    ...readPlace(values.city),
    ...(values.founded !== '' && { foundedYear: Number(values.founded) }),
    ...(values.stadium !== '' && { facilities: [{ name: values.stadium, kind: 'STADIUM' }] }),
    sports: ['FOOTBALL'],
    externalIds: [id] as const,
    status: 'ACTIVE',
  };
  return { place, label: name, item };
}

/** Reads the text of clubs.csv. Two rows with one name in one country are one club: the second is rejected. */
export function readClubs(text: string): Source {
  const table = readTable(text, columns);
  return sourceOf(table.records.map(clubRow), table.rejected);
}
