/** Percentiles of season metrics, each in the narrowest cohort that is large enough. One statement reads many of them. */
import { sql } from '../../../platform/database/database.ts';
import { narrowestCohortFirst, percentileAmong } from '../../../platform/cohorts.ts';
import { perFullMatch } from '../../runtime/full-matches.ts';
import type { AreaServices, BatchRead } from '../../runtime/subgraph.ts';
import type { CohortDimension, Level, Sex, Sport } from '../generated/resolvers.ts';
import { ageBand, isComparedPerMatch, positionGroups, signOf } from './cohorts.ts';
import type { MetricOfRow } from '../statistics/rows.ts';

export interface Cohort {
  readonly sport: Sport;
  readonly eventCode: string | null;
  readonly sex: Sex;
  readonly ageBand: string | null;
  readonly position: string | null;
  readonly level: Level | null;
  readonly n: number;
  readonly widened: CohortDimension[];
}

export interface Standing {
  readonly percentile: number;
  readonly cohort: Cohort;
}

/** A metric value to compare, of an athlete whose statistics the viewer can read. */
export interface ComparableMetric {
  readonly athleteId: string;
  readonly sport: Sport;
  readonly eventCode: string | null;
  readonly metric: string;
  readonly value: number;
}

/** The comparable part of a metric value: per full match for sums. Null for matches, careers, self-reported statistics, and sums without playing time. */
export function comparableMetric({ key, value, row }: MetricOfRow): ComparableMetric | null {
  const { athleteId, sport, eventCode, scope, source } = row;
  if (scope !== 'SEASON' || source === 'SELF_REPORTED') return null;
  const compared = isComparedPerMatch(key) ? perFullMatch(value, row) : value;
  return compared === null ? null : { athleteId, sport, eventCode, metric: key, value: compared };
}

interface CohortRow extends Omit<Cohort, 'widened'> {
  /** Index of the requested value. */
  readonly index: number;
  readonly percentile: number;
  /** Dimensions of the athlete that the cohort does not have; null for the others. */
  readonly dropped: readonly (CohortDimension | null)[];
}

/** Creates the read by value. Null when no cohort is large enough. */
export function createPercentiles({ database }: Pick<AreaServices, 'database'>): BatchRead<ComparableMetric, Standing | null> {
  return async (values) => {
    const requested = values.map(({ eventCode, value, metric, ...of }, index) => ({
      ...of,
      index,
      metric,
      event: eventCode ?? '',
      value: value * signOf(metric),
    }));
    const rows = await database.query<CohortRow>(sql`/* statistics.percentiles */
      with requested as (select * from jsonb_to_recordset(${JSON.stringify(requested)}::jsonb)
        as a(index int, "athleteId" uuid, sport text, metric text, event text, value float8)),
      member as materialized (
        select athlete.id, place.sport, athlete.sex, coalesce(${ageBand()}, '') as age_band, coalesce(athlete_sport.level, '') as level,
          coalesce(p."group", '') as position_group
        from (select distinct "athleteId", sport from requested) place join athlete on athlete.id = place."athleteId"
        left join athlete_sport on athlete_sport.athlete_id = athlete.id and athlete_sport.sport = place.sport
        left join jsonb_to_recordset(${positionGroups}::jsonb) as p(sport text, code text, "group" text)
          on p.sport = place.sport and p.code = athlete_sport.positions[1])
      select requested.index, ${percentileAmong(sql`requested.value`, sql`c.knots`)} as percentile, c.sport, nullif(c.event_code, '') as "eventCode", c.sex,
        nullif(c.age_band, '') as "ageBand", nullif(c.position_group, '') as position, nullif(c.level, '') as level, c.size as n,
        array[case when c.position_group <> member.position_group then 'POSITION' end,
          case when c.level <> member.level then 'LEVEL' end,
          case when c.age_band <> member.age_band then 'AGE' end] as dropped
      from requested join member on member.id = requested."athleteId" and member.sport = requested.sport, lateral (
        select * from statistic_cohort c where c.sport = requested.sport and c.metric = requested.metric and c.event_code = requested.event and c.sex = member.sex
          and c.age_band in ('', member.age_band) and c.position_group in ('', member.position_group) and c.level in ('', member.level)
        order by ${narrowestCohortFirst} limit 1) c`);
    const standings: (Standing | null)[] = values.map(() => null);
    for (const { index, percentile, dropped, ...cohort } of rows)
      standings[index] = {
        percentile,
        cohort: { ...cohort, widened: dropped.filter((each) => each !== null) },
      };
    return standings;
  };
}
