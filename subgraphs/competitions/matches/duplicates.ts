/** Finds the match that a new one repeats. */
import { Problem } from '../../../schema/errors.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import type { MatchRow } from './rows.ts';

type NewMatch = Pick<MatchRow, 'stageId' | 'startTime' | 'groupName' | 'round' | 'matchday' | 'leg' | 'tieId' | 'parentId'>;

/**
 * Throws Problem conflict (409) with the ID of a match of the same two participants in the same order, at the same start time and the same place
 * in the program of the stage. A match without a start time, or with other than two participants, repeats none.
 */
export async function requireNoDuplicate(
  transaction: Queryable,
  match: NewMatch,
  participantIds: readonly (string | null)[],
): Promise<void> {
  const [one, other] = participantIds;
  const { startTime, stageId, groupName, round, matchday, leg, tieId, parentId } = match;
  if (!one || !other || participantIds.length !== 2 || startTime === null) return;
  const [known] = await transaction.query<{ id: string }>(sql`/* matches.duplicate */ select m.id from match m
      join match_participant a on a.match_id = m.id and a.ordinal = 0 and a.participant_id = ${one}
      join match_participant b on b.match_id = m.id and b.ordinal = 1 and b.participant_id = ${other}
    where m.stage_id = ${stageId} and m.starts_at = ${startTime}::timestamptz and m.start_time is not null and m.status <> 'CANCELLED'
      and (m.group_name, m.round, m.matchday, m.leg, m.tie_id, m.parent_id) is not distinct from
        (${groupName}::text, ${round}::text, ${matchday}::int, ${leg}::int, ${tieId}::text, ${parentId}::uuid)
    limit 1`);
  if (!known) return;
  const detail = `The match ${known.id} has the same participants, start time and place in the program. Update that one.`;
  throw new Problem('conflict', detail, { existingId: known.id });
}
