/** Changes of the places of a match, with the match one version up. */
import { updateRow } from '../../../platform/database/table.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import type { EntryFrame } from './rules.ts';
import type { EntryChanges } from './changes.ts';
import { deleteEntries, insertEntries, updateEntries } from './entries.ts';
import { told } from '../matches/insert.ts';
import { matchResource, type MatchParticipantRow, type MatchRow } from '../matches/rows.ts';
import { readEntries } from '../matches/reads.ts';

export const frameOf = ({ id, sport, seasonId, contestId }: MatchRow): EntryFrame => ({
  sport,
  seasonId,
  contestId,
  matchId: id,
});

/** What history keeps of entries: who took which place. */
const noted = (match: MatchRow, entries: readonly MatchParticipantRow[]) => ({
  ...match,
  participants: entries.map(({ matchId: _, result: __, startsAt: ___, published: ____, ...entry }) => entry),
});

/** Writes the changes of a locked match's places; without any, the match stays as it is. */
export async function writeEntries(
  transaction: WriteTransaction,
  match: MatchRow,
  before: readonly MatchParticipantRow[],
  { added, changed, removed }: EntryChanges,
): Promise<MatchRow> {
  if (added.length + changed.length + removed.length === 0) return match;
  await deleteEntries(
    transaction,
    removed.map(({ id }) => id),
  );
  await updateEntries(transaction, changed);
  await insertEntries(transaction, match, added);
  const [after] = await transaction.query<MatchRow>(updateRow(matchResource.table, match, {}));
  if (!after) throw new Error(`the match ${match.id} changed while it was locked`);
  const entries = await readEntries(transaction, [match.id]);
  transaction.record({
    action: 'participants',
    event: 'match.updated',
    data: told(match),
    before: noted(match, before),
    after: noted(after, entries),
    publicBefore: match.published,
    publicAfter: after.published,
  });
  return after;
}
