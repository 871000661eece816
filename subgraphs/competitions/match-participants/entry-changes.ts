/** Writes changes of the entries of a match and increments the version of the match. */
import { updateRow } from '../../../platform/database/table.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { matchEventIds } from '../matches/insert.ts';
import { matchResource, type MatchRow } from '../matches/rows.ts';
import type { EntryChanges } from './changes.ts';
import { deleteEntries, insertEntries, updateEntries } from './entries.ts';
import { readEntries } from './reads.ts';
import type { EntryContext } from './rules.ts';
import type { MatchParticipantRow } from './rows.ts';

export const entryContextOf = ({ id, sport, seasonId, contestId }: MatchRow): EntryContext => ({
  sport,
  seasonId,
  contestId,
  matchId: id,
});

/** What the history stores of entries. */
const historyOf = (match: MatchRow, entries: readonly MatchParticipantRow[]) => ({
  ...match,
  participants: entries.map(({ matchId: _, result: __, startsAt: ___, published: ____, ...entry }) => entry),
});

/** Writes the changes of a locked match's entries. Without changes the match keeps its version. */
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
  if (!after) throw new Error(`match ${match.id} changed while it was locked`);
  const entries = await readEntries(transaction, [match.id]);
  transaction.record({
    action: 'participants',
    event: 'match.updated',
    data: matchEventIds(match),
    before: historyOf(match, before),
    after: historyOf(after, entries),
    publicBefore: match.published,
    publicAfter: after.published,
  });
  return after;
}
