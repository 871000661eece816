/** The compared values of an athlete, and the prospect rows. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { metricsOf } from '../../../schema/sports.ts';
import { prospectsOf, type PublishedAthlete } from '../../../subgraphs/scouting/projections/prospects.ts';
import { comparedValuesOf, type PlayedSeason } from '../../../subgraphs/scouting/talent/compared-values.ts';

const season = (of: Partial<PlayedSeason>): PlayedSeason => ({
  sport: 'FOOTBALL',
  seasonId: 's',
  competitionId: 'league',
  eventCode: null,
  source: 'COMPUTED',
  matchesPlayed: 20,
  minutesPlayed: 1800,
  matchesTimed: null,
  asOf: '2026-05-30',
  metrics: [{ key: 'goals', value: 10 }],
  ...of,
});

describe('compared values', () => {
  test('are rates per full match in the last two seasons of the competition with the most matches', () => {
    const seasons = [
      season({ seasonId: 'now', minutesPlayed: 900 }),
      season({ seasonId: 'before', asOf: '2025-05-30', metrics: [{ key: 'goals', value: 4 }] }),
      season({ seasonId: 'long ago', asOf: '2024-05-30', metrics: [{ key: 'goals', value: 30 }] }),
      season({ seasonId: 'cup', competitionId: 'cup', matchesPlayed: 6, minutesPlayed: 540, asOf: '2026-06-10' }),
    ];
    expect(comparedValuesOf(seasons, 'FOOTBALL')).toMatchObject([
      { metric: 'goals', eventCode: '', value: 10, rate: 1, rateBefore: 0.2, matches: 10, matchesBefore: 20 },
    ]);
    expect(comparedValuesOf(seasons, 'TENNIS')).toEqual([]);
  });

  test('ignore competitions that ended more than a year earlier', () => {
    const years = [
      season({
        seasonId: 'junior',
        competitionId: 'juniors',
        minutesPlayed: 3060,
        asOf: '2019-05-30',
        metrics: [{ key: 'goals', value: 3 }],
      }),
      season({ seasonId: 'before', asOf: '2025-05-30', metrics: [{ key: 'goals', value: 20 }] }),
      season({ seasonId: 'now', metrics: [{ key: 'goals', value: 25 }] }),
    ];
    expect(comparedValuesOf(years, 'FOOTBALL')).toMatchObject([{ value: 25, rate: 1.25, rateBefore: 1, asOf: '2026-05-30' }]);
  });

  test('are the computed ones, and the provided ones of metrics that the computed row of the season lacks', () => {
    const computed = season({ minutesPlayed: 900, metrics: [{ key: 'cleanSheets', value: 5 }] });
    const metrics = [
      { key: 'cleanSheets', value: 9 },
      { key: 'tacklesWon', value: 60 },
    ];
    const provided = season({ source: 'PROVIDER', metrics });
    const before = season({ seasonId: 'before', source: 'PROVIDER', asOf: '2025-05-30', metrics });
    expect(comparedValuesOf([before, provided, computed], 'FOOTBALL')).toMatchObject([
      { metric: 'tacklesWon', value: 60, rate: 3, matches: 20, source: 'PROVIDER', rateBefore: 3, matchesBefore: 20 },
      { metric: 'cleanSheets', value: 5, rate: 0.5, matches: 10, source: 'COMPUTED', rateBefore: 0.45 },
    ]);
    const selfReported = season({ source: 'SELF_REPORTED', metrics: [{ key: 'goals', value: 90 }] });
    expect(comparedValuesOf([computed, selfReported], 'FOOTBALL')).toHaveLength(1);
  });

  test('ignore a season with few matches, self-reported seasons, and sums without a number of matches', () => {
    const last = season({ seasonId: 'last', asOf: '2026-05-30' });
    const begun = season({ seasonId: 'begun', asOf: '2026-10-01', matchesPlayed: 2, minutesPlayed: 180 });
    expect(comparedValuesOf([begun, last], 'FOOTBALL')).toMatchObject([{ rate: 0.5, matches: 20, rateBefore: null }]);
    expect(comparedValuesOf([begun], 'FOOTBALL')).toMatchObject([{ rate: 5, matches: 2 }]);
    expect(comparedValuesOf([season({ source: 'SELF_REPORTED' })], 'FOOTBALL')).toEqual([]);
    expect(comparedValuesOf([season({ matchesPlayed: null, minutesPlayed: null })], 'FOOTBALL')).toEqual([]);
  });

  test('are negated if lower is better, and a mark is its own rate for each event', () => {
    const races = [
      season({ sport: 'SWIMMING', eventCode: '50_FREE', matchesPlayed: 3, metrics: [{ key: 'seasonBestMs', value: 22_000 }] }),
      season({
        sport: 'SWIMMING',
        eventCode: '100_FREE',
        matchesPlayed: null,
        metrics: [{ key: 'seasonBestMs', value: 48_000 }],
      }),
    ];
    expect(comparedValuesOf(races, 'SWIMMING')).toMatchObject([
      { eventCode: '50_FREE', metric: 'seasonBestMs', value: 22_000, rate: -22_000, matches: 3 },
      { eventCode: '100_FREE', rate: -48_000, matches: 1 },
    ]);
  });

  test('do not depend on the order of the seasons', () => {
    const some = fc.array(
      fc.record({
        seasonId: fc.constantFrom('a', 'b', 'c'),
        competitionId: fc.constantFrom('league', 'cup', null),
        source: fc.constantFrom('COMPUTED', 'PROVIDER'),
        matchesPlayed: fc.option(fc.integer({ min: 0, max: 40 })),
        minutesPlayed: fc.option(fc.integer({ min: 0, max: 4000 })),
        asOf: fc.option(fc.constantFrom('2024-05-30', '2025-05-30', '2026-05-30')),
        metrics: fc.uniqueArray(
          fc.record({
            key: fc.constantFrom(...metricsOf('FOOTBALL').map(({ key }) => key)),
            value: fc.integer({ min: 0, max: 90 }),
          }),
          { maxLength: 5, selector: ({ key }) => key },
        ),
      }),
      { maxLength: 7 },
    );
    fc.assert(
      fc.property(some, fc.infiniteStream(fc.nat()), (rows, random) => {
        const seasons = rows.map((row, index) =>
          season({ ...row, asOf: row.asOf === null ? null : row.asOf.replace('30', `${10 + index}`) }),
        );
        const shuffled = seasons.map((each) => ({ each, at: random.next().value })).sort((a, b) => a.at - b.at);
        const rates = (of: PlayedSeason[]) =>
          comparedValuesOf(of, 'FOOTBALL').map(({ metric, rate, rateBefore }) => ({ metric, rate, rateBefore }));
        expect(rates(shuffled.map(({ each }) => each))).toEqual(rates(seasons));
        for (const { rate, matches: of } of comparedValuesOf(seasons, 'FOOTBALL'))
          expect(Number.isFinite(rate) && of >= 0).toBe(true);
      }),
    );
  });
});

describe('prospect rows', () => {
  const athlete: PublishedAthlete = {
    id: '00000000-0000-4000-8000-000000000001',
    public: true,
    minor: false,
    dateOfBirth: '2005-05-05',
    birthYear: null,
    sex: 'FEMALE',
    nationalities: ['ES'],
    country: null,
    verified: true,
    heightCm: 170,
    weightKg: null,
    dominantFoot: null,
    dominantHand: null,
    languages: [],
    education: null,
    availability: null,
    seasons: [],
    sports: [
      { sport: 'FOOTBALL', discipline: null, positions: ['LB', 'CM'], level: 'NATIONAL', yearsExperience: null, primary: true },
      { sport: 'TENNIS', discipline: null, positions: [], level: null, yearsExperience: null, primary: false },
    ],
  };
  const rows = (of: Partial<PublishedAthlete>) =>
    prospectsOf({ ...athlete, ...of }, { organizationIds: [], terms: [] }, '2026-11-21');

  test('have one row for each sport, with the group of the first position and the birth quarter', () => {
    expect(rows({})).toMatchObject([
      {
        sport: 'FOOTBALL',
        is_primary: true,
        position_group: 'DF',
        country: 'ES',
        birth_quarter: 2,
        age_band: '21-23',
        refresh_on: '2027-05-05',
      },
      { sport: 'TENNIS', is_primary: false, position_group: '', open_to_opportunities: null },
    ]);
    expect(rows({ dateOfBirth: null, birthYear: 2005 })[0]).toMatchObject({ born_by: '2005-12-31', birth_quarter: null });
  });

  test('are empty for minors and hidden athletes', () => {
    expect(rows({ minor: true })).toEqual([]);
    expect(rows({ public: false })).toEqual([]);
  });
});
