/** Maps the country codes of the sources to those of the API: ISO 3166-1 alpha-2, home nations as GB-ENG, Kosovo as XK. */

/** The files of openfootball/clubs that are not named after an ISO code. */
const clubFiles: Readonly<Record<string, string>> = { eng: 'GB-ENG', sco: 'GB-SCT', wal: 'GB-WLS', nir: 'GB-NIR', kos: 'XK' };

/** A list of `CODE:country`. */
const codesOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text
      .trim()
      .split(/\s+/)
      .map((entry): [string, string] => [entry.slice(0, 3), entry.slice(4)]),
  );

/** FIFA's code of each nation; the list differs from ISO alpha-3 (GER, NED, SUI, KSA …). */
const fifaCodes = codesOf(`
  AFG:AF AIA:AI ALB:AL ALG:DZ AND:AD ANG:AO ARG:AR ARM:AM ARU:AW ASA:AS ATG:AG AUS:AU AUT:AT AZE:AZ BAH:BS BAN:BD BDI:BI BEL:BE
  BEN:BJ BER:BM BFA:BF BHR:BH BHU:BT BIH:BA BLR:BY BLZ:BZ BOL:BO BOT:BW BRA:BR BRB:BB BRU:BN BUL:BG CAM:KH CAN:CA CAY:KY CGO:CG
  CHA:TD CHI:CL CHN:CN CIV:CI CMR:CM COD:CD COK:CK COL:CO COM:KM CPV:CV CRC:CR CRO:HR CTA:CF CUB:CU CUW:CW CYP:CY CZE:CZ DEN:DK
  DJI:DJ DMA:DM DOM:DO ECU:EC EGY:EG ENG:GB-ENG EQG:GQ ERI:ER ESP:ES EST:EE ETH:ET FIJ:FJ FIN:FI FRA:FR FRO:FO FSM:FM GAB:GA
  GAM:GM GEO:GE GER:DE GHA:GH GIB:GI GLP:GP GNB:GW GRE:GR GRL:GL GRN:GD GUA:GT GUF:GF GUI:GN GUM:GU GUY:GY HAI:HT HKG:HK HON:HN
  HUN:HU IDN:ID IND:IN IRL:IE IRN:IR IRQ:IQ ISL:IS ISR:IL ITA:IT JAM:JM JOR:JO JPN:JP KAZ:KZ KEN:KE KGZ:KG KIR:KI KOR:KR KSA:SA
  KUW:KW KVX:XK LAO:LA LBN:LB LBR:LR LBY:LY LCA:LC LES:LS LIE:LI LTU:LT LUX:LU LVA:LV MAC:MO MAD:MG MAR:MA MAS:MY MDA:MD MDV:MV
  MEX:MX MHL:MH MKD:MK MLI:ML MLT:MT MNE:ME MNG:MN MON:MC MOZ:MZ MRI:MU MSR:MS MTN:MR MTQ:MQ MWI:MW MYA:MM NAM:NA NCA:NI NCL:NC
  NED:NL NEP:NP NGA:NG NIG:NE NIR:GB-NIR NMI:MP NOR:NO NRU:NR NZL:NZ OMA:OM PAK:PK PAN:PA PAR:PY PER:PE PHI:PH PLE:PS PLW:PW
  PNG:PG POL:PL POR:PT PRK:KP PUR:PR QAT:QA REU:RE ROU:RO RSA:ZA RUS:RU RWA:RW SAM:WS SCO:GB-SCT SDN:SD SEN:SN SEY:SC SGP:SG
  SKN:KN SLE:SL SLV:SV SMR:SM SOL:SB SOM:SO SRB:RS SRI:LK SSD:SS STP:ST SUI:CH SUR:SR SVK:SK SVN:SI SWE:SE SWZ:SZ SYR:SY TAN:TZ
  TAH:PF TCA:TC TGA:TO THA:TH TJK:TJ TKM:TM TLS:TL TOG:TG TPE:TW TRI:TT TUN:TN TUR:TR TUV:TV UAE:AE UGA:UG UKR:UA URU:UY USA:US UZB:UZ
  VAN:VU VEN:VE VGB:VG VIE:VN VIN:VC VIR:VI WAL:GB-WLS YEM:YE ZAM:ZM ZIM:ZW
`);

/** The nations of World Aquatics: the IOC's codes, which differ from ISO (GER, NED, SUI, RSA …), plus CUR and MAA. */
const iocCodes = codesOf(`
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
`);

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
  return fifaCodes.get(code) ?? null;
}

/** The codes of all nations of FIFA. */
export const fifaNations: readonly string[] = [...fifaCodes.keys()];

/** The country of an IOC or World Aquatics code; null for teams without a country, such as refugees. */
export function countryOfIocCode(code: string): string | null {
  return iocCodes.get(code) ?? null;
}
