/** Maps the country codes of the sources to those of the API: ISO 3166-1 alpha-2, home nations as GB-ENG, Kosovo as XK. */
import { keyOf } from './key.ts';

/** The files of openfootball/clubs that are not named after an ISO code. */
const clubFiles: Readonly<Record<string, string>> = { eng: 'GB-ENG', sco: 'GB-SCT', wal: 'GB-WLS', nir: 'GB-NIR', kos: 'XK' };

/** FIFA's code of nations that played at the World Cups of 2018 to 2026; FIFA's list differs from ISO alpha-3 (GER, NED, SUI, KSA …). */
// prettier-ignore
const fifaCodes: Readonly<Record<string, string>> = {
  ALG: 'DZ', ARG: 'AR', AUS: 'AU', AUT: 'AT', BEL: 'BE', BIH: 'BA', BRA: 'BR', CAN: 'CA', CIV: 'CI', CMR: 'CM', COD: 'CD', COL: 'CO', CPV: 'CV',
  CRC: 'CR', CRO: 'HR', CUW: 'CW', CZE: 'CZ', DEN: 'DK', ECU: 'EC', EGY: 'EG', ENG: 'GB-ENG', ESP: 'ES', FRA: 'FR', GER: 'DE', GHA: 'GH',
  HAI: 'HT', IRN: 'IR', IRQ: 'IQ', ISL: 'IS', JOR: 'JO', JPN: 'JP', KOR: 'KR', KSA: 'SA', MAR: 'MA', MEX: 'MX', NED: 'NL', NGA: 'NG', NOR: 'NO',
  NZL: 'NZ', PAN: 'PA', PAR: 'PY', PER: 'PE', POL: 'PL', POR: 'PT', QAT: 'QA', RSA: 'ZA', RUS: 'RU', SCO: 'GB-SCT', SEN: 'SN', SRB: 'RS',
  SUI: 'CH', SWE: 'SE', TUN: 'TN', TUR: 'TR', URU: 'UY', USA: 'US', UZB: 'UZ', WAL: 'GB-WLS',
};

/** Names of nations in openfootball's files that differ from Unicode's list (CLDR). */
// prettier-ignore
const otherNames: Readonly<Record<string, string>> = {
  england: 'ENG', scotland: 'SCO', wales: 'WAL', usa: 'USA', 'ivory-coast': 'CIV', 'cote-d-ivoire': 'CIV', turkey: 'TUR', 'czech-republic': 'CZE',
  'bosnia-herzegovina': 'BIH', 'dr-congo': 'COD', 'korea-republic': 'KOR', 'ir-iran': 'IRN',
};

/** The nations of World Aquatics: the IOC's codes, which differ from ISO (GER, NED, SUI, RSA …), plus CUR and MAA. */
const iocCodes = new Map(
  `
  AFG:AF ALB:AL ALG:DZ AND:AD ANG:AO ANT:AG ARG:AR ARM:AM ARU:AW AUS:AU AUT:AT AZE:AZ BAH:BS BAN:BD BAR:BB BDI:BI BEL:BE BEN:BJ
  BER:BM BHU:BT BIH:BA BOL:BO BOT:BW BRA:BR BRN:BH BRU:BN BUL:BG BUR:BF CAF:CF CAM:KH CAN:CA CAY:KY CGO:CG CHI:CL CHN:CN CIV:CI
  CMR:CM COD:CD COK:CK COL:CO COM:KM CPV:CV CRC:CR CRO:HR CUB:CU CUR:CW CYP:CY CZE:CZ DEN:DK DJI:DJ DOM:DO ECU:EC EGY:EG ESA:SV
  ESP:ES EST:EE ETH:ET FAR:FO FIJ:FJ FIN:FI FRA:FR FSM:FM GAB:GA GAM:GM GBR:GB GEO:GE GEQ:GQ GER:DE GHA:GH GRE:GR GRN:GD GUA:GT
  GUI:GN GUM:GU GUY:GY HAI:HT HKG:HK HON:HN HUN:HU INA:ID IND:IN IRI:IR IRL:IE IRQ:IQ ISL:IS ISR:IL ISV:VI ITA:IT JAM:JM JOR:JO
  JPN:JP KAZ:KZ KGZ:KG KOR:KR KOS:XK KSA:SA KUW:KW LAO:LA LAT:LV LBA:LY LBN:LB LCA:LC LES:LS LTU:LT LUX:LU MAA:SX MAD:MG MAR:MA
  MAS:MY MAW:MW MDA:MD MDV:MV MEX:MX MGL:MN MHL:MH MKD:MK MLI:ML MNE:ME MON:MC MOZ:MZ MRI:MU NCA:NI NED:NL NEP:NP NGR:NG NIG:NE
  NMA:MP NOR:NO NZL:NZ OMA:OM PAK:PK PAN:PA PAR:PY PER:PE PHI:PH PLE:PS PLW:PW PNG:PG POL:PL POR:PT PUR:PR QAT:QA ROU:RO RSA:ZA
  RWA:RW SAM:WS SEN:SN SEY:SC SGP:SG SKN:KN SLO:SI SMR:SM SOL:SB SRB:RS SRI:LK SUD:SD SUI:CH SUR:SR SVK:SK SWE:SE SWZ:SZ SYR:SY
  TAN:TZ TGA:TO THA:TH TJK:TJ TKM:TM TOG:TG TPE:TW TTO:TT TUN:TN TUR:TR UAE:AE UGA:UG UKR:UA URU:UY USA:US UZB:UZ VEN:VE VIE:VN
  VIN:VC YEM:YE ZAM:ZM ZIM:ZW
`
    .trim()
    .split(/\s+/)
    .map((entry): [string, string] => [entry.slice(0, 3), entry.slice(4)]),
);

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

const nationNames = new Map([
  ...Object.entries(fifaCodes).map(([code, country]): [string, string] => [
    keyOf(country.includes('-') ? code : (regions.of(country) ?? code)),
    code,
  ]),
  ...Object.entries(otherNames),
]);

/** FIFA's code of a nation by its English name (`South Korea`); null when unknown. */
export function fifaCodeOfName(name: string): string | null {
  return nationNames.get(keyOf(name)) ?? null;
}

/** The country of an IOC or World Aquatics code; null for teams without a country, such as refugees. */
export function countryOfIocCode(code: string): string | null {
  return iocCodes.get(code) ?? null;
}
