/** The stages that entries of shortlists went through, from the history of the area. */
import { sql } from '../../../platform/database/database.ts';
import type { ListServices } from '../../../platform/lists/list.ts';
import type { BatchRead } from '../../runtime/subgraph.ts';
import type { ShortlistEntryMove } from '../generated/resolvers.ts';
import { entryResource } from './rows.ts';

/** As in the SDL. An entry has more moves only if it returns to earlier stages many times. */
const latestMoves = 100;

/** Creates the read of the latest moves by entry, newest first. The caller has checked that the entries belong to the viewer. */
export function createMoveReads({ database }: Pick<ListServices, 'database'>): BatchRead<string, ShortlistEntryMove[]> {
  return async (ids) => {
    const rows = await database.query<ShortlistEntryMove & { entryId: string }>(sql`/* shortlistEntries.moves */
      select entry.id as "entryId", move.at, move.changes #>> '{stage,0}' as "from", move.changes #>> '{stage,1}' as "to", move.actor ->> 'keyId' as "keyId"
      from unnest(${[...ids]}::uuid[]) entry(id), lateral (
        select * from history where resource_type = ${entryResource.type} and resource_id = entry.id and changes #>> '{stage,1}' is not null
        order by version desc limit ${latestMoves}) move
      order by move.version desc`);
    const byEntry = Map.groupBy(rows, ({ entryId }) => entryId);
    return ids.map((id) => byEntry.get(id) ?? []);
  };
}
