/** Percentiles among the knots of a cohort, computed by PostgreSQL. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { percentileAmong, percentileOf, selectCohorts } from '../../platform/cohorts.ts';
import { openDatabase, sql, type Database } from '../../platform/database/database.ts';
import { cloneDatabase, type ClonedDatabase } from '../database.ts';

let clone: ClonedDatabase;
let database: Database;
beforeAll(async () => {
  clone = await cloneDatabase();
  database = openDatabase({ url: clone.ownerUrl, name: 'test-cohorts', poolSize: 1 });
});
afterAll(async () => {
  await database.close();
  await clone.drop();
});

/** The percentiles of values in the cohort of members. */
async function percentilesOf(members: readonly number[], values: readonly number[]): Promise<(number | null)[]> {
  const rows = await database.query<{ percentile: number | null }>(sql`/* test.percentiles */
    with grouped as (select '' as metric, 'MALE' as sex, null as age_band, null as position_group, null as level, value
        from unnest(${[...members]}::float8[]) value),
      cohort as (${selectCohorts(sql`metric`)})
    select ${percentileAmong(sql`v.value`, sql`cohort.knots`)} as percentile
    from unnest(${[...values]}::float8[]) with ordinality v(value, place) cross join cohort order by v.place`);
  return rows.map(({ percentile }) => percentile);
}

test('equal values have the middle of their places, in both directions', async () => {
  const mostlyZero = [...Array<number>(29).fill(0), 1, 2, 3];
  expect(await percentilesOf(mostlyZero, [0, 1, 2, 3, -1, 4])).toEqual([45, 93, 96, 100, 0, 100]);
  const negated = mostlyZero.map((each) => -each).sort((one, other) => one - other);
  expect(await percentilesOf(negated, [-3, 0])).toEqual([0, 55]);
  expect(await percentilesOf(Array<number>(40).fill(7), [6, 7, 8])).toEqual([0, 50, 100]);
});

test('a percentile is near the share below and half the share of equal values, and never falls with a better value', async () => {
  const members = fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 30, maxLength: 200 });
  await fc.assert(
    fc.asyncProperty(members, async (all) => {
      const values = [-1, 0, 1, 1.5, 2, 3, 4, 5, 6, 7];
      const found = await percentilesOf(all, values);
      expect(found).toEqual(found.toSorted((one, other) => (one ?? 0) - (other ?? 0)));
      values.forEach((value, place) => {
        const below = all.filter((each) => each < value).length;
        const equal = all.filter((each) => each === value).length;
        const exact = (100 * (below + equal / 2)) / all.length;
        expect(Math.abs((found[place] ?? NaN) - exact)).toBeLessThan(100 / all.length + 2);
      });
    }),
    { numRuns: 60 },
  );
});

test('a missing value has no percentile', async () => {
  const [row] = await database.query<{ percentile: number | null }>(
    sql`/* test.missing */ select ${percentileAmong(sql`null::float8`, sql`array[1, 2]::float8[]`)} as percentile`,
  );
  expect(row).toEqual({ percentile: null });
  expect([percentileOf(0, 0), percentileOf(0, 101), percentileOf(101, 101)]).toEqual([0, 50, 100]);
});
