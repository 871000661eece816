/** Percentiles of the numbers of seasons: the narrowest cohort that is large enough, of many numbers in one statement. */
import { sql } from '../../../platform/database/database.ts';
import { narrowestCohortFirst, percentileOf } from '../../../platform/cohorts.ts';
import type { AreaServices, BatchRead } from '../../runtime/subgraph.ts';
import type { CohortDimension, Level, Sex, Sport } from '../resolvers.generated.ts';
import { ageBand, positionGroups, signOf } from './cohorts.ts';
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

/** A number to be compared, of an athlete whose statistics the viewer sees. */
export interface ComparableMetric {
  readonly athleteId: string;
  readonly sport: Sport;
  readonly eventCode: string | null;
  readonly metric: string;
  readonly value: number;
}

/** What is compared of a number: nothing of a match, a career, or what somebody says of himself. */
export function comparableMetric({ key, value, row }: MetricOfRow): ComparableMetric | null {
  const { athleteId, sport, eventCode, scope, source } = row;
  if (scope !== 'SEASON' || source === 'SELF_REPORTED') return null;
  return { athleteId, sport, eventCode, metric: key, value };
}

interface Found extends Omit<Cohort, 'widened'> {
  readonly number: number;
  /** How many of the 101 knots are no better. */
  readonly bucket: number;
  readonly given: readonly (CohortDimension | null)[];
}

/** By number; null where no cohort is large enough. */
export function createPercentiles({ database }: Pick<AreaServices, 'database'>): BatchRead<ComparableMetric, Standing | null> {
  return async (numbers) => {
    const asked = numbers.map(({ eventCode, value, metric, ...of }, number) => ({
      ...of,
      number,
      metric,
      event: eventCode ?? '',
      value: value * signOf(metric),
    }));
    const rows = await database.query<Found>(sql`/* statistics.percentiles */
      with asked as (select * from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb)
        as a(number int, "athleteId" uuid, sport text, metric text, event text, value float8)),
      member as materialized (
        select athlete.id, place.sport, athlete.sex, coalesce(${ageBand()}, '') as age_band, coalesce(athlete_sport.level, '') as level,
          coalesce(p."group", '') as position_group
        from (select distinct "athleteId", sport from asked) place join athlete on athlete.id = place."athleteId"
        left join athlete_sport on athlete_sport.athlete_id = athlete.id and athlete_sport.sport = place.sport
        left join jsonb_to_recordset(${positionGroups}::jsonb) as p(sport text, code text, "group" text)
          on p.sport = place.sport and p.code = athlete_sport.positions[1])
      select asked.number, width_bucket(asked.value, c.knots) as bucket, c.sport, nullif(c.event_code, '') as "eventCode", c.sex,
        nullif(c.age_band, '') as "ageBand", nullif(c.position_group, '') as position, nullif(c.level, '') as level, c.size as n,
        array[case when c.position_group <> member.position_group then 'POSITION' end,
          case when c.level <> member.level then 'LEVEL' end,
          case when c.age_band <> member.age_band then 'AGE' end] as given
      from asked join member on member.id = asked."athleteId" and member.sport = asked.sport, lateral (
        select * from statistic_cohort c where c.sport = asked.sport and c.metric = asked.metric and c.event_code = asked.event and c.sex = member.sex
          and c.age_band in ('', member.age_band) and c.position_group in ('', member.position_group) and c.level in ('', member.level)
        order by ${narrowestCohortFirst} limit 1) c`);
    const standings: (Standing | null)[] = numbers.map(() => null);
    for (const { number, bucket, given, ...cohort } of rows)
      standings[number] = {
        percentile: percentileOf(bucket),
        cohort: { ...cohort, widened: given.filter((each) => each !== null) },
      };
    return standings;
  };
}
