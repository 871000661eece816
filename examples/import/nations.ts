/** The names of nations in football files: FIFA's spellings, earlier names, and states that no longer exist. */
import { countryOfFifaCode, fifaNations } from './countries.ts';
import { keyOf } from './key.ts';

/** A key that is the same for `Bosnia & Herzegovina` and `Bosnia and Herzegovina`, `St. Lucia` and `Saint Lucia`, `The Gambia` and `Gambia`. */
const nationKey = (name: string): string =>
  keyOf(name.replaceAll(/['’‘]/g, ' '))
    .replace(/-and(?:-the)?-/g, '-')
    .replace(/^the-/, '')
    .replace(/^saint-/, 'st-');

/** Names of FIFA and openfootball that differ from Unicode's list (CLDR), as `CODE: name, name`. */
const otherNames = `
  ATG: Antigua & Barbuda
  BIH: Bosnia-Herzegovina
  BRU: Brunei Darussalam
  CGO: Congo, Republic of the Congo, Republic of Congo, Congo Republic, Congo-Brazzaville
  CHN: China PR, PR China, People's Republic of China
  CIV: Ivory Coast, Côte d'Ivoire
  COD: Congo DR, DR Congo, Democratic Republic of the Congo, Congo-Kinshasa
  CPV: Cape Verde, Cape Verde Islands, Cabo Verde
  CUW: Curacao
  CZE: Czech Republic
  FRO: Faroes
  HKG: Hong Kong, Hong Kong-China
  IRL: Republic of Ireland, Eire
  IRN: IR Iran, Islamic Republic of Iran
  KGZ: Kyrgyz Republic
  KOR: Korea Republic, Republic of Korea
  LAO: Lao PDR
  MAC: Macao, Macau, Macau-China
  MKD: Macedonia, FYR Macedonia, Republic of Macedonia
  MYA: Myanmar
  NED: Holland
  NZL: Aotearoa New Zealand
  PLE: Palestine, State of Palestine
  PRK: North Korea, Korea DPR, DPR Korea
  RUS: Russian Federation
  STP: Sao Tome e Principe
  SYR: Syrian Arab Republic
  TAH: Tahiti
  TLS: East Timor
  TPE: Chinese Taipei
  TUR: Turkey, Türkiye
  UAE: UAE
  USA: USA, United States of America
  VIE: Viet Nam
  VIN: St Vincent / Grenadines
  VIR: US Virgin Islands
  ENG: England
  NIR: Northern Ireland
  SCO: Scotland
  WAL: Wales
`;

/** Earlier names of nations whose association still exists: the team is that of today. */
const earlierNames = `
  BEN: Dahomey
  BFA: Upper Volta
  CAM: Khmer Republic, Kampuchea
  COD: Zaire, Belgian Congo
  EGY: United Arab Republic
  GER: West Germany, Germany FR, FR Germany
  GHA: Gold Coast
  IDN: Dutch East Indies
  IRN: Persia
  MAS: Malaya
  MYA: Burma
  SRB: Serbia and Montenegro
  SRI: Ceylon
  SUR: Dutch Guiana
  SWZ: Swaziland
  TAN: Tanganyika
  THA: Siam
  ZAM: Northern Rhodesia
  ZIM: Rhodesia, Southern Rhodesia
`;

/** States without a country code today: name, FIFA code, first and last year, country that continues the record (FIFA) or has the territory. */
const dissolvedStates = `
  Soviet Union, URS, 1922, 1991, RU; USSR, URS, 1922, 1991, RU; CIS, CIS, 1991, 1992, RU; Yugoslavia, YUG, 1918, 2003, RS
  FR Yugoslavia, YUG, 1992, 2003, RS; Czechoslovakia, TCH, 1918, 1992, CZ; East Germany, GDR, 1949, 1990, DE
  Germany DR, GDR, 1949, 1990, DE; German DR, GDR, 1949, 1990, DE; Saarland, SAA, 1947, 1956, DE; Saar, SAA, 1947, 1956, DE
  Netherlands Antilles, ANT, 1954, 2010, CW; North Yemen, YAR, 1962, 1990, YE; South Yemen, YMD, 1967, 1990, YE
  South Vietnam, VSO, 1955, 1975, VN
`;

const entriesOf = (text: string): [string, string][] =>
  text
    .trim()
    .split('\n')
    .flatMap((line) => {
      const [code = '', names = ''] = line.trim().split(': ');
      return names.split(', ').map((name): [string, string] => [nationKey(name), code]);
    });

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
/** Short names for those of CLDR with a second name: `Congo - Kinshasa`, `Myanmar (Burma)`. */
const shortNames: Readonly<Record<string, string>> = { COD: 'DR Congo', MYA: 'Myanmar' };
const nameOfCode = (code: string): string => {
  const country = countryOfFifaCode(code) ?? '';
  return (country.includes('-') ? undefined : regions.of(country)) ?? code;
};

const codesByName = new Map([
  ...fifaNations.map((code): [string, string] => [nationKey(nameOfCode(code)), code]),
  ...entriesOf(otherNames),
]);
const codesByEarlierName = new Map(entriesOf(earlierNames));

export interface DissolvedState {
  readonly name: string;
  readonly code: string;
  readonly from: string;
  readonly to: string;
  /** The country that continues its record. */
  readonly successor: string;
}

const states: readonly DissolvedState[] = dissolvedStates
  .trim()
  .split(/;\s*|\n/)
  .map((entry) => {
    const [name = '', code = '', from = '', to = '', successor = ''] = entry.trim().split(', ');
    return { name, code, from, to, successor };
  });
const statesByName = new Map(states.map((state) => [nationKey(state.name), state]));
const statesByCode = new Map(states.toReversed().map((state) => [state.code, state]));

/** FIFA's code of a nation by its English name (`South Korea`, `Korea Republic`), or by an earlier name; null when unknown. */
export function fifaCodeOfName(name: string): string | null {
  const key = nationKey(name);
  return codesByName.get(key) ?? codesByEarlierName.get(key) ?? null;
}

/** The state of a name that has no country code today; null for other names. */
export const dissolvedStateOf = (name: string): DissolvedState | null => statesByName.get(nationKey(name)) ?? null;

/** Why a state cannot be imported with its own country. */
export const stateReason = ({ name, from, to }: DissolvedState): string =>
  `${name} existed from ${from} to ${to} and has no country code, which a national team requires`;

export interface NationalTeam {
  readonly name: string;
  readonly code: string;
  readonly country: string;
}

/**
 * The team that plays under a name in a file: Germany for `West Germany`, because the team is the same. The team of a dissolved state
 * has its own name and code, and the country of the successor. Null for an unknown name.
 */
export function nationalTeamOf(name: string): NationalTeam | null {
  const earlier = codesByEarlierName.get(nationKey(name));
  const state = dissolvedStateOf(name);
  if (state) return { name: statesByCode.get(state.code)?.name ?? state.name, code: state.code, country: state.successor };
  const code = fifaCodeOfName(name);
  const country = countryOfFifaCode(code ?? '');
  if (code === null || country === null) return null;
  return { name: earlier === undefined ? name : (shortNames[code] ?? nameOfCode(code)), code, country };
}

/** Why a FIFA code cannot be imported: that of a dissolved state, or an unknown code. */
export function fifaCodeReason(code: string): string {
  const state = statesByCode.get(code);
  return state ? stateReason(state) : `unknown FIFA code: ${code || '(empty)'}`;
}
