/** The names of nations that the World Cup and squad imports know. */
import { describe, expect, test } from '@jest/globals';
import { countryOfFifaCode, fifaNations } from '../../examples/import/countries.ts';
import { dissolvedStateOf, fifaCodeOfName, fifaCodeReason, nationalTeamOf, stateReason } from '../../examples/import/nations.ts';
import { readSquads } from '../../examples/import/squads.ts';
import { isCountry } from '../../schema/countries.ts';
import { readData } from '../open-data.ts';

const dissolved: Readonly<Record<string, string>> = {
  'Soviet Union': '1922 to 1991',
  Yugoslavia: '1918 to 2003',
  Czechoslovakia: '1918 to 1992',
  'East Germany': '1949 to 1990',
};
const reasonOf = (name: string): string | null => {
  const state = dissolvedStateOf(name);
  return state && stateReason(state);
};
const worldCups = Object.entries(readData<Readonly<Record<string, readonly string[]>>>('worldcup/nations.json'));

test.each(worldCups)('every nation of the World Cup %s has a country, or a state that no longer exists', (_, names) => {
  for (const name of names) {
    const code = fifaCodeOfName(name);
    expect([name, isCountry(nationalTeamOf(name)?.country ?? '')]).toEqual([name, true]);
    const period = dissolved[name];
    if (period === undefined) expect([name, isCountry(countryOfFifaCode(code ?? '') ?? '')]).toEqual([name, true]);
    else expect([name, code, reasonOf(name)]).toEqual([name, null, expect.stringContaining(`${name} existed from ${period}`)]);
  }
});

test('every FIFA code is a country of the platform', () => {
  expect(fifaNations.filter((code) => !isCountry(countryOfFifaCode(code) ?? ''))).toEqual([]);
  expect(fifaNations.length).toBeGreaterThanOrEqual(211);
});

// prettier-ignore
test.each(Object.entries({
  'Congo DR': 'COD', 'DR Congo': 'COD', Congo: 'CGO', 'Hong Kong': 'HKG', 'Hong Kong, China': 'HKG', Macau: 'MAC', Palestine: 'PLE',
  'Chinese Taipei': 'TPE', 'Korea Republic': 'KOR', 'Korea DPR': 'PRK', 'IR Iran': 'IRN', 'China PR': 'CHN', 'Türkiye': 'TUR', Turkey: 'TUR',
  'Côte d’Ivoire': 'CIV', "Côte d'Ivoire": 'CIV', 'Cabo Verde': 'CPV', 'The Gambia': 'GAM', Gambia: 'GAM', 'Kyrgyz Republic': 'KGZ',
  'Brunei Darussalam': 'BRU', 'US Virgin Islands': 'VIR', 'British Virgin Islands': 'VGB', 'St. Kitts and Nevis': 'SKN',
  'Saint Kitts & Nevis': 'SKN', 'St Lucia': 'LCA', 'St. Vincent and the Grenadines': 'VIN', 'St. Vincent / Grenadines': 'VIN',
  'Antigua and Barbuda': 'ATG', 'Bosnia and Herzegovina': 'BIH', 'Bosnia-Herzegovina': 'BIH', 'Trinidad and Tobago': 'TRI',
  'São Tomé and Príncipe': 'STP', 'Sao Tome e Principe': 'STP', 'Timor-Leste': 'TLS', Myanmar: 'MYA', Tahiti: 'TAH', Czechia: 'CZE',
  'Turks and Caicos Islands': 'TCA', 'Republic of Ireland': 'IRL', 'North Macedonia': 'MKD', 'FYR Macedonia': 'MKD', Eswatini: 'SWZ',
  'Aotearoa New Zealand': 'NZL', Kosovo: 'KVX', Curacao: 'CUW', USA: 'USA', 'United States': 'USA', 'Viet Nam': 'VIE', Wales: 'WAL',
}))('%s is %s', (name, code) => {
  expect([fifaCodeOfName(name), nationalTeamOf(name)?.name]).toEqual([code, name]);
});

test.each([
  ['West Germany', 'GER', 'Germany'],
  ['Zaire', 'COD', 'DR Congo'],
  ['Serbia and Montenegro', 'SRB', 'Serbia'],
  ['Dutch East Indies', 'IDN', 'Indonesia'],
  ['Upper Volta', 'BFA', 'Burkina Faso'],
])('%s plays as the team of %s', (name, code, team) => {
  expect([fifaCodeOfName(name), nationalTeamOf(name)?.name]).toEqual([code, team]);
});

describe('a rejected nation', () => {
  test.each([
    ['Soviet Union', 'Soviet Union existed from 1922 to 1991 and has no country code, which a national team requires'],
    ['German DR', 'German DR existed from 1949 to 1990 and has no country code, which a national team requires'],
    ['FR Yugoslavia', 'FR Yugoslavia existed from 1992 to 2003 and has no country code, which a national team requires'],
    ['Atlantis', null],
  ])('%s', (name, reason) => {
    expect([fifaCodeOfName(name), reasonOf(name)]).toEqual([null, reason]);
  });

  test('of a squad', () => {
    const squads = [
      { name: 'USSR', fifa_code: 'URS', players: [] },
      { name: 'Nowhere', fifa_code: 'XYZ', players: [] },
    ];
    expect(readSquads(JSON.stringify(squads)).teams.rejected.map(({ reasons }) => reasons)).toEqual([
      ['Soviet Union existed from 1922 to 1991 and has no country code, which a national team requires'],
      ['unknown FIFA code: XYZ'],
    ]);
    expect(fifaCodeReason('')).toBe('unknown FIFA code: (empty)');
  });
});
