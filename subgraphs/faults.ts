/** Faults of members that resources of several areas have: countries, currencies, organizations, disciplines and positions. */
import { isCountry } from '../schema/countries.ts';
import type { Fault } from '../schema/errors.ts';
import { isDiscipline, isPosition, type Sport } from '../schema/sports.ts';

/** The fault of a country code that is none. */
export function countryFault(pointer: string, code: string | null | undefined): Fault | null {
  if (!code || isCountry(code)) return null;
  const detail = `${code} is not a country: use ISO 3166-1 alpha-2 (DE), GB-ENG … for home nations, XK for Kosovo.`;
  return { pointer, code: 'unknown_country', detail };
}

const currencies = new Set(Intl.supportedValuesOf('currency'));

/** The fault of a currency code that ISO 4217 does not have. */
export function currencyFault(pointer: string, code: string | null | undefined): Fault | null {
  if (!code || currencies.has(code)) return null;
  return { pointer, code: 'unknown_currency', detail: `${code} is not a currency: use its ISO 4217 code, such as EUR.` };
}

/** The fault of an organization that there is not, or that the account may not know of. */
export function unknownOrganization(pointer: string, detail = 'There is no organization with this id.'): Fault {
  return { pointer, code: 'unknown_organization', detail };
}

/** The fault of a discipline that the sport does not have. */
export function disciplineFault(pointer: string, sport: Sport, discipline: string | null | undefined): Fault | null {
  if (!discipline || isDiscipline(sport, discipline)) return null;
  return { pointer, code: 'unknown_discipline', detail: `${discipline} is not a discipline of ${sport}.` };
}

/** The faults of positions that the sport does not have; groups of positions count as positions. */
export function positionFaults(pointer: string, sport: Sport, positions: readonly string[] | null | undefined): Fault[] {
  return (positions ?? []).flatMap((position, index) => {
    if (isPosition(sport, position)) return [];
    return [{ pointer: `${pointer}/${index}`, code: 'unknown_position', detail: `${position} is not a position of ${sport}.` }];
  });
}
