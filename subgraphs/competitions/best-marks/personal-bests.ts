/** Reads the personal bests of many athletes in one statement. */
import { sql } from '../../../platform/database/database.ts';
import type { ListServices } from '../../../platform/lists/list.ts';
import { readableAthleteIds } from '../../clients/administrator-reads.ts';
import type { BatchRead } from '../../runtime/subgraph.ts';
import { bestMarkColumns, type StoredMark } from './stored-marks.ts';

const bestsMax = 100;

/** By athlete, ordered by sport and event. Athletes that the viewer cannot read have none. */
export function createPersonalBests({ database }: ListServices): BatchRead<string, StoredMark[]> {
  return async (athleteIds, context) => {
    const { viewer, notes } = context;
    notes.person = true;
    const known = await readableAthleteIds(context, athleteIds, 'COMPETITIONS');
    const ofSport = viewer.sport === null ? sql`true` : sql`best_mark.sport = ${viewer.sport}`;
    const marks = await database.query<StoredMark>(sql`/* bestMarks.ofAthletes */ select mark.*
      from unnest(${[...known]}::uuid[]) as owner(id), lateral (select ${bestMarkColumns} from best_mark
        where best_mark.athlete_id = owner.id and ${ofSport}
        order by best_mark.sport, best_mark.event_code, best_mark.category, best_mark.course limit ${bestsMax}) mark`);
    const byAthlete = Map.groupBy(marks, ({ athleteId }) => athleteId);
    return athleteIds.map((id) => byAthlete.get(id) ?? []);
  };
}
