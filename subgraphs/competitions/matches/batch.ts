/** Batch upsert of matches by external ID: facts, entries, state, actions and result of each item. */
import { rejectInvalid, type Violation } from '../../../schema/errors.ts';
import { writeBatch, type BatchRequest, type BatchResult } from '../../../platform/writes/batch.ts';
import { externalIdOrder, firstExternalId } from '../../../platform/writes/external-id.ts';
import { requireAccount } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { competitionConstraints } from '../constraints.ts';
import { entryChanges, importedEntry, pairEntries, resultViolations } from '../match-participants/changes.ts';
import { combinedViolations, entryViolations, type EntryFacts } from '../match-participants/rules.ts';
import type { CreateMatchInput, InitialMatchStatus, MatchParticipantInput, MatchStatus } from '../generated/resolvers.ts';
import { replaceActions } from '../match-actions/batch.ts';
import { touchMatch } from '../match-actions/writes.ts';
import { fetchMatchFacts, lockSources } from '../match-participants/entries.ts';
import { entryContextOf, writeEntries } from '../match-participants/entry-changes.ts';
import { namedPlayerViolations } from '../match-participants/named-players.ts';
import type { MatchParticipantRow } from '../match-participants/rows.ts';
import { sidesViolation } from '../match-participants/sides.ts';
import { recordResult } from '../results/record.ts';
import { openSettlement, type Settlement } from '../results/settlement.ts';
import { hasExactly, lockKnownMatches, type KnownMatch, type KnownMatches } from './known-matches.ts';
import { patchMatch } from './patch.ts';
import { openMatchStatuses } from './rules.ts';
import type { MatchRow } from './rows.ts';
import { createSeasonStageLoader, type SeasonStageLoader } from './season-stage.ts';
import { subMatchSideViolations } from './sub-match-sides.ts';
import { decideByes, touchBoth } from './ties.ts';
import { transitionTo } from './transitions.ts';
import { createMatch } from './writes.ts';

/** The source matches of the entries. Locks and reads them again where an entry refers to another source than before. */
async function currentSources(
  transaction: WriteTransaction,
  { seasonId }: MatchRow,
  stored: readonly MatchParticipantRow[],
  inputs: readonly MatchParticipantInput[],
  { sources }: EntryFacts,
): Promise<EntryFacts['sources']> {
  const known = new Set(stored.map(({ sourceMatchId }) => sourceMatchId));
  const ids = inputs.flatMap(({ placeholder }) => placeholder?.sourceMatchId ?? []);
  return ids.every((id) => known.has(id)) ? sources : lockSources(transaction, seasonId, ids);
}

/** Changes the entries of a match to those of an item. Throws Problem validation_failed (422). */
async function changeEntries(
  transaction: WriteTransaction,
  settlement: Settlement,
  match: MatchRow,
  stored: readonly MatchParticipantRow[],
  inputs: readonly MatchParticipantInput[],
  facts: EntryFacts,
): Promise<MatchRow> {
  const before = pairEntries(inputs, stored);
  const wanted = inputs.map((input, index) => importedEntry(input, before[index] ?? null, facts));
  const changes = entryChanges(wanted, before, stored);
  const pointers = inputs.map((_, index) => `/participants/${index}`);
  // Athletes already in a line-up stay valid, even if the caller can no longer read them.
  const athletes = new Set([...facts.athletes, ...stored.flatMap(({ athleteIds }) => athleteIds)]);
  const sources = await currentSources(transaction, match, stored, inputs, facts);
  rejectInvalid([
    ...inputs.flatMap((input, index) =>
      entryViolations(input, pointers[index] ?? '', entryContextOf(match), { ...facts, athletes, sources }),
    ),
    ...combinedViolations(wanted, pointers),
    ...(await namedPlayerViolations(
      transaction,
      match.contestId,
      inputs.map(({ lineup }) => lineup),
      pointers.map((pointer) => `${pointer}/lineup`),
    )),
    ...resultViolations(wanted, before, changes, pointers),
    ...(changes.added.length + changes.changed.length > 0
      ? await subMatchSideViolations(
          transaction,
          match.parentId,
          wanted,
          facts.participants,
          pointers.map((pointer) => `${pointer}/participantId`),
        )
      : []),
    await sidesViolation(transaction, match, stored, inputs.length, pointers[Math.min(inputs.length - 1, 2)] ?? ''),
  ]);
  decideByes(settlement, match.id, stored, wanted);
  for (const { sourceMatchId } of [...changes.added, ...changes.changed])
    if (sourceMatchId !== null) settlement.decide(sourceMatchId);
  return writeEntries(transaction, match, stored, changes);
}

/** Whether an item sets the start of a match that has none or is postponed. */
function isRescheduled(before: MatchRow, after: MatchRow, { status }: CreateMatchInput): boolean {
  const waits = before.status === 'SCHEDULED' || before.status === 'POSTPONED';
  const isNewStart = after.startTime !== null && after.startTime !== before.startTime && status !== 'SCHEDULED';
  return waits && (status === 'TIMED' || isNewStart);
}

/** Whether a match has been in the state of an item: some feeds repeat the first one, or only report that a match is over. */
function hasPassed(current: MatchStatus, requested: InitialMatchStatus): boolean {
  if (requested === 'SCHEDULED' || requested === 'TIMED')
    return current !== 'SCHEDULED' && (openMatchStatuses.includes(current) || current === 'FINISHED' || current === 'AWARDED');
  return requested === 'FINISHED' && current === 'AWARDED';
}

/** The state that an item moves a match to; null where it stays. */
function targetState(before: MatchRow, after: MatchRow, item: CreateMatchInput): MatchStatus | null {
  const { status = null } = item;
  if (isRescheduled(before, after, item)) return 'TIMED';
  return status === null || hasPassed(after.status, status) ? null : status;
}

const immutableViolations = ({ seasonId, stageId, parentMatchId }: CreateMatchInput, match: MatchRow): (Violation | false)[] => [
  seasonId !== match.seasonId && {
    pointer: '/seasonId',
    code: 'immutable',
    detail: 'The season of a match cannot change.',
  },
  !!stageId &&
    stageId !== match.stageId && { pointer: '/stageId', code: 'immutable', detail: 'The stage of a match cannot change.' },
  !!parentMatchId &&
    parentMatchId !== match.parentId && {
      pointer: '/parentMatchId',
      code: 'immutable',
      detail: 'The parent match of a match cannot change.',
    },
];

/** Applies an item to the match that it names: its facts, its places, its state, its actions, its result. Throws Problem validation_failed (422), invalid_transition (409). */
async function change(
  transaction: WriteTransaction,
  settlement: Settlement,
  known: KnownMatch,
  item: CreateMatchInput,
  facts: EntryFacts,
): Promise<{ readonly after: MatchRow; readonly changed: boolean }> {
  const before = known.match;
  const { seasonId: _, stageId: __, parentMatchId: ___, participants, status: ____, ...members } = item;
  const { result, actions, officials, externalIds, ...given } = members;
  rejectInvalid(immutableViolations(item, before));
  const renamed = externalIds && !hasExactly(known, externalIds) ? { externalIds } : {};
  let after = await patchMatch(transaction, before, { ...given, ...renamed, ...(officials ? { officials } : {}) });
  if (participants) after = await changeEntries(transaction, settlement, after, known.entries, participants, facts);
  const status = targetState(before, after, item);
  if (status) after = await transitionTo(transaction, after, status, ' Omit `status` to keep it.');
  if (actions && (await replaceActions(transaction, after, actions, facts.athletes)))
    after = await touchMatch(transaction, after);
  await touchBoth(transaction, settlement, before, after);
  if (!result) return { after, changed: after.version !== before.version };
  const recorded = await recordResult(transaction, settlement, after, result, result.status, '/result');
  const changed = after.version !== before.version || recorded.before?.version !== recorded.after.version;
  return { after, changed };
}

/** State that the items of one batch share. */
interface BatchState {
  readonly settlement: Settlement;
  readonly known: KnownMatches;
  /** Null after an item failed: the rollback to its savepoint released the locks. */
  loader: SeasonStageLoader | null;
}

/** Creates the batch upsert of matches. */
export function createMatchBatch({ writer, database }: AreaServices) {
  async function apply(
    transaction: WriteTransaction,
    context: Context,
    state: BatchState,
    item: CreateMatchInput,
    facts: EntryFacts,
  ) {
    const { settlement } = state;
    const known = await state.known(firstExternalId(item));
    if (known === null) {
      const loader = (state.loader ??= createSeasonStageLoader(transaction, context.viewer));
      const match = await createMatch(transaction, settlement, loader, item, facts);
      return { outcome: 'CREATED', id: match.id, version: match.version } as const;
    }
    const { after, changed } = await change(transaction, settlement, known, item, facts);
    return { outcome: changed ? 'UPDATED' : 'UNCHANGED', id: after.id, version: after.version } as const;
  }

  return {
    /** Creates or updates matches by their first external ID. */
    async upsert(
      context: Context,
      items: readonly CreateMatchInput[],
      idempotencyKey: string | null | undefined,
    ): Promise<BatchResult> {
      const accountId = requireAccount(context.viewer);
      const facts = await fetchMatchFacts(database, context, items);
      // `begin` replaces the state, also when the batch is retried after a serialization conflict.
      let state: BatchState = { settlement: openSettlement(), known: () => Promise.resolve(null), loader: null };
      const request: BatchRequest<CreateMatchInput> = {
        operation: 'upsertMatches',
        idempotencyKey,
        items,
        orderBy: externalIdOrder,
        constraints: competitionConstraints,
        beforeItems: async (transaction: WriteTransaction) => {
          const known = await lockKnownMatches(transaction, accountId, items);
          state = { settlement: openSettlement(), known, loader: null };
        },
        afterItems: async (transaction: WriteTransaction) => {
          await state.settlement.settle(transaction);
        },
      };
      return writeBatch(writer, context, request, async (transaction, item) => {
        try {
          return await apply(transaction, context, state, item, facts);
        } catch (error) {
          state.loader = null;
          throw error;
        }
      });
    },
  };
}
