/**
 * Countries and their IOC codes, which differ from ISO 3166-1: DE is GER.
 * In addition to ISO, the list contains Kosovo (user-assigned XK) and the four home nations, which have their own teams in some sports.
 * An empty IOC column means no National Olympic Committee; NMA, FAR and GIB are codes of World Aquatics, not of NOCs.
 */
export interface Country {
  readonly name: string;
  readonly ioc: string | null;
}

// ISO 3166-1 alpha-2 (or ISO 3166-2 for a home nation) | IOC | name
const table = `
AD|AND|Andorra; AE|UAE|United Arab Emirates; AF|AFG|Afghanistan; AG|ANT|Antigua and Barbuda; AI||Anguilla; AL|ALB|Albania
AM|ARM|Armenia; AO|ANG|Angola; AQ||Antarctica; AR|ARG|Argentina; AS|ASA|American Samoa; AT|AUT|Austria; AU|AUS|Australia
AW|ARU|Aruba; AX||Åland Islands; AZ|AZE|Azerbaijan; BA|BIH|Bosnia and Herzegovina; BB|BAR|Barbados; BD|BAN|Bangladesh
BE|BEL|Belgium; BF|BUR|Burkina Faso; BG|BUL|Bulgaria; BH|BRN|Bahrain; BI|BDI|Burundi; BJ|BEN|Benin; BL||Saint Barthélemy
BM|BER|Bermuda; BN|BRU|Brunei; BO|BOL|Bolivia; BQ||Caribbean Netherlands; BR|BRA|Brazil; BS|BAH|Bahamas; BT|BHU|Bhutan
BV||Bouvet Island; BW|BOT|Botswana; BY|BLR|Belarus; BZ|BIZ|Belize; CA|CAN|Canada; CC||Cocos (Keeling) Islands
CD|COD|Democratic Republic of the Congo; CF|CAF|Central African Republic; CG|CGO|Republic of the Congo; CH|SUI|Switzerland
CI|CIV|Côte d'Ivoire; CK|COK|Cook Islands; CL|CHI|Chile; CM|CMR|Cameroon; CN|CHN|China; CO|COL|Colombia; CR|CRC|Costa Rica
CU|CUB|Cuba; CV|CPV|Cape Verde; CW||Curaçao; CX||Christmas Island; CY|CYP|Cyprus; CZ|CZE|Czechia; DE|GER|Germany
DJ|DJI|Djibouti; DK|DEN|Denmark; DM|DMA|Dominica; DO|DOM|Dominican Republic; DZ|ALG|Algeria; EC|ECU|Ecuador; EE|EST|Estonia
EG|EGY|Egypt; EH||Western Sahara; ER|ERI|Eritrea; ES|ESP|Spain; ET|ETH|Ethiopia; FI|FIN|Finland; FJ|FIJ|Fiji
FK||Falkland Islands; FM|FSM|Micronesia; FO|FAR|Faroe Islands; FR|FRA|France; GA|GAB|Gabon; GB|GBR|United Kingdom
GD|GRN|Grenada; GE|GEO|Georgia; GF||French Guiana; GG||Guernsey; GH|GHA|Ghana; GI|GIB|Gibraltar; GL||Greenland; GM|GAM|Gambia
GN|GUI|Guinea; GP||Guadeloupe; GQ|GEQ|Equatorial Guinea; GR|GRE|Greece; GS||South Georgia and South Sandwich Islands
GT|GUA|Guatemala; GU|GUM|Guam; GW|GBS|Guinea-Bissau; GY|GUY|Guyana; HK|HKG|Hong Kong; HM||Heard and McDonald Islands
HN|HON|Honduras; HR|CRO|Croatia; HT|HAI|Haiti; HU|HUN|Hungary; ID|INA|Indonesia; IE|IRL|Ireland; IL|ISR|Israel
IM||Isle of Man; IN|IND|India; IO||British Indian Ocean Territory; IQ|IRQ|Iraq; IR|IRI|Iran; IS|ISL|Iceland; IT|ITA|Italy
JE||Jersey; JM|JAM|Jamaica; JO|JOR|Jordan; JP|JPN|Japan; KE|KEN|Kenya; KG|KGZ|Kyrgyzstan; KH|CAM|Cambodia; KI|KIR|Kiribati
KM|COM|Comoros; KN|SKN|Saint Kitts and Nevis; KP|PRK|North Korea; KR|KOR|South Korea; KW|KUW|Kuwait; KY|CAY|Cayman Islands
KZ|KAZ|Kazakhstan; LA|LAO|Laos; LB|LBN|Lebanon; LC|LCA|Saint Lucia; LI|LIE|Liechtenstein; LK|SRI|Sri Lanka; LR|LBR|Liberia
LS|LES|Lesotho; LT|LTU|Lithuania; LU|LUX|Luxembourg; LV|LAT|Latvia; LY|LBA|Libya; MA|MAR|Morocco; MC|MON|Monaco
MD|MDA|Moldova; ME|MNE|Montenegro; MF||Saint Martin; MG|MAD|Madagascar; MH|MHL|Marshall Islands; MK|MKD|North Macedonia
ML|MLI|Mali; MM|MYA|Myanmar; MN|MGL|Mongolia; MO||Macao; MP|NMA|Northern Mariana Islands; MQ||Martinique; MR|MTN|Mauritania
MS||Montserrat; MT|MLT|Malta; MU|MRI|Mauritius; MV|MDV|Maldives; MW|MAW|Malawi; MX|MEX|Mexico; MY|MAS|Malaysia
MZ|MOZ|Mozambique; NA|NAM|Namibia; NC||New Caledonia; NE|NIG|Niger; NF||Norfolk Island; NG|NGR|Nigeria; NI|NCA|Nicaragua
NL|NED|Netherlands; NO|NOR|Norway; NP|NEP|Nepal; NR|NRU|Nauru; NU||Niue; NZ|NZL|New Zealand; OM|OMA|Oman; PA|PAN|Panama
PE|PER|Peru; PF||French Polynesia; PG|PNG|Papua New Guinea; PH|PHI|Philippines; PK|PAK|Pakistan; PL|POL|Poland
PM||Saint Pierre and Miquelon; PN||Pitcairn; PR|PUR|Puerto Rico; PS|PLE|Palestine; PT|POR|Portugal; PW|PLW|Palau
PY|PAR|Paraguay; QA|QAT|Qatar; RE||Réunion; RO|ROU|Romania; RS|SRB|Serbia; RU|RUS|Russia; RW|RWA|Rwanda; SA|KSA|Saudi Arabia
SB|SOL|Solomon Islands; SC|SEY|Seychelles; SD|SUD|Sudan; SE|SWE|Sweden; SG|SGP|Singapore; SH||Saint Helena; SI|SLO|Slovenia
SJ||Svalbard and Jan Mayen; SK|SVK|Slovakia; SL|SLE|Sierra Leone; SM|SMR|San Marino; SN|SEN|Senegal; SO|SOM|Somalia
SR|SUR|Suriname; SS|SSD|South Sudan; ST|STP|São Tomé and Príncipe; SV|ESA|El Salvador; SX||Sint Maarten; SY|SYR|Syria
SZ|SWZ|Eswatini; TC||Turks and Caicos Islands; TD|CHA|Chad; TF||French Southern Territories; TG|TOG|Togo; TH|THA|Thailand
TJ|TJK|Tajikistan; TK||Tokelau; TL|TLS|Timor-Leste; TM|TKM|Turkmenistan; TN|TUN|Tunisia; TO|TGA|Tonga; TR|TUR|Türkiye
TT|TTO|Trinidad and Tobago; TV|TUV|Tuvalu; TW|TPE|Taiwan; TZ|TAN|Tanzania; UA|UKR|Ukraine; UG|UGA|Uganda
UM||United States Minor Outlying Islands; US|USA|United States; UY|URU|Uruguay; UZ|UZB|Uzbekistan; VA||Vatican City
VC|VIN|Saint Vincent and Grenadines; VE|VEN|Venezuela; VG|IVB|British Virgin Islands; VI|ISV|U.S. Virgin Islands
VN|VIE|Vietnam; VU|VAN|Vanuatu; WF||Wallis and Futuna; WS|SAM|Samoa; XK|KOS|Kosovo; YE|YEM|Yemen; YT||Mayotte
ZA|RSA|South Africa; ZM|ZAM|Zambia; ZW|ZIM|Zimbabwe; GB-ENG||England; GB-NIR||Northern Ireland; GB-SCT||Scotland
GB-WLS||Wales
`;

const countries: ReadonlyMap<string, Country> = new Map(
  table
    .trim()
    .split(/;\s*|\n/)
    .map((row) => {
      const [code = '', ioc, name = ''] = row.split('|');
      return [code, { name, ioc: ioc || null }];
    }),
);

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
