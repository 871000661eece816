/** Applies the removal of athletes: erasure destroys replays and keeps results, a merge moves everything to the target profile. */
import { raw, sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { eraseTraces } from '../../../platform/writes/erase-traces.ts';
import { changeRow, removeRow } from '../../../platform/writes/resource.ts';
import type { Writer } from '../../../platform/writes/write.ts';
import type { Graph } from '../../../schema/entry-point.ts';
import { applyRemovals } from '../../clients/removed-athletes.ts';
import { replayResource, replays, type ReplayRow } from '../replays/rows.ts';
import { replayEventData } from '../replays/transitions.ts';

/**
 * Deletes the replays of erased athletes and removes their tags from other replays. Results, line-ups and match actions keep the id. It refers to no
 * athlete, so the participant is returned without a name, and rankings do not change.
 */
async function destroy(transaction: Queryable, writer: Writer, ids: readonly string[]): Promise<void> {
  const rows = await transaction.query<ReplayRow>(sql`/* replays.lockOfErased */ select ${replays.columns} from replay
    where athlete_ids && ${[...ids]}::uuid[] order by id for update`);
  const isErased = (id: string): boolean => ids.includes(id);
  const own = rows.filter(({ athleteId }) => athleteId !== null && isErased(athleteId));
  await writer.writeWithin(transaction, async (work) => {
    for (const row of rows) {
      if (own.includes(row)) {
        await removeRow(work, replayResource, row, replayEventData(row));
        continue;
      }
      const values = {
        athleteIds: row.athleteIds.filter((id) => !isErased(id)),
        reviewedAthleteIds: row.reviewedAthleteIds.filter((id) => !isErased(id)),
      };
      const note = { action: 'untagged', event: 'replay.updated', data: replayEventData(row) } as const;
      await changeRow(work, replayResource, row, values, note);
    }
  });
  await transaction.query(sql`/* replays.untagErased */ delete from replay_tag
    where replay_id = any(${rows.map(({ id }) => id)}::uuid[]) and athlete_id = any(${[...ids]}::uuid[])`);
  await eraseTraces(
    transaction,
    replayResource.type,
    own.map(({ id }) => id),
  );
  // Organizers give participants external IDs of their own systems or of public registries. Both identify the person.
  const entered = await transaction.query<{ id: string }>(
    sql`/* participants.ofErased */ select id from participant where athlete_id = any(${[...ids]}::uuid[]) or member_ids && ${[...ids]}::uuid[]`,
  );
  await eraseTraces(
    transaction,
    'participant',
    entered.map(({ id }) => id),
  );
}

const replaced = (
  column: string,
  id: string,
  intoId: string,
) => sql`${raw(column)} = case when ${intoId}::uuid = any(${raw(column)})
  then array_remove(${raw(column)}, ${id}::uuid) else array_replace(${raw(column)}, ${id}::uuid, ${intoId}::uuid) end`;

const movedFrom = (column: Sql, id: string, intoId: string): Sql =>
  sql`case when ${column} = ${id} then ${intoId}::uuid else ${column} end`;

/** A line-up with the merged profile replaced by the target. If both are in the line-up, the entry of the target stays. */
const lineupWith = (id: string, intoId: string): Sql => {
  const first = JSON.stringify({ athleteId: intoId });
  return sql`(select coalesce(jsonb_agg(case when player ->> 'athleteId' = ${id} then player || ${first}::jsonb else player end order by place), '[]')
    from jsonb_array_elements(lineup) with ordinality as l(player, place)
    where player ->> 'athleteId' is distinct from ${id} or not lineup @> jsonb_build_array(${first}::jsonb))`;
};

/** Of two best marks of an event, keeps the better one. The other columns stay valid, because they describe the result that the mark comes from. */
async function moveBestMarks(transaction: Queryable, id: string, intoId: string): Promise<void> {
  const list = sql`(o.sport, o.event_code, o.category, o.course) = (b.sport, b.event_code, b.category, b.course)`;
  await transaction.query(sql`/* bestMarks.leaveMerged */ delete from best_mark b using best_mark o
    where ((b.athlete_id = ${id} and o.athlete_id = ${intoId} and b.rank_value >= o.rank_value)
      or (b.athlete_id = ${intoId} and o.athlete_id = ${id} and b.rank_value > o.rank_value)) and ${list}`);
  await transaction.query(sql`/* bestMarks.moveMerged */ update best_mark set athlete_id = ${intoId} where athlete_id = ${id}`);
}

/**
 * Replaces a merged profile by its target everywhere. No version changes, because clients see no change: the athletes area already redirects the id
 * to the target. Filters and lists by the target find the rows from now on.
 */
async function mergeInto(transaction: Queryable, id: string, intoId: string): Promise<void> {
  await transaction.query(sql`/* participants.moveMerged */ update participant p set athlete_id = ${intoId} where athlete_id = ${id}
    and not exists (select from participant o where o.athlete_id = ${intoId} and o.season_id = p.season_id and o.contest_id is not distinct from p.contest_id)`);
  await transaction.query(sql`/* participants.moveMembers */ update participant set ${replaced('member_ids', id, intoId)}
    where member_ids @> array[${id}::uuid]`);
  await transaction.query(sql`/* matches.moveMerged */ update match_participant set ${replaced('athlete_ids', id, intoId)}, lineup = ${lineupWith(id, intoId)}
    where athlete_ids @> array[${id}::uuid]`);
  const [athlete, assist] = [movedFrom(sql`athlete_id`, id, intoId), movedFrom(sql`assist_id`, id, intoId)];
  // An action where one profile assisted the other has no assist after the merge.
  await transaction.query(sql`/* matchActions.moveMerged */ update match_action set athlete_id = ${athlete}, assist_id = nullif(${assist}, ${athlete})
    where athlete_id = ${id} or assist_id = ${id}`);
  await transaction.query(sql`/* replays.moveMerged */ update replay set athlete_id = ${movedFrom(sql`athlete_id`, id, intoId)},
      ${replaced('athlete_ids', id, intoId)}, ${replaced('reviewed_athlete_ids', id, intoId)} where athlete_ids @> array[${id}::uuid]`);
  await transaction.query(sql`/* replays.moveTags */ update replay_tag set athlete_id = ${intoId}
    where athlete_id = ${id} and replay_id in (select id from replay where athlete_ids @> array[${intoId}::uuid])`);
  await moveBestMarks(transaction, id, intoId);
}

/** Applies the current state of the athletes area to the given ids. */
export function followRemovedAthletes(
  transaction: Queryable,
  writer: Writer,
  graph: Graph,
  athleteIds: readonly string[],
): Promise<void> {
  return applyRemovals(graph, athleteIds, {
    erase: (ids) => destroy(transaction, writer, ids),
    merge: ({ id, intoId }) => mergeInto(transaction, id, intoId),
  });
}
