/** The country codes of the sources as the API writes them: ISO 3166-1 alpha-2, home nations as GB-ENG, Kosovo as XK. */

/** The files of openfootball/clubs that are not named by an ISO code. */
const clubFiles: Readonly<Record<string, string>> = { eng: 'GB-ENG', sco: 'GB-SCT', wal: 'GB-WLS', nir: 'GB-NIR', kos: 'XK' };

/** FIFA's code of each nation at the World Cup 2026; FIFA's list differs from ISO alpha-3 (GER, NED, SUI, KSA …). */
// prettier-ignore
const fifaCodes: Readonly<Record<string, string>> = {
  ALG: 'DZ', ARG: 'AR', AUS: 'AU', AUT: 'AT', BEL: 'BE', BIH: 'BA', BRA: 'BR', CAN: 'CA', CIV: 'CI', COD: 'CD', COL: 'CO', CPV: 'CV',
  CRO: 'HR', CUW: 'CW', CZE: 'CZ', ECU: 'EC', EGY: 'EG', ENG: 'GB-ENG', ESP: 'ES', FRA: 'FR', GER: 'DE', GHA: 'GH', HAI: 'HT', IRN: 'IR',
  IRQ: 'IQ', JOR: 'JO', JPN: 'JP', KOR: 'KR', KSA: 'SA', MAR: 'MA', MEX: 'MX', NED: 'NL', NOR: 'NO', NZL: 'NZ', PAN: 'PA', PAR: 'PY',
  POR: 'PT', QAT: 'QA', RSA: 'ZA', SCO: 'GB-SCT', SEN: 'SN', SUI: 'CH', SWE: 'SE', TUN: 'TN', TUR: 'TR', URU: 'UY', USA: 'US', UZB: 'UZ',
};

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

/** The country an alpha-2 code names, in upper case; null for a code that names none. */
export function countryOfAlpha2(code: string): string | null {
  const upper = code.toUpperCase();
  return /^[A-Z]{2}$/.test(upper) && regions.of(upper) !== undefined && upper !== 'ZZ' ? upper : null;
}

/** The country of a file of openfootball/clubs (`de`, `eng`); null when unknown. */
export function countryOfClubFile(file: string): string | null {
  return clubFiles[file] ?? countryOfAlpha2(file);
}

/** The country that plays under a FIFA code; null when unknown. */
export function countryOfFifaCode(code: string): string | null {
  return fifaCodes[code] ?? null;
}
