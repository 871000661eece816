/** Stores rising athletes (season-growth.ts), recomputed from all seasons of an athlete when its statistics change. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import type { Sport } from '../../../schema/sports.ts';
import { freshDays, computeRises, type SeasonMetrics } from './season-growth.ts';

export interface RiseRow {
  readonly athleteId: string;
  readonly sport: Sport;
  readonly eventCode: string | null;
  readonly metric: string;
  readonly seasonId: string;
  readonly valueBefore: number;
  readonly valueAfter: number;
  readonly asOf: string;
}

/** Recomputes the rises of athletes from their computed and provided seasons. */
export async function updateRises(transaction: Queryable, athleteIds: readonly string[]): Promise<void> {
  if (athleteIds.length === 0) return;
  const ids = [...athleteIds];
  // prefer computed to provided rows, and of several teams the one with the most matches
  const seasons = await transaction.query<SeasonMetrics & { athleteId: string }>(sql`/* athletes.seasonsOf */
    select distinct on (athlete_id, sport, event_code, season_id) athlete_id as "athleteId", sport, season_id as "seasonId", competition_id as "competitionId", event_code as "eventCode",
      matches_played as "matchesPlayed", metrics, as_of as "asOf"
    from statistics where athlete_id = any(${ids}::uuid[]) and scope = 'SEASON' and source <> 'SELF_REPORTED'
    order by athlete_id, sport, event_code, season_id, shown_order desc, matches_played desc nulls last, as_of desc nulls last, id`);
  const rises = [...Map.groupBy(seasons, ({ athleteId }) => athleteId)].flatMap(([athleteId, rows]) =>
    computeRises(rows).map((rise) => ({ athleteId, ...rise })),
  );
  await transaction.query(sql`/* athletes.updateRises */
    with removed as (delete from athlete_rise r where r.athlete_id = any(${ids}::uuid[]) and not exists (
      select from jsonb_to_recordset(${JSON.stringify(rises)}::jsonb) as k("athleteId" uuid, sport text) where k."athleteId" = r.athlete_id and k.sport = r.sport))
    insert into athlete_rise (athlete_id, sport, event_code, metric, season_id, value_before, value_after, growth, as_of)
    select a.id, r.sport, r."eventCode", r.metric, r."seasonId", r."valueBefore", r."valueAfter", r.growth, r."asOf"
    from jsonb_to_recordset(${JSON.stringify(rises)}::jsonb) as r("athleteId" uuid, sport text, "eventCode" text, metric text, "seasonId" uuid,
      "valueBefore" float8, "valueAfter" float8, growth float8, "asOf" date) join athlete a on a.id = r."athleteId" order by a.id
    on conflict (athlete_id, sport) do update set event_code = excluded.event_code, metric = excluded.metric, season_id = excluded.season_id,
      value_before = excluded.value_before, value_after = excluded.value_after, growth = excluded.growth, as_of = excluded.as_of`);
}

/** Deletes rises of seasons that ended too long ago. */
export async function deleteOldRises(database: Queryable, today: string): Promise<void> {
  await database.query(
    sql`/* maintenance.deleteOldRises */ delete from athlete_rise where as_of < ${today}::date - ${freshDays}::int`,
  );
}
