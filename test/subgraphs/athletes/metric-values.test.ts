/** Derived metric values: per match, per 90 minutes and percentiles. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { openDatabase, sql, type Database } from '../../../platform/database/database.ts';
import { areaRole } from '../../../platform/database/roles.ts';
import { metric, metrics } from '../../../schema/metrics.ts';
import { computeMatchRows, computeTotals } from '../../../subgraphs/athletes/statistics/match-statistics.ts';
import { per90, perMatch } from '../../../subgraphs/athletes/statistics/metric-values.ts';
import type { StatisticsRow } from '../../../subgraphs/athletes/statistics/rows.ts';
import { renewCohorts } from '../../../subgraphs/athletes/percentiles/cohorts.ts';
import { cohortMin } from '../../../platform/cohorts.ts';
import { comparableMetric, createPercentiles } from '../../../subgraphs/athletes/percentiles/percentiles.ts';
import type { Context } from '../../../subgraphs/runtime/subgraph.ts';
import { cloneDatabase, type ClonedDatabase } from '../../database.ts';
import { actionCount, id, match, participation } from './participation-fixtures.ts';

const anyPlayed = fc.record({
  matchesPlayed: fc.option(fc.integer({ min: 0, max: 100 })),
  minutesPlayed: fc.option(fc.integer({ min: 0, max: 9_000 })),
  matchesTimed: fc.option(fc.integer({ min: 0, max: 100 })),
});
const keys = Object.keys(metrics);

test('only sums have values per match and per 90 minutes, and nothing is divided by zero', () => {
  fc.assert(
    fc.property(fc.constantFrom(...keys), fc.integer({ min: 0, max: 1_000 }), anyPlayed, (key, value, played) => {
      const [byMatch, byMinutes] = [perMatch(key, value, played), per90(key, value, played)];
      const isSum = metric(key)?.aggregation === 'SUM' && !['matchesPlayed', 'minutesPlayed'].includes(key);
      expect(byMatch !== null).toBe(isSum && !!played.matchesPlayed);
      if (byMatch !== null) expect(byMatch * (played.matchesPlayed ?? 0)).toBeCloseTo(value);
      const known = played.matchesTimed === null || played.matchesTimed === played.matchesPlayed;
      expect(byMinutes !== null).toBe(isSum && !!played.minutesPlayed && known);
      if (byMinutes !== null) expect((byMinutes * (played.minutesPlayed ?? 0)) / 90).toBeCloseTo(value);
    }),
  );
});

test('a season with a match of unknown minutes has no values per 90 minutes', () => {
  const played = (number: number, minutes: number | null) =>
    computeMatchRows(
      match('FOOTBALL', [participation({ inTeam: true, minutes, actions: [actionCount('GOAL', 1)] })], { id: id(2, number) }),
    );
  const seasonOf = (...rows: ReturnType<typeof played>[]) => computeTotals(rows.flat()).find(({ scope }) => scope === 'SEASON');
  const [whole, part] = [seasonOf(played(1, 90), played(2, 45)), seasonOf(played(1, 90), played(2, null))];
  if (!whole || !part) throw new Error('there is no season');
  expect([whole.minutesPlayed, per90('goals', 2, whole), perMatch('goals', 2, whole)]).toEqual([135, 120 / 90, 1]);
  expect([part.minutesPlayed, per90('goals', 2, part), perMatch('goals', 2, part)]).toEqual([90, null, 1]);
});

describe('percentiles', () => {
  let clone: ClonedDatabase;
  let database: Database;
  const athlete = id(1, 1);
  beforeAll(async () => {
    clone = await cloneDatabase();
    database = openDatabase({ url: clone.urlAs(areaRole('athletes')), name: 'test-percentiles', poolSize: 2 });
    await database.query(sql`/* test.athletes */ insert into athlete (id, account_id, status, display_name, adult_from, sex, nationalities, sports, sport_codes,
        availability, visibility, verification, search)
      select ('00000000-0000-4000-8001-' || lpad(n::text, 12, '0'))::uuid, gen_random_uuid(), 'ACTIVE', 'A', '2001-01-01', 'FEMALE', '{}', '[]', '{}', '{}',
        'PUBLIC', '{}', '' from generate_series(1, ${cohortMin}::int) n`);
    await database.query(sql`/* test.statistics */ insert into statistics (account_id, athlete_id, scope, sport, season_id, metrics, source, matches_played)
      select account_id, id, 'SEASON', 'FOOTBALL', gen_random_uuid(), '[]', 'PROVIDER', 1 from athlete`);
  });
  afterAll(async () => {
    await database.close();
    await clone.drop();
  });

  /** Sets the statistics of the athletes. */
  async function did30(key: 'goals' | 'redCards', values: readonly number[]): Promise<void> {
    await database.query(sql`/* test.clear */ delete from statistic_metric`);
    await database.query(sql`/* test.metrics */ insert into statistic_metric (statistics_id, key, value)
      select s.id, ${key}, v.value from (select id, row_number() over () as n from statistics) s
      join unnest(${values}::float8[]) with ordinality as v(value, n) using (n)`);
    await renewCohorts(database, 'FOOTBALL', key);
  }
  const compare = async (key: string, values: readonly number[]) => {
    const requested = values.map((value) => ({
      athleteId: athlete,
      sport: 'FOOTBALL' as const,
      eventCode: null,
      metric: key,
      value,
    }));
    return createPercentiles({ database })(requested, {} as Context);
  };

  const anyValues = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: cohortMin, maxLength: cohortMin });

  test.each(['goals', 'redCards'] as const)('of %s rise with better values, between 0 and 100', async (key) => {
    await fc.assert(
      fc.asyncProperty(anyValues, async (values) => {
        await did30(key, values);
        const better = Array.from({ length: 43 }, (_, index) => (key === 'goals' ? index - 1 : 41 - index));
        const found = (await compare(key, better)).map((standing) => standing?.percentile ?? -1);
        expect(found).toEqual(found.toSorted((one, other) => one - other));
        expect([found[0], found.at(-1)]).toEqual([0, 100]);
      }),
      { numRuns: 10 },
    );
  });

  test('compare sums per full match, so that more matches alone are no advantage', async () => {
    const goals = Array.from({ length: cohortMin }, (_, index) => index + 1);
    const setMatches = (matches: readonly number[]) =>
      database.query(sql`/* test.matches */ update statistics set matches_played = v.matches
        from (select id, row_number() over () as n from statistics) s
        join unnest(${matches}::int[]) with ordinality as v(matches, n) using (n) where s.id = statistics.id`);
    await setMatches(goals);
    await did30('goals', goals);
    expect((await compare('goals', [1, 0.9])).map((standing) => standing?.percentile)).toEqual([50, 0]);
    await setMatches(goals.map(() => 1));
    const row = {
      scope: 'SEASON',
      source: 'PROVIDER',
      sport: 'FOOTBALL',
      matchesPlayed: 20,
      minutesPlayed: 900,
      matchesTimed: null,
    };
    const compared = (key: string, more: object = {}) =>
      // Cast: the members that the function reads
      comparableMetric({ key, value: 12, row: { ...row, ...more } as StatisticsRow })?.value;
    expect([compared('goals'), compared('goals', { minutesPlayed: null }), compared('passAccuracyPct')]).toEqual([1.2, 0.6, 12]);
    expect(compared('goals', { minutesPlayed: null, matchesPlayed: null })).toBeUndefined();
  });

  test('are null when the cohort shrinks below thirty', async () => {
    await did30(
      'goals',
      Array.from({ length: cohortMin }, (_, index) => index),
    );
    expect((await compare('goals', [29]))[0]).toMatchObject({ percentile: 100, cohort: { n: cohortMin, widened: [] } });
    await database.query(sql`/* test.hide */ update athlete set visibility = 'PRIVATE' where id = ${id(1, 7)}`);
    await renewCohorts(database, 'FOOTBALL', 'goals');
    expect(await compare('goals', [29])).toEqual([null]);
  });
});
