/** Cohorts that season metrics are compared with, stored as 101 percentile knots each (docs/matching.md). */
import { positionGroupsOf } from '../../../schema/position-codes.ts';
import { metricsOf, sportNames, type Sport } from '../../../schema/sports.ts';
import { metric as metricRow, type MetricKey } from '../../../schema/metrics.ts';
import { ANONYMOUS } from '../../../schema/viewer.ts';
import { join, sql, type Database, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { ageBands } from '../../runtime/age-bands.ts';
import { selectCohorts, refreshCohorts } from '../../../platform/cohorts.ts';
import { matchMinutes, playingTimeMetrics } from '../../runtime/full-matches.ts';
import { latestBirthDate } from '../athletes/age.ts';
import { visibleWithConsent } from '../athletes/visible-rows.ts';

/** The sign that makes greater values better. Knots are stored with it. */
export const signOf = (metric: string): 1 | -1 => (metricRow(metric)?.direction === 'LOWER_IS_BETTER' ? -1 : 1);

/** Whether the values of a metric are sums, which are compared per full match: otherwise a percentile would compare playing time. */
export const isComparedPerMatch = (key: string): boolean => metricRow(key)?.aggregation === 'SUM' && !playingTimeMetrics.has(key);

/** The compared value of a row: per full match for sums, with the sign of the metric. Null if the playing time of a sum is unknown. */
function comparedValue(sport: Sport, metric: MetricKey): Sql {
  const signed = sql`statistic_metric.value * ${signOf(metric)}::int`;
  if (!isComparedPerMatch(metric)) return signed;
  const minutes = matchMinutes[sport];
  const matches =
    minutes === undefined
      ? sql`coalesce(statistics.matches_played, case when statistics.minutes_played is not null then 1 end)`
      : sql`case when statistics.minutes_played is not null and (statistics.matches_timed is null or statistics.matches_timed = statistics.matches_played)
          then statistics.minutes_played / ${minutes}::float8
          else coalesce(statistics.matches_played, case when statistics.minutes_played is not null then 1 end) end`;
  return sql`${signed} / nullif(${matches}, 0)`;
}

/** The current age band of the athlete. Null for minors and unknown ages. A birth year counts as its last day. */
export function ageBand(): Sql {
  const born = sql`coalesce(athlete.date_of_birth, make_date(athlete.birth_year, 12, 31))`;
  const bands = ageBands.map(([youngest, name]) => sql`when ${born} <= ${latestBirthDate(youngest)}::date then ${name}::text`);
  return sql`case ${join(bands, ' ')} end`;
}

/** The position groups of all sports, as JSON. An athlete belongs to the group of the first listed position. */
export const positionGroups = JSON.stringify(
  sportNames.flatMap((sport) => positionGroupsOf(sport).map((each) => ({ sport, ...each }))),
);

/** Computes the cohorts of a metric from the latest season of each adult with a public profile, per event. */
export async function renewCohorts(database: Queryable, sport: Sport, metric: MetricKey): Promise<void> {
  await database.query(sql`/* maintenance.renewCohorts */
    with latest as (
      select distinct on (statistics.athlete_id, statistics.event_code) coalesce(statistics.event_code, '') as event_code, athlete.sex,
        ${ageBand()} as age_band, athlete_sport.positions[1] as position, athlete_sport.level, ${comparedValue(sport, metric)} as value
      from statistic_metric join statistics on statistics.id = statistic_metric.statistics_id join athlete on athlete.id = statistics.athlete_id
      left join athlete_sport on athlete_sport.athlete_id = athlete.id and athlete_sport.sport = statistics.sport
      where statistic_metric.key = ${metric} and statistic_metric.sport = ${sport} and statistic_metric.scope = 'SEASON' and statistic_metric.source <> 'SELF_REPORTED'
        and ${visibleWithConsent(ANONYMOUS, 'PROFILE')}
      order by statistics.athlete_id, statistics.event_code, statistics.as_of desc nulls last, statistics.shown_order desc, statistics.id desc),
    grouped as (
      select latest.*, p."group" as position_group from latest
      left join jsonb_to_recordset(${JSON.stringify(positionGroupsOf(sport))}::jsonb) as p(code text, "group" text) on p.code = latest.position where latest.value is not null),
    cohort as (${selectCohorts(sql`event_code`)}),
    removed as (delete from statistic_cohort c where c.sport = ${sport} and c.metric = ${metric} and not exists (
      select from cohort where (cohort.event_code, cohort.sex, cohort.age_band, cohort.position_group, cohort.level)
        = (c.event_code, c.sex, c.age_band, c.position_group, c.level)))
    insert into statistic_cohort (sport, metric, event_code, sex, age_band, position_group, level, size, knots)
    select ${sport}, ${metric}, event_code, sex, age_band, position_group, level, size, knots from cohort
    on conflict (sport, metric, event_code, sex, age_band, position_group, level) do update set size = excluded.size, knots = excluded.knots`);
}

/** Projections wait while cohorts are renewed, so one call starts no further metric after this time. */
const callMs = 500;

interface CohortMetric {
  readonly sport: Sport;
  readonly metric: MetricKey;
}

const allMetrics = JSON.stringify(sportNames.flatMap((sport) => metricsOf(sport).map(({ key }) => ({ sport, metric: key }))));

/** The metrics that have cohorts or season values. A new platform has nearly none. */
function findCohortMetrics(database: Queryable): Promise<CohortMetric[]> {
  return database.query<CohortMetric>(sql`/* maintenance.cohortMetrics */
    select p.sport, p.metric from jsonb_to_recordset(${allMetrics}::jsonb) as p(sport text, metric text)
    where exists (select from statistic_cohort c where c.sport = p.sport and c.metric = p.metric)
      or exists (select from statistic_metric m where m.key = p.metric and m.sport = p.sport and m.scope = 'SEASON')`);
}

/** Creates the function that renews some cohorts per call and returns whether there are more. */
export function createCohortRenewal(database: Database): () => Promise<boolean> {
  let remaining: CohortMetric[] = [];
  return async () => {
    if (remaining.length === 0) remaining = await findCohortMetrics(database);
    const start = performance.now();
    do {
      const next = remaining.pop();
      if (next) await refreshCohorts(database, (transaction) => renewCohorts(transaction, next.sport, next.metric));
    } while (remaining.length > 0 && performance.now() - start < callMs);
    return remaining.length > 0;
  };
}
