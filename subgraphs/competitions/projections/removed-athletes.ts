/** Athletes who are no more under their ids: results stay, replays of who is erased are destroyed, what is of a second profile is the first one's. */
import { raw, sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { eraseTraces } from '../../../platform/writes/erase-traces.ts';
import { changeRow, removeRow } from '../../../platform/writes/resource.ts';
import type { Writer } from '../../../platform/writes/write.ts';
import type { Graph } from '../../../schema/entry-point.ts';
import { removedAthletes } from '../../clients/removed-athletes.ts';
import { replayResource, replays, type ReplayRow } from '../replays/rows.ts';
import { about } from '../replays/transitions.ts';

/**
 * Replays about athletes are destroyed, tags of them taken off the others. Results, line-ups and what happened in matches keep the id: there is
 * nobody under it, so that it is shown as a participant without a name, and rankings stay what they are.
 */
async function destroy(transaction: Queryable, writer: Writer, ids: readonly string[]): Promise<void> {
  const rows = await transaction.query<ReplayRow>(sql`/* replays.lockOfErased */ select ${replays.columns} from replay
    where athlete_ids && ${[...ids]}::uuid[] order by id for update`);
  const isErased = (id: string): boolean => ids.includes(id);
  const own = rows.filter(({ athleteId }) => athleteId !== null && isErased(athleteId));
  await writer.writeWithin(transaction, async (work) => {
    for (const row of rows) {
      if (own.includes(row)) {
        await removeRow(work, replayResource, row, about(row));
        continue;
      }
      const values = {
        athleteIds: row.athleteIds.filter((id) => !isErased(id)),
        reviewedAthleteIds: row.reviewedAthleteIds.filter((id) => !isErased(id)),
      };
      await changeRow(work, replayResource, row, values, { action: 'untagged', event: 'replay.updated', data: about(row) });
    }
  });
  await transaction.query(sql`/* replays.untagErased */ delete from replay_tag
    where replay_id = any(${rows.map(({ id }) => id)}::uuid[]) and athlete_id = any(${[...ids]}::uuid[])`);
  await eraseTraces(
    transaction,
    replayResource.type,
    own.map(({ id }) => id),
  );
  // organizers enter persons, pairs and relays under ids of their own, or of registries
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

/** A team sheet on which the first one stands for the second; who was named as both stands where the first one was. */
const sheetWith = (id: string, intoId: string): Sql => {
  const first = JSON.stringify({ athleteId: intoId });
  return sql`(select coalesce(jsonb_agg(case when player ->> 'athleteId' = ${id} then player || ${first}::jsonb else player end order by place), '[]')
    from jsonb_array_elements(lineup) with ordinality as l(player, place)
    where player ->> 'athleteId' <> ${id} or not lineup @> jsonb_build_array(${first}::jsonb))`;
};

/** The better one of two best marks of an event stays. Their other columns follow from the result, as a count from scratch would find them. */
async function moveBestMarks(transaction: Queryable, id: string, intoId: string): Promise<void> {
  const list = sql`(o.sport, o.event_code, o.category, o.course) = (b.sport, b.event_code, b.category, b.course)`;
  await transaction.query(sql`/* bestMarks.leaveMerged */ delete from best_mark b using best_mark o
    where ((b.athlete_id = ${id} and o.athlete_id = ${intoId} and b.rank_value >= o.rank_value)
      or (b.athlete_id = ${intoId} and o.athlete_id = ${id} and b.rank_value > o.rank_value)) and ${list}`);
  await transaction.query(sql`/* bestMarks.moveMerged */ update best_mark set athlete_id = ${intoId} where athlete_id = ${id}`);
}

/**
 * Everything that names a second profile names the first one. Who reads sees no change: the id led there already (the athletes area
 * answers the first one for it), so that no version goes up; filters and lists by the athlete find it from now on.
 */
async function move(transaction: Queryable, id: string, intoId: string): Promise<void> {
  await transaction.query(sql`/* participants.moveMerged */ update participant p set athlete_id = ${intoId} where athlete_id = ${id}
    and not exists (select from participant o where o.athlete_id = ${intoId} and o.season_id = p.season_id and o.contest_id is not distinct from p.contest_id)`);
  await transaction.query(sql`/* participants.moveMembers */ update participant set ${replaced('member_ids', id, intoId)}
    where member_ids @> array[${id}::uuid]`);
  await transaction.query(sql`/* matches.moveMerged */ update match_participant set ${replaced('athlete_ids', id, intoId)}, lineup = ${sheetWith(id, intoId)}
    where athlete_ids @> array[${id}::uuid]`);
  const [doer, helper] = [movedFrom(sql`athlete_id`, id, intoId), movedFrom(sql`assist_id`, id, intoId)];
  // where no team sheet says who played, too; nobody assists himself
  await transaction.query(sql`/* matchActions.moveMerged */ update match_action set athlete_id = ${doer}, assist_id = nullif(${helper}, ${doer})
    where athlete_id = ${id} or assist_id = ${id}`);
  await transaction.query(sql`/* replays.moveMerged */ update replay set athlete_id = ${movedFrom(sql`athlete_id`, id, intoId)},
      ${replaced('athlete_ids', id, intoId)}, ${replaced('reviewed_athlete_ids', id, intoId)} where athlete_ids @> array[${id}::uuid]`);
  await transaction.query(sql`/* replays.moveTags */ update replay_tag set athlete_id = ${intoId}
    where athlete_id = ${id} and replay_id in (select id from replay where athlete_ids @> array[${intoId}::uuid])`);
  await moveBestMarks(transaction, id, intoId);
}

/** Follows what the athletes area says of ids now. */
export async function followDeparted(
  transaction: Queryable,
  writer: Writer,
  graph: Graph,
  athleteIds: readonly string[],
): Promise<void> {
  const { erased, merged } = await removedAthletes(graph, athleteIds);
  if (erased.length > 0) await destroy(transaction, writer, erased);
  for (const { id, intoId } of merged) await move(transaction, id, intoId);
}
