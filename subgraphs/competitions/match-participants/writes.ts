/** Writes single entries of matches: late entries, changes and line-ups. */
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { applyMergePatch } from '../../../platform/writes/merge-patch.ts';
import { requireVersion } from '../../../platform/writes/precondition.ts';
import { lockOwned } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import type { MatchReads } from '../matches/reads.ts';
import { matchResource, type MatchRow } from '../matches/rows.ts';
import { subMatchSideViolations } from '../matches/sub-match-sides.ts';
import { decideByes, takesPartIn } from '../matches/ties.ts';
import { withSettlement } from '../matches/writes.ts';
import { participantResource, type ParticipantRow } from '../participants/rows.ts';
import type { LineupInput, MatchParticipantInput, UpdateMatchParticipantInput } from '../generated/resolvers.ts';
import type { Settlement } from '../results/settlement.ts';
import { entryAfter, entryChange, inputOf, resultViolations, valuesOf } from './changes.ts';
import { fetchPlayers, lockPlaceholders, readEntryFacts } from './entries.ts';
import { entryContextOf, writeEntries } from './entry-changes.ts';
import { namedPlayerViolations } from './named-players.ts';
import { readEntries } from './reads.ts';
import { formationViolation, lineupViolations, noParticipantViolation, notATeamViolation } from './lineup-rules.ts';
import { combinedViolations, entryViolations, type EntryFacts } from './rules.ts';
import { athletesOf, entryOf, lineupOf, staffOf, type EntryValues } from './values.ts';
import type { MatchParticipantRow } from './rows.ts';
import { entriesMax, sidesViolation } from './sides.ts';

interface EntryPath {
  readonly matchId: string;
  readonly entryId: string;
  readonly ifMatch: string;
}

/** Throws Problem in_use (409) for an entry that the result or an action of the match refers to. */
async function requireUnused(transaction: Queryable, match: MatchRow, { participantId }: MatchParticipantRow): Promise<void> {
  const [use] = await transaction.query<{ result: boolean; action: boolean }>(sql`/* matches.entryUses */
    select exists (select from result where match_id = ${match.id}) as result,
      exists (select from match_action where match_id = ${match.id} and participant_id = ${participantId}) as action`);
  if (use?.result) throw new Problem('in_use', 'The match has a result, so its entries cannot be removed.');
  if (use?.action) throw new Problem('in_use', 'Match actions refer to this participant. Delete them first.');
}

const others = (entries: readonly MatchParticipantRow[], entry: MatchParticipantRow): MatchParticipantRow[] =>
  entries.filter((each) => each !== entry);

async function readParticipant(transaction: Queryable, id: string | null): Promise<ParticipantRow | undefined> {
  if (id === null) return undefined;
  const [row] = await transaction.query<ParticipantRow>(
    sql`/* matches.participant */ select ${participantResource.table.columns} from participant where id = ${id}`,
  );
  return row;
}

/** Notes a written entry in the settlement: rankings, placeholders for its source, and byes. */
function noteEntry(
  settlement: Settlement,
  match: MatchRow,
  before: MatchParticipantRow | null,
  after: EntryValues | null,
  otherEntries: readonly MatchParticipantRow[],
): MatchRow {
  settlement.touch(match);
  if (after?.sourceMatchId != null) settlement.decide(after.sourceMatchId);
  const [was, is] = [before ? [before] : [], after ? [after] : []];
  decideByes(settlement, match.id, [...otherEntries, ...was], [...otherEntries, ...is]);
  return match;
}

/** The input of an entry after a merge patch. A participant that fills the former placeholder is removed when the placeholder changes its source. */
async function patchedInput(
  transaction: Queryable,
  entry: MatchParticipantRow,
  input: UpdateMatchParticipantInput,
): Promise<MatchParticipantInput> {
  const whole = { ...inputOf(entry), ...applyMergePatch(inputOf(entry), input) };
  const { participantId, sourceMatchId } = entry;
  const source = whole.placeholder?.sourceMatchId;
  if (input.participantId !== undefined || participantId === null || sourceMatchId === null || !source) return whole;
  const isFilled = source !== sourceMatchId && (await takesPartIn(transaction, sourceMatchId, participantId));
  return isFilled ? { ...whole, participantId: null } : whole;
}

/** Locks a match and finds one of its entries. */
async function lockEntry(transaction: WriteTransaction, context: Context, { matchId, entryId, ifMatch }: EntryPath) {
  const match = await lockOwned(transaction, matchResource, context.viewer, matchId);
  const entries = await readEntries(transaction, [matchId]);
  const entry = entries.find(({ id }) => id === entryId);
  if (!entry) throw new Problem('not_found', `The match has no entry with the ID ${entryId}.`);
  requireVersion(ifMatch, match.version);
  return { match, entry, entries, others: others(entries, entry) };
}

/** Violations of an entry at a place of a match that is part of another match. */
function partViolations(
  transaction: Queryable,
  { parentId }: MatchRow,
  place: number,
  input: MatchParticipantInput,
  { participants }: EntryFacts,
) {
  const entries = Array.from({ length: place + 1 }, (_, index) => (index === place ? input : {}));
  const pointers = entries.map(() => '/participantId');
  return subMatchSideViolations(transaction, parentId, entries, participants, pointers);
}

async function addEntry(
  transaction: WriteTransaction,
  settlement: Settlement,
  match: MatchRow,
  input: MatchParticipantInput,
  players: ReadonlySet<string>,
): Promise<MatchRow> {
  if (match.status === 'CANCELLED') throw new Problem('in_use', 'The match is cancelled. It accepts no new entries.');
  const entries = await readEntries(transaction, [match.id]);
  if (entries.length >= entriesMax)
    throw new Problem('conflict', `A match can have at most ${entriesMax} entries. Remove one, or create another match.`);
  if (input.placeholder?.sourceMatchId) await lockPlaceholders(transaction, match.seasonId);
  const facts = await readEntryFacts(transaction, [input], players);
  const added = { ...entryOf(input, facts), ordinal: (entries.at(-1)?.ordinal ?? -1) + 1 };
  rejectInvalid([
    ...entryViolations(input, '', entryContextOf(match), facts),
    ...(await namedPlayerViolations(transaction, match.contestId, [input.lineup], ['/lineup'])),
    ...combinedViolations([...entries, added], []),
    ...(await partViolations(transaction, match, entries.length, input, facts)),
    await sidesViolation(transaction, match, entries, entries.length + 1, ''),
  ]);
  const after = await writeEntries(transaction, match, entries, { added: [added], changed: [], removed: [] });
  return noteEntry(settlement, after, null, added, entries);
}

async function updateEntry(
  transaction: WriteTransaction,
  settlement: Settlement,
  { match, entry, entries, others }: Awaited<ReturnType<typeof lockEntry>>,
  input: UpdateMatchParticipantInput,
): Promise<MatchRow> {
  if (input.placeholder?.sourceMatchId) await lockPlaceholders(transaction, match.seasonId);
  const whole = await patchedInput(transaction, entry, input);
  const facts = await readEntryFacts(transaction, [whole], new Set());
  const after = entryAfter(whole, entry, facts);
  rejectInvalid([
    ...entryViolations(whole, '', entryContextOf(match), facts),
    ...combinedViolations([...others, after], []),
    ...resultViolations([after], [entry], { removed: [] }, ['']),
    ...(await partViolations(transaction, match, entries.indexOf(entry), whole, facts)),
  ]);
  const row = await writeEntries(transaction, match, entries, entryChange(entry, after));
  return noteEntry(settlement, row, entry, after, others);
}

async function setLineup(
  transaction: WriteTransaction,
  { match, entry, entries, others }: Awaited<ReturnType<typeof lockEntry>>,
  { players, formation, staff }: LineupInput,
  known: ReadonlySet<string>,
): Promise<MatchRow> {
  const participant = await readParticipant(transaction, entry.participantId);
  const athletes = new Set([...known, ...entry.athleteIds]);
  const lineup = lineupOf(players);
  const after = {
    ...valuesOf(entry),
    lineup,
    athleteIds: athletesOf(participant, lineup),
    ...(formation !== undefined && { formation }),
    ...(staff !== undefined && { staff: staffOf(staff) }),
  };
  rejectInvalid([
    !participant && noParticipantViolation(''),
    participant?.type === 'ATHLETE' && notATeamViolation('/players'),
    ...lineupViolations(players, '/players', match, { athletes }),
    formationViolation('/formation', match.sport, formation),
    ...(await namedPlayerViolations(transaction, match.contestId, [players], ['/players'])),
    ...combinedViolations([...others, after], []).map(
      (violation) => violation && { ...violation, pointer: (violation.pointer ?? '').replace('/lineup', '/players') },
    ),
  ]);
  return writeEntries(transaction, match, entries, entryChange(entry, after));
}

/** Creates the writes of match entries. */
export function createEntryWrites({ writer }: AreaServices, reads: MatchReads) {
  const reloading = replaysOf(reads.byId);

  return {
    async add(
      context: Context,
      matchId: string,
      input: MatchParticipantInput,
      key: string | null | undefined,
    ): Promise<MatchRow> {
      const players = await fetchPlayers(context, [input]);
      const work = (transaction: WriteTransaction) =>
        withSettlement(transaction, async (settlement) => {
          const match = await lockOwned(transaction, matchResource, context.viewer, matchId);
          return addEntry(transaction, settlement, match, input, players);
        });
      return writer.write(context, work, reloading(context, 'addMatchParticipant', key, { matchId, input }));
    },
    update(context: Context, path: EntryPath, input: UpdateMatchParticipantInput): Promise<MatchRow> {
      return writer.write(context, (transaction) =>
        withSettlement(transaction, async (settlement) =>
          updateEntry(transaction, settlement, await lockEntry(transaction, context, path), input),
        ),
      );
    },
    remove(context: Context, path: EntryPath): Promise<MatchRow> {
      return writer.write(context, (transaction) =>
        withSettlement(transaction, async (settlement) => {
          const { match, entries, entry, others } = await lockEntry(transaction, context, path);
          await requireUnused(transaction, match, entry);
          const after = await writeEntries(transaction, match, entries, { added: [], changed: [], removed: [entry] });
          return noteEntry(settlement, after, entry, null, others);
        }),
      );
    },
    /** Replaces the line-up of an entry. */
    async setLineup(context: Context, path: EntryPath, sheet: LineupInput): Promise<MatchRow> {
      const known = await fetchPlayers(context, [{ lineup: sheet.players }]);
      return writer.write(context, async (transaction) =>
        setLineup(transaction, await lockEntry(transaction, context, path), sheet, known),
      );
    },
  };
}
