/** What an import or a patch changes of the places of a match. */
import { isDeepStrictEqual } from 'node:util';
import type { Violation } from '../../../schema/errors.ts';
import { athletesOf, entryOf, type EntryFacts, type EntryValues } from './rules.ts';
import type { MatchParticipantInput } from '../resolvers.generated.ts';
import type { PlacedEntry } from './entries.ts';
import type { MatchParticipantRow } from '../matches/rows.ts';

/** The members of an entry that a caller gives. */
export function valuesOf(row: MatchParticipantRow): PlacedEntry {
  const { id: _, matchId: __, result: ___, startsAt: ____, published: _____, ...values } = row;
  return values;
}

/** An entry as an input would give it, but for its team sheet. */
export function inputOf(row: MatchParticipantRow): MatchParticipantInput {
  const { participantId, placeholderText: text, sourceMatchId, sourceOutcome: outcome, side, lane, bib, seed, bye } = row;
  const placeholder = text === null && sourceMatchId === null ? null : { text, sourceMatchId, outcome };
  return { participantId, placeholder, side, lane, bib, seed, bye };
}

/** The place as it will be: a team sheet stays with its participant, where no other is given. */
export function entryAfter(input: MatchParticipantInput, before: MatchParticipantRow | null, facts: EntryFacts): EntryValues {
  const wanted = entryOf(input, facts);
  if (before === null || wanted.participantId !== before.participantId || input.lineup) return wanted;
  const athleteIds = athletesOf(facts.participants.get(wanted.participantId ?? ''), before.lineup);
  return { ...wanted, lineup: before.lineup, athleteIds };
}

/** The same for an import, which tells again whom a place waits for: who was found for it stays. */
export function importedEntry(input: MatchParticipantInput, before: MatchParticipantRow | null, facts: EntryFacts): EntryValues {
  const wanted = entryAfter(input, before, facts);
  const waits =
    before !== null &&
    wanted.participantId === null &&
    wanted.sourceMatchId !== null &&
    wanted.sourceMatchId === before.sourceMatchId &&
    wanted.sourceOutcome === before.sourceOutcome;
  if (!waits) return wanted;
  const { participantId, teamId, athleteIds, lineup } = before;
  return { ...wanted, participantId, teamId, athleteIds, lineup };
}

/** The stored entry that each input means: the one of its participant, else one that is left over, in order; null where it is new. */
export function pairs(
  inputs: readonly MatchParticipantInput[],
  stored: readonly MatchParticipantRow[],
): (MatchParticipantRow | null)[] {
  const free = new Set(stored);
  const own = inputs.map(({ participantId }) => {
    const row = stored.find((entry) => !!participantId && entry.participantId === participantId) ?? null;
    if (row) free.delete(row);
    return row;
  });
  // Places that stayed where they are come first: an entry without a participant keeps its id.
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
  readonly added: readonly PlacedEntry[];
  readonly changed: readonly (PlacedEntry & { readonly id: string })[];
  readonly removed: readonly MatchParticipantRow[];
}

/** What has to be written for the places to become those wanted; `before` pairs them with what is stored. */
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

/** What has to be written for one place to become what is wanted. */
export function entryChange(before: MatchParticipantRow, wanted: EntryValues): EntryChanges {
  const after = { ...wanted, ordinal: before.ordinal };
  const same = isDeepStrictEqual(after, valuesOf(before));
  return { added: [], changed: same ? [] : [{ ...after, id: before.id }], removed: [] };
}

/** The faults of changes that would take what a result says from somebody: the result has to be changed first. */
export function resultViolations(
  wanted: readonly EntryValues[],
  before: readonly (MatchParticipantRow | null)[],
  { removed }: Pick<EntryChanges, 'removed'>,
  pointers: readonly string[],
): (Violation | null)[] {
  const detail = 'The match has a result that says what this participant did: annul or correct the result first.';
  const replaced = wanted.map(({ participantId }, index) => {
    const row = before[index];
    const violation = row?.result && row.participantId !== participantId;
    return violation ? { pointer: `${pointers[index] ?? ''}/participantId`, code: 'has_result', detail } : null;
  });
  const lost = removed.some((row) => row.result) ? [{ pointer: '/participants', code: 'has_result', detail }] : [];
  return [...replaced, ...lost];
}
