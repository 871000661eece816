/**
 * Countries and their codes in sport: ISO 3166-1, the IOC and FIFA code the same country differently (DE, DEU, GER, GER).
 * In addition to ISO, the list contains Kosovo (user-assigned XK, XKX) and the four home nations, which play under their own FIFA codes.
 * An empty IOC column means no National Olympic Committee; NMA, FAR and GIB are codes of World Aquatics, not of NOCs.
 * An empty FIFA column means that the country is neither a member of FIFA nor an associate of a confederation; the United Kingdom plays as its home nations.
 */
export interface Country {
  readonly name: string;
  /** ISO 3166-1 alpha-3; null for a home nation, which has no ISO code. */
  readonly alpha3: string | null;
  readonly ioc: string | null;
  readonly fifa: string | null;
}

// alpha-2 (or ISO 3166-2 for a home nation) | alpha-3 | IOC | FIFA | name
const table = `
AD|AND|AND|AND|Andorra; AE|ARE|UAE|UAE|United Arab Emirates; AF|AFG|AFG|AFG|Afghanistan
AG|ATG|ANT|ATG|Antigua and Barbuda; AI|AIA||AIA|Anguilla; AL|ALB|ALB|ALB|Albania; AM|ARM|ARM|ARM|Armenia
AO|AGO|ANG|ANG|Angola; AQ|ATA|||Antarctica; AR|ARG|ARG|ARG|Argentina; AS|ASM|ASA|ASA|American Samoa
AT|AUT|AUT|AUT|Austria; AU|AUS|AUS|AUS|Australia; AW|ABW|ARU|ARU|Aruba; AX|ALA|||Åland Islands
AZ|AZE|AZE|AZE|Azerbaijan; BA|BIH|BIH|BIH|Bosnia and Herzegovina; BB|BRB|BAR|BRB|Barbados; BD|BGD|BAN|BAN|Bangladesh
BE|BEL|BEL|BEL|Belgium; BF|BFA|BUR|BFA|Burkina Faso; BG|BGR|BUL|BUL|Bulgaria; BH|BHR|BRN|BHR|Bahrain
BI|BDI|BDI|BDI|Burundi; BJ|BEN|BEN|BEN|Benin; BL|BLM|||Saint Barthélemy; BM|BMU|BER|BER|Bermuda; BN|BRN|BRU|BRU|Brunei
BO|BOL|BOL|BOL|Bolivia; BQ|BES|||Caribbean Netherlands; BR|BRA|BRA|BRA|Brazil; BS|BHS|BAH|BAH|Bahamas
BT|BTN|BHU|BHU|Bhutan; BV|BVT|||Bouvet Island; BW|BWA|BOT|BOT|Botswana; BY|BLR|BLR|BLR|Belarus; BZ|BLZ|BIZ|BLZ|Belize
CA|CAN|CAN|CAN|Canada; CC|CCK|||Cocos (Keeling) Islands; CD|COD|COD|COD|Democratic Republic of the Congo
CF|CAF|CAF|CTA|Central African Republic; CG|COG|CGO|CGO|Republic of the Congo; CH|CHE|SUI|SUI|Switzerland
CI|CIV|CIV|CIV|Côte d'Ivoire; CK|COK|COK|COK|Cook Islands; CL|CHL|CHI|CHI|Chile; CM|CMR|CMR|CMR|Cameroon
CN|CHN|CHN|CHN|China; CO|COL|COL|COL|Colombia; CR|CRI|CRC|CRC|Costa Rica; CU|CUB|CUB|CUB|Cuba
CV|CPV|CPV|CPV|Cape Verde; CW|CUW||CUW|Curaçao; CX|CXR|||Christmas Island; CY|CYP|CYP|CYP|Cyprus
CZ|CZE|CZE|CZE|Czechia; DE|DEU|GER|GER|Germany; DJ|DJI|DJI|DJI|Djibouti; DK|DNK|DEN|DEN|Denmark
DM|DMA|DMA|DMA|Dominica; DO|DOM|DOM|DOM|Dominican Republic; DZ|DZA|ALG|ALG|Algeria; EC|ECU|ECU|ECU|Ecuador
EE|EST|EST|EST|Estonia; EG|EGY|EGY|EGY|Egypt; EH|ESH|||Western Sahara; ER|ERI|ERI|ERI|Eritrea; ES|ESP|ESP|ESP|Spain
ET|ETH|ETH|ETH|Ethiopia; FI|FIN|FIN|FIN|Finland; FJ|FJI|FIJ|FIJ|Fiji; FK|FLK|||Falkland Islands
FM|FSM|FSM||Micronesia; FO|FRO|FAR|FRO|Faroe Islands; FR|FRA|FRA|FRA|France; GA|GAB|GAB|GAB|Gabon
GB|GBR|GBR||United Kingdom; GD|GRD|GRN|GRN|Grenada; GE|GEO|GEO|GEO|Georgia; GF|GUF||GUF|French Guiana
GG|GGY|||Guernsey; GH|GHA|GHA|GHA|Ghana; GI|GIB|GIB|GIB|Gibraltar; GL|GRL|||Greenland; GM|GMB|GAM|GAM|Gambia
GN|GIN|GUI|GUI|Guinea; GP|GLP||GLP|Guadeloupe; GQ|GNQ|GEQ|EQG|Equatorial Guinea; GR|GRC|GRE|GRE|Greece
GS|SGS|||South Georgia and South Sandwich Islands; GT|GTM|GUA|GUA|Guatemala; GU|GUM|GUM|GUM|Guam
GW|GNB|GBS|GNB|Guinea-Bissau; GY|GUY|GUY|GUY|Guyana; HK|HKG|HKG|HKG|Hong Kong; HM|HMD|||Heard and McDonald Islands
HN|HND|HON|HON|Honduras; HR|HRV|CRO|CRO|Croatia; HT|HTI|HAI|HAI|Haiti; HU|HUN|HUN|HUN|Hungary
ID|IDN|INA|IDN|Indonesia; IE|IRL|IRL|IRL|Ireland; IL|ISR|ISR|ISR|Israel; IM|IMN|||Isle of Man; IN|IND|IND|IND|India
IO|IOT|||British Indian Ocean Territory; IQ|IRQ|IRQ|IRQ|Iraq; IR|IRN|IRI|IRN|Iran; IS|ISL|ISL|ISL|Iceland
IT|ITA|ITA|ITA|Italy; JE|JEY|||Jersey; JM|JAM|JAM|JAM|Jamaica; JO|JOR|JOR|JOR|Jordan; JP|JPN|JPN|JPN|Japan
KE|KEN|KEN|KEN|Kenya; KG|KGZ|KGZ|KGZ|Kyrgyzstan; KH|KHM|CAM|CAM|Cambodia; KI|KIR|KIR|KIR|Kiribati
KM|COM|COM|COM|Comoros; KN|KNA|SKN|SKN|Saint Kitts and Nevis; KP|PRK|PRK|PRK|North Korea; KR|KOR|KOR|KOR|South Korea
KW|KWT|KUW|KUW|Kuwait; KY|CYM|CAY|CAY|Cayman Islands; KZ|KAZ|KAZ|KAZ|Kazakhstan; LA|LAO|LAO|LAO|Laos
LB|LBN|LBN|LBN|Lebanon; LC|LCA|LCA|LCA|Saint Lucia; LI|LIE|LIE|LIE|Liechtenstein; LK|LKA|SRI|SRI|Sri Lanka
LR|LBR|LBR|LBR|Liberia; LS|LSO|LES|LES|Lesotho; LT|LTU|LTU|LTU|Lithuania; LU|LUX|LUX|LUX|Luxembourg
LV|LVA|LAT|LVA|Latvia; LY|LBY|LBA|LBY|Libya; MA|MAR|MAR|MAR|Morocco; MC|MCO|MON||Monaco; MD|MDA|MDA|MDA|Moldova
ME|MNE|MNE|MNE|Montenegro; MF|MAF|||Saint Martin; MG|MDG|MAD|MAD|Madagascar; MH|MHL|MHL||Marshall Islands
MK|MKD|MKD|MKD|North Macedonia; ML|MLI|MLI|MLI|Mali; MM|MMR|MYA|MYA|Myanmar; MN|MNG|MGL|MNG|Mongolia
MO|MAC||MAC|Macao; MP|MNP|NMA|NMI|Northern Mariana Islands; MQ|MTQ||MTQ|Martinique; MR|MRT|MTN|MTN|Mauritania
MS|MSR||MSR|Montserrat; MT|MLT|MLT|MLT|Malta; MU|MUS|MRI|MRI|Mauritius; MV|MDV|MDV|MDV|Maldives; MW|MWI|MAW|MWI|Malawi
MX|MEX|MEX|MEX|Mexico; MY|MYS|MAS|MAS|Malaysia; MZ|MOZ|MOZ|MOZ|Mozambique; NA|NAM|NAM|NAM|Namibia
NC|NCL||NCL|New Caledonia; NE|NER|NIG|NIG|Niger; NF|NFK|||Norfolk Island; NG|NGA|NGR|NGA|Nigeria
NI|NIC|NCA|NCA|Nicaragua; NL|NLD|NED|NED|Netherlands; NO|NOR|NOR|NOR|Norway; NP|NPL|NEP|NEP|Nepal; NR|NRU|NRU||Nauru
NU|NIU|||Niue; NZ|NZL|NZL|NZL|New Zealand; OM|OMN|OMA|OMA|Oman; PA|PAN|PAN|PAN|Panama; PE|PER|PER|PER|Peru
PF|PYF||TAH|French Polynesia; PG|PNG|PNG|PNG|Papua New Guinea; PH|PHL|PHI|PHI|Philippines; PK|PAK|PAK|PAK|Pakistan
PL|POL|POL|POL|Poland; PM|SPM|||Saint Pierre and Miquelon; PN|PCN|||Pitcairn; PR|PRI|PUR|PUR|Puerto Rico
PS|PSE|PLE|PLE|Palestine; PT|PRT|POR|POR|Portugal; PW|PLW|PLW||Palau; PY|PRY|PAR|PAR|Paraguay; QA|QAT|QAT|QAT|Qatar
RE|REU||REU|Réunion; RO|ROU|ROU|ROU|Romania; RS|SRB|SRB|SRB|Serbia; RU|RUS|RUS|RUS|Russia; RW|RWA|RWA|RWA|Rwanda
SA|SAU|KSA|KSA|Saudi Arabia; SB|SLB|SOL|SOL|Solomon Islands; SC|SYC|SEY|SEY|Seychelles; SD|SDN|SUD|SDN|Sudan
SE|SWE|SWE|SWE|Sweden; SG|SGP|SGP|SGP|Singapore; SH|SHN|||Saint Helena; SI|SVN|SLO|SVN|Slovenia
SJ|SJM|||Svalbard and Jan Mayen; SK|SVK|SVK|SVK|Slovakia; SL|SLE|SLE|SLE|Sierra Leone; SM|SMR|SMR|SMR|San Marino
SN|SEN|SEN|SEN|Senegal; SO|SOM|SOM|SOM|Somalia; SR|SUR|SUR|SUR|Suriname; SS|SSD|SSD|SSD|South Sudan
ST|STP|STP|STP|São Tomé and Príncipe; SV|SLV|ESA|SLV|El Salvador; SX|SXM|||Sint Maarten; SY|SYR|SYR|SYR|Syria
SZ|SWZ|SWZ|SWZ|Eswatini; TC|TCA||TCA|Turks and Caicos Islands; TD|TCD|CHA|CHA|Chad
TF|ATF|||French Southern Territories; TG|TGO|TOG|TOG|Togo; TH|THA|THA|THA|Thailand; TJ|TJK|TJK|TJK|Tajikistan
TK|TKL|||Tokelau; TL|TLS|TLS|TLS|Timor-Leste; TM|TKM|TKM|TKM|Turkmenistan; TN|TUN|TUN|TUN|Tunisia
TO|TON|TGA|TGA|Tonga; TR|TUR|TUR|TUR|Türkiye; TT|TTO|TTO|TRI|Trinidad and Tobago; TV|TUV|TUV|TUV|Tuvalu
TW|TWN|TPE|TPE|Taiwan; TZ|TZA|TAN|TAN|Tanzania; UA|UKR|UKR|UKR|Ukraine; UG|UGA|UGA|UGA|Uganda
UM|UMI|||United States Minor Outlying Islands; US|USA|USA|USA|United States; UY|URY|URU|URU|Uruguay
UZ|UZB|UZB|UZB|Uzbekistan; VA|VAT|||Vatican City; VC|VCT|VIN|VIN|Saint Vincent and Grenadines
VE|VEN|VEN|VEN|Venezuela; VG|VGB|IVB|VGB|British Virgin Islands; VI|VIR|ISV|VIR|U.S. Virgin Islands
VN|VNM|VIE|VIE|Vietnam; VU|VUT|VAN|VAN|Vanuatu; WF|WLF|||Wallis and Futuna; WS|WSM|SAM|SAM|Samoa
XK|XKX|KOS|KVX|Kosovo; YE|YEM|YEM|YEM|Yemen; YT|MYT|||Mayotte; ZA|ZAF|RSA|RSA|South Africa; ZM|ZMB|ZAM|ZAM|Zambia
ZW|ZWE|ZIM|ZIM|Zimbabwe; GB-ENG|||ENG|England; GB-NIR|||NIR|Northern Ireland; GB-SCT|||SCO|Scotland
GB-WLS|||WAL|Wales
`;

const orNull = (code: string | undefined): string | null => (code === undefined || code === '' ? null : code);

const countries: ReadonlyMap<string, Country> = new Map(
  table
    .trim()
    .split(/;\s*|\n/)
    .map((row) => {
      const [code = '', alpha3, ioc, fifa, name = ''] = row.split('|');
      return [code, { name, alpha3: orNull(alpha3), ioc: orNull(ioc), fifa: orNull(fifa) }];
    }),
);

/** ISO codes, then the home nations. */
export const countryCodes: readonly string[] = [...countries.keys()];

/** Former IOC codes, which occur in older results. */
const formerIocCodes = { HOL: 'NL', LIB: 'LB', MSH: 'MH', ROM: 'RO', SIN: 'SG', TRI: 'TT' } as const;

const inverse = (scheme: 'alpha3' | 'ioc' | 'fifa'): Map<string, string> =>
  new Map([...countries].flatMap(([code, row]) => (row[scheme] === null ? [] : [[row[scheme], code]])));

const byAlpha3 = inverse('alpha3');
const byIoc = new Map([...Object.entries(formerIocCodes), ...inverse('ioc')]);
const byFifa = inverse('fifa');

/** True for an upper-case ISO 3166-1 alpha-2 code, `XK` and the home nations `GB-ENG`, `GB-NIR`, `GB-SCT`, `GB-WLS`. */
export function isCountry(code: string): boolean {
  return countries.has(code);
}

/** The row of a country; undefined for an unknown code. */
export function country(code: string): Country | undefined {
  return countries.get(code);
}

/** The short English name of a country; undefined for an unknown code. */
export function countryName(code: string): string | undefined {
  return countries.get(code)?.name;
}

/** The country code for an ISO 3166-1 alpha-3 code: DEU returns DE, GER returns undefined. */
export function countryByAlpha3(alpha3: string): string | undefined {
  return byAlpha3.get(alpha3);
}

/** The country code for an IOC code, including former codes: GER returns DE, SIN returns SG. */
export function countryByIoc(ioc: string): string | undefined {
  return byIoc.get(ioc);
}

/** The country code for a FIFA code: ENG returns GB-ENG. */
export function countryByFifa(fifa: string): string | undefined {
  return byFifa.get(fifa);
}
