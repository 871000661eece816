/** Who takes part in a match: late entries, changes of places, and team sheets. */
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { applyMergePatch } from '../../../platform/writes/merge-patch.ts';
import { requireVersion } from '../../../platform/writes/precondition.ts';
import { lockOwned } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import {
  athletesOf,
  entryViolations,
  entryOf,
  lineupViolations,
  lineupOf,
  togetherViolations,
  type EntryValues,
} from './rules.ts';
import { entryAfter, entryChange, inputOf, resultViolations, valuesOf } from './changes.ts';
import type { LineupInput, MatchParticipantInput, UpdateMatchParticipantInput } from '../resolvers.generated.ts';
import { knownPlayers, lockSources, readEntryFacts } from './entries.ts';
import { frameOf, writeEntries } from './entry-changes.ts';
import { matchResource, type MatchParticipantRow, type MatchRow } from '../matches/rows.ts';
import { entriesMax, sidesViolation } from './sides.ts';
import { decideByes, takesPartIn } from '../matches/ties.ts';
import { settling } from '../matches/writes.ts';
import { readEntries, type MatchStore } from '../matches/reads.ts';
import type { Settlement } from '../results/settlement.ts';
import { participantResource, type ParticipantRow } from '../season-parts/rows.ts';

interface Place {
  readonly matchId: string;
  readonly entryId: string;
  readonly ifMatch: string;
}

/** Throws Problem in_use (409) for somebody of whom a result or an action tells. */
async function refuseUsed(transaction: Queryable, match: MatchRow, { participantId }: MatchParticipantRow): Promise<void> {
  const [use] = await transaction.query<{ result: boolean; action: boolean }>(sql`/* matches.entryUses */
    select exists (select from result where match_id = ${match.id}) as result,
      exists (select from match_action where match_id = ${match.id} and participant_id = ${participantId}) as action`);
  if (use?.result) throw new Problem('in_use', 'This match has a result: nobody is taken off it.');
  if (use?.action) throw new Problem('in_use', 'Actions of the match are this participant’s: delete them first.');
}

/** The other places: what clashes with them is a fault of the one that is written. */
const others = (entries: readonly MatchParticipantRow[], entry: MatchParticipantRow): MatchParticipantRow[] =>
  entries.filter((each) => each !== entry);

async function readParticipant(transaction: Queryable, id: string | null): Promise<ParticipantRow | undefined> {
  if (id === null) return undefined;
  const [row] = await transaction.query<ParticipantRow>(
    sql`/* matches.participant */ select ${participantResource.table.columns} from participant where id = ${id}`,
  );
  return row;
}

/** A match with a place that was written: it counts for who takes it, who may be known already, and may go on by a bye. */
function entered(
  settlement: Settlement,
  match: MatchRow,
  before: MatchParticipantRow | null,
  after: EntryValues | null,
  beside: readonly MatchParticipantRow[],
): MatchRow {
  settlement.touch(match);
  if (after?.sourceMatchId != null) settlement.decide(after.sourceMatchId);
  decideByes(settlement, match.id, [...beside, ...(before ? [before] : [])], [...beside, ...(after ? [after] : [])]);
  return match;
}

/** A place as a patch leaves it: whoever was found by the match that it waited for stays there only as long as it waits for that one. */
async function patched(
  transaction: Queryable,
  entry: MatchParticipantRow,
  input: UpdateMatchParticipantInput,
): Promise<MatchParticipantInput> {
  const whole = { ...inputOf(entry), ...applyMergePatch(inputOf(entry), input) };
  const { participantId, sourceMatchId } = entry;
  const other = whole.placeholder?.sourceMatchId;
  if (input.participantId !== undefined || participantId === null || sourceMatchId === null || !other) return whole;
  const found = other !== sourceMatchId && (await takesPartIn(transaction, sourceMatchId, participantId));
  return found ? { ...whole, participantId: null } : whole;
}

/** Writes of entries over the area's database. */
export function createMatchEntryWrites({ writer }: AreaServices, store: MatchStore) {
  const reloading = replaysOf(store.byId);

  /** Locks a match and finds one of its places. */
  async function lockPlace(transaction: WriteTransaction, context: Context, { matchId, entryId, ifMatch }: Place) {
    const match = await lockOwned(transaction, matchResource, context.viewer, matchId);
    const entries = await readEntries(transaction, [matchId]);
    const entry = entries.find(({ id }) => id === entryId);
    if (!entry) throw new Problem('not_found', `The match has no entry with the id ${entryId}.`);
    requireVersion(ifMatch, match.version);
    return { match, entries, entry };
  }

  return {
    async add(
      context: Context,
      matchId: string,
      input: MatchParticipantInput,
      key: string | null | undefined,
    ): Promise<MatchRow> {
      const players = await knownPlayers(context, [input]);
      const enter = async (transaction: WriteTransaction, settlement: Settlement): Promise<MatchRow> => {
        const match = await lockOwned(transaction, matchResource, context.viewer, matchId);
        if (match.status === 'CANCELLED') throw new Problem('in_use', 'This match was called off: nobody enters it any more.');
        const entries = await readEntries(transaction, [matchId]);
        if (entries.length >= entriesMax)
          throw new Problem(
            'conflict',
            `A match has ${entriesMax} participants at most: take one off first, or make another match.`,
          );
        if (input.placeholder?.sourceMatchId) await lockSources(transaction, match.seasonId);
        const facts = await readEntryFacts(transaction, [input], players);
        const added = { ...entryOf(input, facts), ordinal: (entries.at(-1)?.ordinal ?? -1) + 1 };
        rejectInvalid([
          ...entryViolations(input, '', frameOf(match), facts),
          ...togetherViolations([...entries, added], []),
          await sidesViolation(transaction, match, entries, entries.length + 1, ''),
        ]);
        const after = await writeEntries(transaction, match, entries, { added: [added], changed: [], removed: [] });
        return entered(settlement, after, null, added, entries);
      };
      const work = (transaction: WriteTransaction) => settling(transaction, (settlement) => enter(transaction, settlement));
      return writer.write(context, work, reloading(context, 'addMatchParticipant', key, { matchId, input }));
    },
    update(context: Context, place: Place, input: UpdateMatchParticipantInput): Promise<MatchRow> {
      const work = async (transaction: WriteTransaction, settlement: Settlement): Promise<MatchRow> => {
        const { match, entries, entry } = await lockPlace(transaction, context, place);
        if (input.placeholder?.sourceMatchId) await lockSources(transaction, match.seasonId);
        const whole = await patched(transaction, entry, input);
        const facts = await readEntryFacts(transaction, [whole], new Set());
        const after = entryAfter(whole, entry, facts);
        rejectInvalid([
          ...entryViolations(whole, '', frameOf(match), facts),
          ...togetherViolations([...others(entries, entry), after], []),
          ...resultViolations([after], [entry], { removed: [] }, ['']),
        ]);
        const row = await writeEntries(transaction, match, entries, entryChange(entry, after));
        return entered(settlement, row, entry, after, others(entries, entry));
      };
      return writer.write(context, (transaction) => settling(transaction, (settlement) => work(transaction, settlement)));
    },
    remove(context: Context, place: Place): Promise<MatchRow> {
      const work = async (transaction: WriteTransaction, settlement: Settlement): Promise<MatchRow> => {
        const { match, entries, entry } = await lockPlace(transaction, context, place);
        await refuseUsed(transaction, match, entry);
        const after = await writeEntries(transaction, match, entries, { added: [], changed: [], removed: [entry] });
        return entered(settlement, after, entry, null, others(entries, entry));
      };
      return writer.write(context, (transaction) => settling(transaction, (settlement) => work(transaction, settlement)));
    },
    /** Puts the team sheet of a place in place of the one before. */
    async setLineup(context: Context, place: Place, { players }: LineupInput): Promise<MatchRow> {
      const known = await knownPlayers(context, [{ lineup: players }]);
      return writer.write(context, async (transaction) => {
        const { match, entries, entry } = await lockPlace(transaction, context, place);
        const participant = await readParticipant(transaction, entry.participantId);
        const athletes = new Set([...known, ...entry.athleteIds]);
        const lineup = lineupOf(players);
        const after = { ...valuesOf(entry), lineup, athleteIds: athletesOf(participant, lineup) };
        const together = togetherViolations([...others(entries, entry), after], []);
        rejectInvalid([
          !participant && { pointer: '', code: 'no_participant', detail: 'Nobody takes this place yet.' },
          participant?.type === 'ATHLETE' && {
            pointer: '/players',
            code: 'not_a_team',
            detail: 'Team sheets are of teams, pairs and relays: an athlete alone needs none.',
          },
          ...lineupViolations(players, '/players', match, { athletes }),
          ...together.map(
            (violation) => violation && { ...violation, pointer: (violation.pointer ?? '').replace('/lineup', '/players') },
          ),
        ]);
        return writeEntries(transaction, match, entries, entryChange(entry, after));
      });
    },
  };
}
