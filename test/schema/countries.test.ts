/** Country codes in both directions. */
import { describe, expect, test } from '@jest/globals';
import {
  country,
  countryByAlpha3,
  countryByFifa,
  countryByIoc,
  countryCodes,
  countryName,
  isCountry,
} from '../../schema/countries.ts';
import { scalars } from '../../schema/scalars.ts';

const schemes = { alpha3: countryByAlpha3, ioc: countryByIoc, fifa: countryByFifa } as const;

describe('countries', () => {
  test('contain all 249 ISO countries, Kosovo and the four home nations exactly once', () => {
    expect(countryCodes).toHaveLength(249 + 1 + 4);
    expect(new Set(countryCodes).size).toBe(countryCodes.length);
  });

  test('all 206 National Olympic Committees and 211 FIFA members have a code', () => {
    const notOlympic = ['FO', 'GI', 'MP'];
    const associates = ['GF', 'GP', 'KI', 'MP', 'MQ', 'RE', 'TV'];
    expect(countryCodes.filter((code) => country(code)?.ioc && !notOlympic.includes(code))).toHaveLength(206);
    expect(countryCodes.filter((code) => country(code)?.fifa && !associates.includes(code))).toHaveLength(211);
  });

  test.each(['alpha3', 'ioc', 'fifa'] as const)('an %s code maps to one country and back', (scheme) => {
    for (const code of countryCodes) {
      const foreign = country(code)?.[scheme];
      if (foreign) expect([foreign, schemes[scheme](foreign)]).toEqual([foreign, code]);
    }
  });

  test('every code is well-formed, has a name, and is a value of CountryCode', () => {
    for (const code of countryCodes) {
      expect(code).toMatch(/^[A-Z]{2}$|^GB-(ENG|NIR|SCT|WLS)$/);
      expect(scalars.CountryCode.accepts(code)).toBe(true);
      expect(countryName(code)).toMatch(/^\S.*\S$/);
      for (const scheme of ['alpha3', 'ioc', 'fifa'] as const) expect(country(code)?.[scheme] ?? 'NIL').toMatch(/^[A-Z]{3}$/);
    }
  });

  test('only home nations have no alpha-3 code', () => {
    expect(countryCodes.filter((code) => country(code)?.alpha3 === null)).toEqual(['GB-ENG', 'GB-NIR', 'GB-SCT', 'GB-WLS']);
  });

  test.each([
    ['DE', 'DEU', 'GER', 'GER'],
    ['NL', 'NLD', 'NED', 'NED'],
    ['CH', 'CHE', 'SUI', 'SUI'],
    ['LV', 'LVA', 'LAT', 'LVA'],
    ['BH', 'BHR', 'BRN', 'BHR'],
    ['BN', 'BRN', 'BRU', 'BRU'],
    ['IR', 'IRN', 'IRI', 'IRN'],
    ['TT', 'TTO', 'TTO', 'TRI'],
    ['ME', 'MNE', 'MNE', 'MNE'],
    ['XK', 'XKX', 'KOS', 'KVX'],
    ['GB', 'GBR', 'GBR', null],
    ['GB-ENG', null, null, 'ENG'],
    ['GB-SCT', null, null, 'SCO'],
    ['GB-WLS', null, null, 'WAL'],
    ['GB-NIR', null, null, 'NIR'],
  ])('%s is %s to ISO, %s to the IOC and %s to FIFA', (code, alpha3, ioc, fifa) => {
    expect(country(code)).toMatchObject({ alpha3, ioc, fifa });
  });

  test('a code of one scheme does not match another scheme', () => {
    expect(countryByAlpha3('GER')).toBeUndefined();
    expect(countryByIoc('DEU')).toBeUndefined();
    expect(countryByAlpha3('BRN')).toBe('BN');
    expect(countryByIoc('BRN')).toBe('BH');
  });

  test('a former IOC code still maps to its country', () => {
    expect(countryByIoc('SIN')).toBe('SG');
    expect(countryByIoc('HOL')).toBe('NL');
  });

  test.each(['UK', 'EU', 'ZZ', 'de', 'DEU', '', 'GB-XXX', 'constructor'])('%p is not a country', (code) => {
    expect(isCountry(code)).toBe(false);
    expect(countryName(code)).toBeUndefined();
  });
});
