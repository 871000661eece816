/** Compares the entries of an import or a patch with the stored ones. */
import { isDeepStrictEqual } from 'node:util';
import type { Violation } from '../../../schema/errors.ts';
import type { EntryFacts } from './rules.ts';
import { athletesOf, entryOf, type EntryValues } from './values.ts';
import type { MatchParticipantInput } from '../generated/resolvers.ts';
import type { ProgramEntry } from './entries.ts';
import type { MatchParticipantRow } from './rows.ts';

/** The values of a stored entry that an input can set. */
export function valuesOf(row: MatchParticipantRow): ProgramEntry {
  const { id: _, matchId: __, result: ___, startsAt: ____, published: _____, ...values } = row;
  return values;
}

/** The input that describes a stored entry, without its line-up. */
export function inputOf(row: MatchParticipantRow): MatchParticipantInput {
  const { participantId, placeholderText: text, sourceMatchId, sourceOutcome: outcome, side, lane, bib, seed, bye } = row;
  const { formation, staff } = row;
  const placeholder = text === null && sourceMatchId === null ? null : { text, sourceMatchId, outcome };
  return { participantId, placeholder, side, lane, bib, seed, bye, formation, staff };
}

/** The values of an entry after a change. The line-up, formation and staff stay while the participant stays and no others are given. */
export function entryAfter(input: MatchParticipantInput, before: MatchParticipantRow | null, facts: EntryFacts): EntryValues {
  const wanted = entryOf(input, facts);
  if (before === null || wanted.participantId !== before.participantId) return wanted;
  const formation = input.formation === undefined ? before.formation : wanted.formation;
  const staff = input.staff === undefined ? before.staff : wanted.staff;
  if (input.lineup) return { ...wanted, formation, staff };
  const athleteIds = athletesOf(facts.participants.get(wanted.participantId ?? ''), before.lineup);
  return { ...wanted, formation, staff, lineup: before.lineup, athleteIds };
}

/** The values of an entry after an import. An unchanged placeholder keeps the participant that already fills it. */
export function importedEntry(input: MatchParticipantInput, before: MatchParticipantRow | null, facts: EntryFacts): EntryValues {
  const wanted = entryAfter(input, before, facts);
  const isUnchangedPlaceholder =
    before !== null &&
    wanted.participantId === null &&
    wanted.sourceMatchId !== null &&
    wanted.sourceMatchId === before.sourceMatchId &&
    wanted.sourceOutcome === before.sourceOutcome;
  if (!isUnchangedPlaceholder) return wanted;
  const { participantId, teamId, athleteIds, lineup, formation, staff } = before;
  return { ...wanted, participantId, teamId, athleteIds, lineup, formation, staff };
}

/** The stored entry of each input: the one with the same participant, else one of the others in order; null for a new entry. */
export function pairEntries(
  inputs: readonly MatchParticipantInput[],
  stored: readonly MatchParticipantRow[],
): (MatchParticipantRow | null)[] {
  const free = new Set(stored);
  const own = inputs.map(({ participantId }) => {
    const row = stored.find((entry) => !!participantId && entry.participantId === participantId) ?? null;
    if (row) free.delete(row);
    return row;
  });
  // Entries without a participant that stay in their position keep their id.
  const placed = own.map((row, ordinal) => {
    const there = row ?? stored[ordinal] ?? null;
    if (row || !there || !free.delete(there)) return row;
    return there;
  });
  return placed.map((row) => {
    if (row) return row;
    const [next] = free;
    if (next) free.delete(next);
    return next ?? null;
  });
}

export interface EntryChanges {
  readonly added: readonly ProgramEntry[];
  readonly changed: readonly (ProgramEntry & { readonly id: string })[];
  readonly removed: readonly MatchParticipantRow[];
}

/** The writes that turn the stored entries into the wanted ones. `before` is the result of pairEntries. */
export function entryChanges(
  wanted: readonly EntryValues[],
  before: readonly (MatchParticipantRow | null)[],
  stored: readonly MatchParticipantRow[],
): EntryChanges {
  const placed = wanted.map((values, ordinal) => ({ ...values, ordinal }));
  return {
    added: placed.filter((_, index) => !before[index]),
    changed: placed.flatMap((values, index) => {
      const row = before[index];
      return row && !isDeepStrictEqual(values, valuesOf(row)) ? [{ ...values, id: row.id }] : [];
    }),
    removed: stored.filter((row) => !before.includes(row)),
  };
}

/** The writes that turn one stored entry into the wanted one. */
export function entryChange(before: MatchParticipantRow, wanted: EntryValues): EntryChanges {
  const after = { ...wanted, ordinal: before.ordinal };
  const same = isDeepStrictEqual(after, valuesOf(before));
  return { added: [], changed: same ? [] : [{ ...after, id: before.id }], removed: [] };
}

/** Violations for changes that would take a participant away from a result. The result must be changed first. */
export function resultViolations(
  wanted: readonly EntryValues[],
  before: readonly (MatchParticipantRow | null)[],
  { removed }: Pick<EntryChanges, 'removed'>,
  pointers: readonly string[],
): (Violation | null)[] {
  const detail = 'The result of the match refers to this participant. Annul or correct the result first.';
  const replaced = wanted.map(({ participantId }, index) => {
    const row = before[index];
    const violation = row?.result && row.participantId !== participantId;
    return violation ? { pointer: `${pointers[index] ?? ''}/participantId`, code: 'has_result', detail } : null;
  });
  const lost = removed.some((row) => row.result) ? [{ pointer: '/participants', code: 'has_result', detail }] : [];
  return [...replaced, ...lost];
}
