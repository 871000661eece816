/** Lists the IDs of the matches of seasons, contests and participants. */
import { sql } from '../../../platform/database/database.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import type { QueryMatchIdsOfArgs } from '../generated/resolvers.ts';

const pageSize = 1000;
const first = '00000000-0000-0000-0000-000000000000';

/** A page of match IDs in ascending order, in any state, without duplicates. */
export function createMatchIds({ database }: Pick<AreaServices, 'database'>) {
  return async ({ seasonIds, contestIds, participantIds, after }: QueryMatchIdsOfArgs): Promise<string[]> => {
    const rows = await database.query<{ id: string }>(sql`/* matches.idsOf */ select id from (
        select id from match where season_id = any(${seasonIds}::uuid[])
        union select id from match where contest_id = any(${contestIds}::uuid[])
        union select match_id from match_participant where participant_id = any(${participantIds}::uuid[])) found
      where id > ${after ?? first}::uuid order by id limit ${pageSize}`);
    return rows.map(({ id }) => id);
  };
}
