/** Countries and their IOC codes. */
import { describe, expect, test } from '@jest/globals';
import { country, countryName, isCountry } from '../../schema/countries.ts';
import { scalars } from '../../schema/scalars.ts';

const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
const homeNations = ['GB-ENG', 'GB-NIR', 'GB-SCT', 'GB-WLS'];
const countryCodes = [...letters.flatMap((one) => letters.map((other) => one + other)), ...homeNations].filter(isCountry);

describe('countries', () => {
  test('contain all 249 ISO countries, Kosovo and the four home nations', () => {
    expect(countryCodes).toHaveLength(249 + 1 + 4);
  });

  test('all 206 National Olympic Committees have a separate code', () => {
    const notOlympic = ['FO', 'GI', 'MP'];
    const olympic = countryCodes.filter((code) => country(code)?.ioc && !notOlympic.includes(code));
    expect(olympic).toHaveLength(206);
    expect(new Set(olympic.map((code) => country(code)?.ioc)).size).toBe(206);
  });

  test('every code is well-formed, has a name, and is a value of CountryCode', () => {
    for (const code of countryCodes) {
      expect(scalars.CountryCode.accepts(code)).toBe(true);
      expect(countryName(code)).toMatch(/^\S.*\S$/);
      expect(country(code)?.ioc ?? 'NIL').toMatch(/^[A-Z]{3}$/);
    }
  });

  test.each([
    ['DE', 'GER'],
    ['NL', 'NED'],
    ['CH', 'SUI'],
    ['LV', 'LAT'],
    ['BH', 'BRN'],
    ['BN', 'BRU'],
    ['IR', 'IRI'],
    ['TT', 'TTO'],
    ['ME', 'MNE'],
    ['XK', 'KOS'],
    ['GB', 'GBR'],
    ['GB-ENG', null],
  ])('%s is %s to the IOC', (code, ioc) => {
    expect(country(code)).toMatchObject({ ioc });
  });

  test.each(['UK', 'EU', 'ZZ', 'de', 'DEU', '', 'GB-XXX', 'constructor'])('%p is not a country', (code) => {
    expect(isCountry(code)).toBe(false);
    expect(countryName(code)).toBeUndefined();
  });
});
