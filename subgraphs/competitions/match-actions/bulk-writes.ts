/** Inserts and deletes many actions of a match in one statement each. Each action has its own history entry and event. */
import { Problem } from '../../../schema/errors.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { matchEventIds } from '../matches/insert.ts';
import type { MatchRow } from '../matches/rows.ts';
import type { CreateMatchActionInput } from '../generated/resolvers.ts';
import { matchActionResource, type MatchActionRow } from './rows.ts';

/** A match is returned with all its actions, so their number is limited. */
const actionsMax = 1000;

/** Throws Problem conflict (409) where the match has the maximum number of actions. */
export async function requireRoomForAction(transaction: Queryable, match: MatchRow): Promise<void> {
  const [stored] = await transaction.query<{ count: number }>(
    sql`/* matches.countActions */ select count(*)::int as count from match_action where match_id = ${match.id}`,
  );
  if ((stored?.count ?? 0) >= actionsMax)
    throw new Problem('conflict', `A match can have at most ${actionsMax} actions. Delete one first.`);
}

const recordOf = (match: MatchRow, before: MatchActionRow | null, after: MatchActionRow | null) => ({
  resourceType: matchActionResource.type,
  before,
  after,
  data: { matchId: match.id, ...matchEventIds(match) },
  publicBefore: before?.published ?? false,
  publicAfter: after?.published ?? false,
});

/** Inserts actions of a locked match, in their order. */
export async function insertActions(
  transaction: WriteTransaction,
  match: MatchRow,
  actions: readonly CreateMatchActionInput[],
): Promise<void> {
  if (actions.length === 0) return;
  const rows = await transaction.query<MatchActionRow>(sql`/* matches.insertActions */
    insert into match_action (account_id, published, match_id, type, period, clock_ms, minute, added_minute, participant_id, athlete_id,
      assist_id, athlete_name, assist_name, score_after, created_at, updated_at)
    select ${match.accountId}, ${match.published}::boolean, ${match.id}, a.type, a.period, a."clockMs", a.minute, a."addedMinute",
      a."participantId", a."athleteId", a."assistId", a."athleteName", a."assistName", a."scoreAfter", statement_timestamp(), statement_timestamp()
    from rows from (jsonb_to_recordset(${JSON.stringify(actions)}::jsonb) as (type text, period int, "clockMs" int, minute int, "addedMinute" int,
      "participantId" uuid, "athleteId" uuid, "assistId" uuid, "athleteName" text, "assistName" text, "scoreAfter" int[])) with ordinality
      as a(type, period, "clockMs", minute, "addedMinute", "participantId", "athleteId", "assistId", "athleteName", "assistName", "scoreAfter", ordinal) order by a.ordinal
    returning ${matchActionResource.table.columns}`);
  for (const row of rows)
    transaction.record({ ...recordOf(match, null, row), action: 'created', event: matchActionResource.created });
}

/** Deletes actions of a locked match. Actions have no external IDs. */
export async function deleteActions(
  transaction: WriteTransaction,
  match: MatchRow,
  actions: readonly MatchActionRow[],
): Promise<void> {
  if (actions.length === 0) return;
  const ids = actions.map(({ id }) => id);
  await transaction.query(sql`/* matches.deleteActions */ delete from match_action where id = any(${ids}::uuid[])`);
  for (const row of actions)
    transaction.record({ ...recordOf(match, row, null), action: 'deleted', event: 'match_action.deleted' });
}
