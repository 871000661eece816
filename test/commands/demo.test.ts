/** The building blocks of the demo data: randomness, names, places. */
import { describe, expect, test } from '@jest/globals';
import { demoCountries, generateName, namesOf } from '../../commands/demo/names.ts';
import { generateCity, generateClubName, generateUniversityName } from '../../commands/demo/places.ts';
import { openRandom } from '../../platform/random.ts';
import { isCountry } from '../../schema/countries.ts';

describe('the seeded random source', () => {
  test('equal seeds give equal data, other seeds and forks other data', () => {
    const ten = (seed: string) => Array.from({ length: 10 }, openRandom(seed).fraction);
    expect(ten('demo')).toEqual(ten('demo'));
    expect(ten('demo')).not.toEqual(ten('demo2'));
    const source = openRandom('demo');
    const fork = source.fork('clubs');
    expect(fork.uuid()).toBe(openRandom('demo').fork('clubs').uuid());
    expect(fork.uuid()).not.toBe(source.uuid());
    expect(source.uuid()).not.toBe(openRandom('demo').uuid());
  });

  test('values stay within their bounds and reach both ends', () => {
    const random = openRandom('bounds');
    const rolls = Array.from({ length: 600 }, () => random.integer(1, 6));
    expect([...new Set(rolls)].sort()).toEqual([1, 2, 3, 4, 5, 6]);
    const days = Array.from({ length: 100 }, () => random.dateBetween('2024-02-28', '2024-03-01'));
    expect([...new Set(days)].sort()).toEqual(['2024-02-28', '2024-02-29', '2024-03-01']);
    for (let draw = 0; draw < 1000; draw += 1) expect(Math.abs(random.normal(0, 10, -5, 5))).toBeLessThanOrEqual(5);
    expect(random.sample([1, 2, 3], 9).sort()).toEqual([1, 2, 3]);
  });

  test('normal values have their mean and deviation, weighted choices their weights', () => {
    const random = openRandom('distributions');
    const heights = Array.from({ length: 20_000 }, () => random.normal(180, 7));
    const mean = heights.reduce((sum, height) => sum + height, 0) / heights.length;
    const deviation = Math.sqrt(heights.reduce((sum, height) => sum + (height - mean) ** 2, 0) / heights.length);
    expect(mean).toBeCloseTo(180, 0);
    expect(deviation).toBeCloseTo(7, 0);
    const rare = Array.from({ length: 20_000 }, () =>
      random.weighted([
        ['never', 0],
        ['rare', 1],
        ['common', 9],
      ] as const),
    );
    expect(rare).not.toContain('never');
    expect(rare.filter((item) => item === 'rare').length / rare.length).toBeCloseTo(0.1, 1);
  });

  test('ids have the shape of a version 4 UUID', () => {
    const random = openRandom('ids');
    const ids = Array.from({ length: 1000 }, random.uuid);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('an impossible draw throws', () => {
    const random = openRandom('impossible');
    expect(() => random.pick([])).toThrow(RangeError);
    expect(() => random.weighted([['a', 0]])).toThrow(RangeError);
    expect(() => random.dateBetween('2024-01-02', '2024-01-01')).toThrow(RangeError);
  });
});

describe('invented people and places', () => {
  test.each(demoCountries)('%s: a real country with at least twenty different names of each kind', (country) => {
    expect(isCountry(country)).toBe(true);
    for (const { given, family } of Object.values(namesOf(country))) {
      for (const names of [given, family]) {
        expect(names.length).toBeGreaterThanOrEqual(20);
        expect(new Set(names.map(({ latin }) => latin)).size).toBe(names.length);
        for (const { latin } of names) expect(latin).toMatch(/^\p{L}[\p{L}\p{M}'. -]*$/u);
        expect(new Set([...given, ...family].map(({ native }) => native === null)).size).toBe(1);
      }
    }
  });

  test.each(demoCountries)('%s: names of clubs and universities are complete', (country) => {
    const random = openRandom(country);
    for (let draw = 0; draw < 50; draw += 1) {
      const city = generateCity(random, country);
      for (const name of [generateClubName(random, country, city), generateUniversityName(random, country, city)]) {
        expect(name).toContain(city);
        expect(name).not.toMatch(/[{}]|undefined/);
      }
    }
  });

  test('native names are in the name order of their country', () => {
    const random = openRandom('native');
    expect(generateName(random, 'JP', 'FEMALE').native).toMatch(/^[\p{Script=Han}]+ [\p{Script=Han}\p{Script=Hiragana}]+$/u);
    expect(generateName(random, 'KR', 'MALE').native).toMatch(/^\p{Script=Hangul}{2,4}$/u);
    expect(generateName(random, 'GR', 'FEMALE').native).toMatch(/^\p{Script=Greek}+ \p{Script=Greek}+$/u);
    expect(generateName(random, 'DE', 'MALE').native).toBeNull();
  });

  test('family names agree with the sex where the country has two forms, and are double in Spain', () => {
    expect(namesOf('PL').FEMALE.family.map(({ latin }) => latin)).toContain('Kowalska');
    expect(namesOf('PL').MALE.family.map(({ latin }) => latin)).toContain('Kowalski');
    expect(generateName(openRandom('pair'), 'ES', 'MALE').familyName).toMatch(/^\S+ \S+$/);
  });
});
