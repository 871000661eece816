/** Adds and removes the tags of athletes in replays. */
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { sql } from '../../../platform/database/database.ts';
import { changeRow } from '../../../platform/writes/resource.ts';
import { insertInto } from '../../../platform/database/table.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { isAthleteVisible, unknownAthleteViolation, type AthletesById } from '../../clients/athlete-facts.ts';
import type { ReplayTagInput } from '../generated/resolvers.ts';
import { tagViolation } from './rules.ts';
import { replayResource, replayTags, type ReplayRow, type ReplayTagRow } from './rows.ts';
import { replayEventData } from './transitions.ts';

/** A replay is returned with all its tags, so their number is limited. */
const tagsMax = 500;

function tagsOf(transaction: WriteTransaction, { id }: ReplayRow): Promise<ReplayTagRow[]> {
  return transaction.query<ReplayTagRow>(
    sql`/* replays.tagsOf */ select ${replayTags.columns} from replay_tag where replay_id = ${id}`,
  );
}

function recordTags(
  transaction: WriteTransaction,
  row: ReplayRow,
  tags: readonly ReplayTagRow[],
  data: { readonly action: string; readonly tagId: string },
): Promise<ReplayRow> {
  const athleteIds = [...(row.athleteId ? [row.athleteId] : []), ...tags.map(({ athleteId }) => athleteId)];
  const note = { action: data.action, event: 'replay.updated', data: { ...replayEventData(row), tagId: data.tagId } } as const;
  return changeRow(transaction, replayResource, row, { athleteIds: [...new Set(athleteIds)] }, note);
}

/** Tags an athlete in a locked replay. Throws Problem validation_failed (422), or conflict (409) where the replay has the maximum number of tags. */
export async function addTag(
  transaction: WriteTransaction,
  viewer: Viewer,
  row: ReplayRow,
  { athleteId, action = null, atMs = null }: ReplayTagInput,
  athletes: AthletesById,
): Promise<ReplayRow> {
  rejectInvalid([
    !isAthleteVisible(athletes.get(athleteId), viewer) && unknownAthleteViolation('/athleteId'),
    tagViolation(atMs, row.durationSeconds),
  ]);
  const tags = await tagsOf(transaction, row);
  if (tags.length >= tagsMax) throw new Problem('conflict', `A replay can have at most ${tagsMax} tags. Remove one first.`);
  const [tag] = await transaction.query<ReplayTagRow>(insertInto(replayTags, { replayId: row.id, athleteId, action, atMs }));
  if (!tag) throw new Error('insert into replay_tag returned no row');
  return recordTags(transaction, row, [...tags, tag], { action: 'tagged', tagId: tag.id });
}

/** Removes a tag from a locked replay. Throws Problem not_found (404). */
export async function removeTag(transaction: WriteTransaction, row: ReplayRow, tagId: string): Promise<ReplayRow> {
  const tags = await tagsOf(transaction, row);
  if (!tags.some(({ id }) => id === tagId)) throw new Problem('not_found', `The replay has no tag with the ID ${tagId}.`);
  await transaction.query(sql`/* replays.removeTag */ delete from replay_tag where id = ${tagId}`);
  const remaining = tags.filter(({ id }) => id !== tagId);
  return recordTags(transaction, row, remaining, { action: 'untagged', tagId });
}
