/** Who is seen in a replay: tags are put on and taken off. */
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { sql } from '../../../platform/database/database.ts';
import { changeRow } from '../../../platform/writes/resource.ts';
import { insertInto } from '../../../platform/database/table.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { isAthleteVisible, unknownAthleteViolation, type AthletesById } from '../../clients/athlete-facts.ts';
import { tagViolation } from './rules.ts';
import type { ReplayTagInput } from '../resolvers.generated.ts';
import { replayResource, replayTags, type ReplayRow, type ReplayTagRow } from './rows.ts';
import { about } from './transitions.ts';

/** All tags of a replay are shown with it, so that there is an end to them. */
const tagsMax = 500;

function tagsOf(transaction: WriteTransaction, { id }: ReplayRow): Promise<ReplayTagRow[]> {
  return transaction.query<ReplayTagRow>(
    sql`/* replays.tagsOf */ select ${replayTags.columns} from replay_tag where replay_id = ${id}`,
  );
}

function noteTags(
  transaction: WriteTransaction,
  row: ReplayRow,
  tags: readonly ReplayTagRow[],
  data: { readonly action: string; readonly tagId: string },
): Promise<ReplayRow> {
  const seen = [...(row.athleteId ? [row.athleteId] : []), ...tags.map(({ athleteId }) => athleteId)];
  const moved = { action: data.action, event: 'replay.updated', data: { ...about(row), tagId: data.tagId } } as const;
  return changeRow(transaction, replayResource, row, { athleteIds: [...new Set(seen)] }, moved);
}

/** Tags an athlete whom the viewer knows in a locked replay. Throws Problem validation_failed (422), and conflict (409) when there are too many. */
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
  if (tags.length >= tagsMax) throw new Problem('conflict', `A replay has ${tagsMax} tags at most: take one off first.`);
  const [tag] = await transaction.query<ReplayTagRow>(insertInto(replayTags, { replayId: row.id, athleteId, action, atMs }));
  if (!tag) throw new Error('insert into replay_tag returned no row');
  return noteTags(transaction, row, [...tags, tag], { action: 'tagged', tagId: tag.id });
}

/** Takes a tag off a locked replay. Throws Problem not_found (404). */
export async function removeTag(transaction: WriteTransaction, row: ReplayRow, tagId: string): Promise<ReplayRow> {
  const tags = await tagsOf(transaction, row);
  if (!tags.some(({ id }) => id === tagId)) throw new Problem('not_found', `This replay has no tag with the id ${tagId}.`);
  await transaction.query(sql`/* replays.removeTag */ delete from replay_tag where id = ${tagId}`);
  const left = tags.filter(({ id }) => id !== tagId);
  return noteTags(transaction, row, left, { action: 'untagged', tagId });
}
