/** Writes single match actions: goals, cards, substitutions. An action belongs to the account of its match. */
import { Problem, rejectInvalid, type Violation } from '../../../schema/errors.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { requireVersion } from '../../../platform/writes/precondition.ts';
import { insertResource, lockOwned, patchResource, removeRow } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { visibleAthleteIds } from '../../clients/athlete-facts.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { readEntries } from '../match-participants/reads.ts';
import { matchEventIds } from '../matches/insert.ts';
import { matchResource, type MatchRow } from '../matches/rows.ts';
import { requireStarted } from '../matches/started.ts';
import type { CreateMatchActionInput, UpdateMatchActionInput } from '../generated/resolvers.ts';
import { rowValues, withValues } from '../../runtime/row-values.ts';
import { requireRoomForAction } from './bulk-writes.ts';
import { scoreSequenceViolation, type Scoring } from './goals.ts';
import { countsGoals, readActions, type MatchActionReads } from './reads.ts';
import { actionViolations, withPeriod } from './rules.ts';
import { matchActionResource, type MatchActionRow } from './rows.ts';

interface ActionPath {
  readonly matchId: string;
  readonly id: string;
  readonly ifMatch: string;
}

const valuesOf = (input: UpdateMatchActionInput): Partial<MatchActionRow> => {
  const {
    type,
    period,
    clockMs,
    minute,
    addedMinute,
    participantId,
    athleteId,
    assistId,
    athleteName,
    assistName,
    scoreAfter,
    ...unmapped
  } = input;
  return rowValues<MatchActionRow>(
    { type, period, clockMs, minute, addedMinute, participantId, athleteId, assistId, athleteName, assistName, scoreAfter },
    unmapped,
  );
};

const eventData = (match: MatchRow) => ({ matchId: match.id, ...matchEventIds(match) });

/** Increments the version of a match whose actions changed: its ETag and lists by `updatedSince` cover its actions. */
export async function touchMatch(transaction: Queryable, match: MatchRow): Promise<MatchRow> {
  const [row] = await transaction.query<MatchRow>(sql`/* matches.touch */
    update match set version = version + 1, updated_at = statement_timestamp() where id = ${match.id}
    returning ${matchResource.table.columns}`);
  return row ?? match;
}

/** Locks a match and then one of its actions, always in this order. */
async function lockAction(transaction: WriteTransaction, context: Context, { matchId, id, ifMatch }: ActionPath) {
  const match = await lockOwned(transaction, matchResource, context.viewer, matchId);
  const action = await lockOwned(transaction, matchActionResource, context.viewer, id);
  if (action.matchId !== matchId) throw new Problem('not_found', `The match has no action with the ID ${id}.`);
  requireVersion(ifMatch, action.version);
  return { match, action };
}

/** The violation for a `scoreAfter` that cannot follow from the goals before it. `replaced` is the stored action that the given one replaces. */
async function sequenceViolation(
  transaction: Queryable,
  match: MatchRow,
  action: Scoring,
  replaced: string | null,
  entries: readonly { readonly participantId: string | null }[],
): Promise<Violation | null> {
  if (!action.scoreAfter || !(await countsGoals(transaction, match))) return null;
  const stored = await readActions(transaction, [match.id]);
  const others = stored.filter(({ id }) => id !== replaced);
  const sides = entries.map(({ participantId }) => participantId);
  return scoreSequenceViolation(action, [...others, action], sides, '');
}

/** Creates the writes of match actions. */
export function createMatchActionWrites({ writer }: AreaServices, reads: MatchActionReads) {
  return {
    async create(context: Context, matchId: string, input: CreateMatchActionInput, key: string | null | undefined) {
      const known = await visibleAthleteIds(context, [input.athleteId, input.assistId]);
      const work = async (transaction: WriteTransaction): Promise<MatchActionRow> => {
        const match = await lockOwned(transaction, matchResource, context.viewer, matchId);
        requireStarted(match, 'actions');
        await requireRoomForAction(transaction, match);
        const timed = withPeriod(input, match);
        const entries = await readEntries(transaction, [matchId]);
        rejectInvalid([
          ...actionViolations(timed, match, entries, known),
          await sequenceViolation(transaction, match, timed, null, entries),
        ]);
        const { accountId, published } = match;
        const row = { ...valuesOf(timed), accountId, published, matchId };
        const action = await insertResource(transaction, matchActionResource, row, null, eventData(match));
        await touchMatch(transaction, match);
        return action;
      };
      const reload = (id: string): Promise<MatchActionRow | null> => reads.one(context, matchId, id);
      return writer.write(context, work, { operation: 'createMatchAction', key, input: { matchId, input }, reload });
    },
    async update(context: Context, path: ActionPath, input: UpdateMatchActionInput): Promise<MatchActionRow> {
      const visible = await visibleAthleteIds(context, [input.athleteId, input.assistId]);
      return writer.write(context, async (transaction) => {
        const { match, action } = await lockAction(transaction, context, path);
        const values = valuesOf(input);
        const entries = await readEntries(transaction, [match.id]);
        // Athletes that the action already refers to stay valid, even if the caller can no longer read them.
        const stored = [action.athleteId, action.assistId].filter((id) => id !== null);
        const changed = withPeriod(withValues(action, values), match);
        const isScoreGiven = [input.scoreAfter, input.type, input.participantId].some((member) => member !== undefined);
        rejectInvalid([
          ...actionViolations(changed, match, entries, new Set([...visible, ...stored])),
          isScoreGiven && (await sequenceViolation(transaction, match, changed, action.id, entries)),
        ]);
        const timed = { ...values, period: changed.period };
        const after = await patchResource(transaction, matchActionResource, action, timed, undefined, eventData(match));
        if (after.version !== action.version) await touchMatch(transaction, match);
        return after;
      });
    },
    remove(context: Context, path: ActionPath): Promise<MatchActionRow> {
      return writer.write(context, async (transaction) => {
        const { match, action } = await lockAction(transaction, context, path);
        await removeRow(transaction, matchActionResource, action, eventData(match));
        await touchMatch(transaction, match);
        return action;
      });
    },
  };
}
