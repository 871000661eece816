/** Percentiles of metric values next to the values themselves, so that an index serves thresholds by percentile. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import type { Sport } from '../generated/resolvers.ts';
import type { Standing } from '../talent/standings.ts';

/** The standings of an athlete in a sport. */
export interface RankedProspect {
  readonly athleteId: string;
  readonly sport: Sport;
  readonly standings: readonly Pick<Standing, 'metric' | 'eventCode' | 'percentile'>[];
}

/** Writes the percentiles of the standings that changed. A value without a cohort has none. */
export async function writePercentiles(database: Queryable, prospects: readonly RankedProspect[]): Promise<void> {
  const rows = prospects.flatMap(({ athleteId, sport, standings }) =>
    standings.map(({ metric, eventCode, percentile }) => ({ athleteId, sport, metric, eventCode, percentile })),
  );
  const owners = prospects.map(({ athleteId, sport }) => ({ athleteId, sport }));
  await database.query(sql`/* prospects.writePercentiles */
    with ranked as materialized (select * from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as r("athleteId" uuid, sport text, metric text, "eventCode" text, percentile int)),
    owner as materialized (select * from jsonb_to_recordset(${JSON.stringify(owners)}::jsonb) as o("athleteId" uuid, sport text)),
    changed as materialized (
      select m.athlete_id, m.sport, m.metric, m.event_code, r.percentile from owner o
      join prospect_metric m on m.athlete_id = o."athleteId" and m.sport = o.sport
      left join ranked r on r."athleteId" = m.athlete_id and r.sport = m.sport and r.metric = m.metric and r."eventCode" = m.event_code
      where m.percentile is distinct from r.percentile)
    update prospect_metric m set percentile = c.percentile from changed c
    where (m.athlete_id, m.sport, m.metric, m.event_code) = (c.athlete_id, c.sport, c.metric, c.event_code)`);
}
