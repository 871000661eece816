/** Matches: their batch. An import finds its matches by their external ids, and takes them to where they are now. */
import { rejectInvalid } from '../../../schema/errors.ts';
import { writeBatch, type BatchRequest, type BatchResult } from '../../../platform/writes/batch.ts';
import { externalIdOrder, firstExternalId } from '../../../platform/writes/external-id.ts';
import { requireAccount } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { competitionConstraints } from '../constraints.ts';
import { entryViolations, togetherViolations, type EntryFacts } from '../match-participants/rules.ts';
import { entryChanges, importedEntry, pairs, resultViolations } from '../match-participants/changes.ts';
import type { CreateMatchInput, MatchParticipantInput } from '../resolvers.generated.ts';
import { writeActions } from '../match-actions/batch.ts';
import { touch } from '../match-actions/writes.ts';
import { gatherMatchFacts, holdSources } from '../match-participants/entries.ts';
import { frameOf, writeEntries } from '../match-participants/entry-changes.ts';
import { createFraming, type Framing } from './frame.ts';
import { patchMatch } from './patch.ts';
import { hasExactly, holdKnownMatches, type KnownMatch, type KnownMatches } from './known-matches.ts';
import type { MatchParticipantRow, MatchRow } from './rows.ts';
import { takeTo } from './transitions.ts';
import { sidesViolation } from '../match-participants/sides.ts';
import { decideByes, touchBoth } from './ties.ts';
import { makeMatch } from './writes.ts';
import { recordResult } from '../results/record.ts';
import { openSettlement, type Settlement } from '../results/settlement.ts';

/** What the matches wait for that places wait for: as it is now, where they wait for another one than before. */
async function freshSources(
  transaction: WriteTransaction,
  { seasonId }: MatchRow,
  stored: readonly MatchParticipantRow[],
  inputs: readonly MatchParticipantInput[],
  { sources }: EntryFacts,
): Promise<EntryFacts['sources']> {
  const known = new Set(stored.map(({ sourceMatchId }) => sourceMatchId));
  const ids = inputs.flatMap(({ placeholder }) => placeholder?.sourceMatchId ?? []);
  return ids.every((id) => known.has(id)) ? sources : holdSources(transaction, seasonId, ids);
}

/** Makes the places of a match what an item says. Throws Problem validation_failed (422). */
async function changeEntries(
  transaction: WriteTransaction,
  settlement: Settlement,
  match: MatchRow,
  stored: readonly MatchParticipantRow[],
  inputs: readonly MatchParticipantInput[],
  facts: EntryFacts,
): Promise<MatchRow> {
  const before = pairs(inputs, stored);
  const wanted = inputs.map((input, index) => importedEntry(input, before[index] ?? null, facts));
  const changes = entryChanges(wanted, before, stored);
  const pointers = inputs.map((_, index) => `/participants/${index}`);
  // Who stands on a team sheet already was known when it was handed in.
  const athletes = new Set([...facts.athletes, ...stored.flatMap(({ athleteIds }) => athleteIds)]);
  const sources = await freshSources(transaction, match, stored, inputs, facts);
  rejectInvalid([
    ...inputs.flatMap((input, index) =>
      entryViolations(input, pointers[index] ?? '', frameOf(match), { ...facts, athletes, sources }),
    ),
    ...togetherViolations(wanted, pointers),
    ...resultViolations(wanted, before, changes, pointers),
    await sidesViolation(transaction, match, stored, inputs.length, pointers[Math.min(inputs.length - 1, 2)] ?? ''),
  ]);
  decideByes(settlement, match.id, stored, wanted);
  for (const { sourceMatchId } of [...changes.added, ...changes.changed])
    if (sourceMatchId !== null) settlement.decide(sourceMatchId);
  return writeEntries(transaction, match, stored, changes);
}

/** A start that is told anew sets the time of a match that waits for one. */
function rescheduled(before: MatchRow, after: MatchRow, { status }: CreateMatchInput): boolean {
  const waits = before.status === 'SCHEDULED' || before.status === 'POSTPONED';
  const told = after.startTime !== null && after.startTime !== before.startTime;
  return waits && (status === 'TIMED' || told);
}

/** Applies an item to the match that it names: its facts, its places, its state, its actions, its result. Throws Problem validation_failed (422), invalid_transition (409). */
async function change(
  transaction: WriteTransaction,
  settlement: Settlement,
  known: KnownMatch,
  item: CreateMatchInput,
  facts: EntryFacts,
): Promise<{ readonly after: MatchRow; readonly changed: boolean }> {
  const before = known.match;
  const { seasonId, stageId, participants, status, result, actions, officials, externalIds, ...given } = item;
  rejectInvalid([
    seasonId !== before.seasonId && { pointer: '/seasonId', code: 'immutable', detail: 'A match stays in its season.' },
    !!stageId && stageId !== before.stageId && { pointer: '/stageId', code: 'immutable', detail: 'A match stays in its stage.' },
  ]);
  const renamed = externalIds && !hasExactly(known, externalIds) ? { externalIds } : {};
  let after = await patchMatch(transaction, before, { ...given, ...renamed, ...(officials ? { officials } : {}) });
  if (participants) after = await changeEntries(transaction, settlement, after, known.entries, participants, facts);
  const over = status === 'FINISHED' || status === 'AWARDED';
  // An awarded match was over before: a feed that only says so takes nothing back.
  if (over && !(status === 'FINISHED' && after.status === 'AWARDED')) after = await takeTo(transaction, after, status);
  else if (rescheduled(before, after, item)) after = await takeTo(transaction, after, 'TIMED');
  if (actions && (await writeActions(transaction, after, actions, facts.athletes))) after = await touch(transaction, after);
  await touchBoth(transaction, settlement, before, after);
  if (!result) return { after, changed: after.version !== before.version };
  const recorded = await recordResult(transaction, settlement, after, result, result.status ?? 'PROVISIONAL', '/result');
  const changed = after.version !== before.version || recorded.before?.version !== recorded.after.version;
  return { after, changed };
}

/** What the items of one batch share. */
interface Shared {
  readonly settlement: Settlement;
  readonly known: KnownMatches;
  /** Null after an item failed: its locks went with its savepoint. */
  framing: Framing | null;
}

/** Batches of matches over the area's database. */
export function createMatchBatch({ writer, database }: AreaServices) {
  async function apply(
    transaction: WriteTransaction,
    context: Context,
    shared: Shared,
    item: CreateMatchInput,
    facts: EntryFacts,
  ) {
    const { settlement } = shared;
    const known = await shared.known(firstExternalId(item));
    if (known === null) {
      const framing = (shared.framing ??= createFraming(transaction, context.viewer));
      const match = await makeMatch(transaction, settlement, framing, item, facts);
      return { outcome: 'CREATED', id: match.id, version: match.version } as const;
    }
    const { after, changed } = await change(transaction, settlement, known, item, facts);
    return { outcome: changed ? 'UPDATED' : 'UNCHANGED', id: after.id, version: after.version } as const;
  }

  return {
    /** Creates or updates matches by their first external id. */
    async upsert(
      context: Context,
      items: readonly CreateMatchInput[],
      idempotencyKey: string | null | undefined,
    ): Promise<BatchResult> {
      const accountId = requireAccount(context.viewer);
      const facts = await gatherMatchFacts(database, context, items);
      // A batch that met another one begins anew.
      let shared: Shared = { settlement: openSettlement(), known: () => Promise.resolve(null), framing: null };
      const request: BatchRequest<CreateMatchInput> = {
        operation: 'upsertMatches',
        idempotencyKey,
        items,
        orderBy: externalIdOrder,
        constraints: competitionConstraints,
        beforeItems: async (transaction: WriteTransaction) => {
          const known = await holdKnownMatches(transaction, accountId, items);
          shared = { settlement: openSettlement(), known, framing: null };
        },
        afterItems: (transaction: WriteTransaction) => shared.settlement.settle(transaction),
      };
      return writeBatch(writer, context, request, async (transaction, item) => {
        try {
          return await apply(transaction, context, shared, item, facts);
        } catch (violation) {
          shared.framing = null;
          throw violation;
        }
      });
    },
  };
}
