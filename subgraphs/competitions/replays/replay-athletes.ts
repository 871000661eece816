/** The athletes of replays, for areas that store texts about replays. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { idsInHistory } from '../../../platform/writes/history.ts';
import type { ReplayAthletes } from '../generated/resolvers.ts';

const ofReplay = sql`f.resource_type = 'replay' and f.resource_id = w.id`;

/** The athletes that replays show, and those of earlier tags: a text can be older than the tags. IDs that were never a replay are missing. */
export async function readReplayAthletes(database: Queryable, ids: readonly string[]): Promise<ReplayAthletes[]> {
  return database.query<ReplayAthletes>(sql`/* replays.athletes */ select w.id, r.id is null as deleted,
      array(select unnest(r.athlete_ids)::text union ${idsInHistory(['athleteId', 'athleteIds'], ofReplay)}) as "athleteIds"
    from unnest(${[...ids]}::uuid[]) as w(id) left join replay r on r.id = w.id
    where r.id is not null or exists (select from history f where ${ofReplay})`);
}
