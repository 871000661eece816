/** Cohorts of metric values (docs/matching.md): groups of comparable athletes, stored as 101 percentile values (`knots`) each. */
import { sql, type Database, type Queryable, type Sql } from './database/database.ts';

/** Minimum cohort size; members of smaller groups are compared with a wider cohort. */
export const cohortMin = 30;
const fractions = Array.from({ length: 101 }, (_, index) => index / 100);

/**
 * Selects cohorts with their size and percentile values from a relation `grouped` of sex, age_band, position_group, level and value, which are
 * null if unknown. Wider cohorts drop the level, then the age, and the position last: the values of a goalkeeper say nothing about a forward.
 * A dropped dimension is an empty text.
 * @param by columns of `grouped` that are never dropped, in addition to sex
 */
export function selectCohorts(by: Sql): Sql {
  return sql`select ${by}, sex, coalesce(age_band, '') as age_band, coalesce(position_group, '') as position_group, coalesce(level, '') as level,
      count(*) as size, percentile_cont(${fractions}::float8[]) within group (order by value) as knots
    from grouped
    group by ${by}, sex, grouping sets ((position_group, age_band, level), (position_group, age_band), (position_group), (age_band, level), (age_band), ())
    having count(*) >= ${cohortMin}::int and (grouping(age_band) = 1 or age_band is not null) and (grouping(level) = 1 or level is not null)
      and (grouping(position_group) = 1 or position_group is not null)`;
}

/** Refreshes cohorts in a separate transaction with a higher statement timeout: hundreds of thousands of values take longer than a request may. */
export function refreshCohorts(database: Database, refresh: (transaction: Queryable) => Promise<void>): Promise<void> {
  return database.transaction(refresh, { statementTimeoutMs: 60_000 });
}

/** Sort order: the narrowest cohort first. */
export const narrowestCohortFirst = sql`c.position_group = '', c.age_band = '', c.level = ''`;

/**
 * The percentile of a value with `below` knots less than it and `upTo` knots not greater than it: the share of lower values and half the share
 * of equal ones, so that equal values have the middle of their places.
 */
export const percentileOf = (below: number, upTo: number): number => Math.max(0, Math.floor((below + upTo - 1) / 2));

/** `percentileOf` a value among sorted knots, in SQL. Null if either is null. Integer division truncates -1 / 2 to 0. */
export function percentileAmong(value: Sql, knots: Sql): Sql {
  const upTo = sql`width_bucket(${value}, ${knots})`;
  return sql`(coalesce(array_position(${knots}, ${value}) - 1, ${upTo}) + ${upTo} - 1) / 2`;
}
