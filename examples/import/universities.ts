/** Rows of universities.csv (Hipo/university-domains-list) as organizations of type UNIVERSITY. */
import { countryOfAlpha2 } from './countries.ts';
import { keyOf } from './key.ts';
import { sourceOf, type Rejection, type Row, type Source } from './row.ts';
import { readTable, type TableRecord } from './table.ts';

const columns = ['name', 'country_alpha2', 'state_province', 'domain', 'web_page'] as const;
type University = TableRecord<(typeof columns)[number]>;

const domainPattern = /^([a-z0-9-]+\.)+[a-z0-9-]{2,}$/;

const domainOf = (values: University['values']): string => values.domain.toLowerCase();

/** The row of one university, or the reasons why it is rejected; `shared` means that other rows have the same domain. */
export function universityRow({ place, values }: University, shared: boolean): Row | Rejection {
  const { name, state_province: region, web_page: website } = values;
  const domain = domainOf(values);
  const country = countryOfAlpha2(values.country_alpha2);
  const reasons = [
    ...(name === '' ? ['has no name'] : []),
    ...(country === null ? [`unknown country: ${values.country_alpha2 || '(empty)'}`] : []),
    ...(domainPattern.test(domain) ? [] : [`has no domain: ${domain || '(empty)'}`]),
  ];
  if (reasons.length > 0) return { place, label: name, reasons };
  const item = {
    type: 'UNIVERSITY',
    name,
    country,
    // The list was generated from JSON, and twelve rows contain the text `null`.
    ...(region !== '' && region !== 'null' && { region }),
    ...(website !== '' && { website }),
    emailDomain: domain,
    // The source has no sports, and none are invented.
    sports: [],
    externalIds: [{ scheme: 'UNIVERSITY_DOMAIN', value: shared ? `${domain}/${keyOf(name)}` : domain }] as const,
    status: 'ACTIVE',
  };
  return { place, label: name, item };
}

/** Reads the text of universities.csv. Universities that share a domain have their names in the key, so all of them are imported. */
export function readUniversities(text: string): Source {
  const table = readTable(text, columns);
  const times = new Map<string, number>();
  for (const { values } of table.records) times.set(domainOf(values), (times.get(domainOf(values)) ?? 0) + 1);
  const mapped = table.records.map((record) => universityRow(record, (times.get(domainOf(record.values)) ?? 0) > 1));
  return sourceOf(mapped, table.rejected);
}
