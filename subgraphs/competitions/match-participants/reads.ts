/** Reads entries of matches from the database. */
import { sql, type Queryable } from '../../../platform/database/database.ts';
import type { ListServices } from '../../../platform/lists/list.ts';
import type { BatchRead } from '../../runtime/subgraph.ts';
import { groupByMatch } from '../matches/group-by-match.ts';
import { matchParticipants, type MatchParticipantRow } from './rows.ts';

/** Entries of matches in program order. */
export function readEntries(queryable: Queryable, matchIds: readonly string[]): Promise<MatchParticipantRow[]> {
  return queryable.query<MatchParticipantRow>(sql`/* matches.entries */ select ${matchParticipants.columns} from match_participant
    where match_id = any(${[...matchIds]}::uuid[]) order by match_id, ordinal`);
}

/** Creates the read of entries by match. */
export function createEntryReads({ database }: ListServices): BatchRead<string, MatchParticipantRow[]> {
  return async (ids) => groupByMatch(ids, await readEntries(database, ids));
}
