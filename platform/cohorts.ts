/** Cohorts of numbers (domain.md section 3): groups of athletes large enough to be compared with, as 101 knots of each. */
import { sql, type Database, type Queryable, type Sql } from './database/database.ts';

/** Smaller groups are not compared with: their members are compared with a wider one. */
export const cohortMin = 30;
const fractions = Array.from({ length: 101 }, (_, index) => index / 100);

/**
 * Rows of cohorts, each with its size and knots, from a relation `grouped` of sex, age_band, position_group, level and value, null where
 * not known. A cohort falls back by dropping the position, then the level, then the age; what is dropped is empty.
 * @param by what is never dropped, besides sex: columns of `grouped`
 */
export function selectCohorts(by: Sql): Sql {
  return sql`select ${by}, sex, coalesce(age_band, '') as age_band, coalesce(position_group, '') as position_group, coalesce(level, '') as level,
      count(*) as size, percentile_cont(${fractions}::float8[]) within group (order by value) as knots
    from grouped
    group by ${by}, sex, grouping sets ((age_band, level, position_group), (age_band, level), (age_band), ())
    having count(*) >= ${cohortMin}::int and (grouping(age_band) = 1 or age_band is not null) and (grouping(level) = 1 or level is not null)
      and (grouping(position_group) = 1 or position_group is not null)`;
}

/** Renews cohorts in a transaction of its own: hundreds of thousands of values may take longer than a request may. */
export function refreshCohorts(database: Database, renew: (transaction: Queryable) => Promise<void>): Promise<void> {
  return database.transaction(async (transaction) => {
    await transaction.query(sql`/* upkeep.allowMinute */ set local statement_timeout = '60s'`);
    await renew(transaction);
  });
}

/** The narrowest cohort comes first. */
export const narrowestCohortFirst = sql`c.age_band = '', c.level = '', c.position_group = ''`;

/** The percentile of a bucket of `width_bucket(value, knots)`: how many of 100 are no better. */
export const percentileOf = (bucket: number): number => Math.min(100, Math.max(0, bucket - 1));
