/** What happens in a match: goals, cards, substitutions. An action belongs to the account of its match. */
import { Problem, rejectInvalid, type Violation } from '../../../schema/errors.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { requireVersion } from '../../../platform/writes/precondition.ts';
import { insertResource, lockOwned, patchResource, removeRow } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { visibleAthleteIds, unknownAthleteViolation } from '../../clients/athlete-facts.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import type { CreateMatchActionInput, UpdateMatchActionInput } from '../resolvers.generated.ts';
import { refuseOneMore } from './rows.ts';
import { requireBegun } from '../matches/match-states.ts';
import { told } from '../matches/insert.ts';
import {
  matchActionResource,
  matchResource,
  type MatchActionRow,
  type MatchParticipantRow,
  type MatchRow,
} from '../matches/rows.ts';
import { readEntries, type MatchStore } from '../matches/reads.ts';

interface Place {
  readonly matchId: string;
  readonly id: string;
  readonly ifMatch: string;
}

type Members = Partial<Pick<MatchActionRow, 'minute' | 'addedMinute' | 'participantId' | 'athleteId' | 'assistId'>>;

/** The fault of somebody who is not known, or who is on no team sheet although the participant handed one in. */
function personViolation(
  pointer: string,
  id: string | null | undefined,
  known: ReadonlySet<string>,
  entries: readonly MatchParticipantRow[],
  sheet: boolean,
): Violation | null {
  if (!id || entries.some(({ athleteIds }) => athleteIds.includes(id))) return null;
  if (!known.has(id)) return unknownAthleteViolation(pointer);
  const detail = 'This athlete is on no team sheet of the match: put the athlete there first.';
  return sheet ? { pointer, code: 'not_in_match', detail } : null;
}

/** What is wrong with an action at `pointer`, in a match of these entries; `known` are the athletes that the caller may name. */
export function actionViolations(
  { minute, addedMinute, participantId, athleteId, assistId }: Members,
  entries: readonly MatchParticipantRow[],
  known: ReadonlySet<string>,
  pointer = '',
): (Violation | null | false)[] {
  const own = entries.find((entry) => entry.participantId === participantId);
  const sheet = (participantId ? (own ? [own] : []) : entries).some(({ athleteIds }) => athleteIds.length > 0);
  return [
    !!participantId &&
      !own && {
        pointer: `${pointer}/participantId`,
        code: 'unknown_participant',
        detail: 'There is no participant with this id in the match.',
      },
    personViolation(`${pointer}/athleteId`, athleteId, known, entries, sheet),
    personViolation(`${pointer}/assistId`, assistId, known, entries, sheet),
    !!athleteId &&
      athleteId === assistId && { pointer: `${pointer}/assistId`, code: 'duplicate', detail: 'Nobody assists himself.' },
    typeof addedMinute === 'number' &&
      typeof minute !== 'number' && {
        pointer: `${pointer}/minute`,
        code: 'required',
        detail: 'Stoppage time is added to a minute: give the last regular one.',
      },
  ];
}

/** A match tells of its actions, so it changes with them; readers of changes and of its ETag find it. */
export async function touch(transaction: Queryable, match: MatchRow): Promise<MatchRow> {
  const [row] = await transaction.query<MatchRow>(sql`/* matches.touch */
    update match set version = version + 1, updated_at = statement_timestamp() where id = ${match.id}
    returning ${matchResource.table.columns}`);
  return row ?? match;
}

/** Writes of actions over the area's database. */
export function createMatchActionWrites({ writer }: AreaServices, store: MatchStore) {
  /** Locks a match and then one of its actions: always in this order. */
  async function lockAction(transaction: WriteTransaction, context: Context, { matchId, id, ifMatch }: Place) {
    const match = await lockOwned(transaction, matchResource, context.viewer, matchId);
    const action = await lockOwned(transaction, matchActionResource, context.viewer, id);
    if (action.matchId !== matchId) throw new Problem('not_found', `The match has no action with the id ${id}.`);
    requireVersion(ifMatch, action.version);
    return { match, action };
  }

  return {
    async create(context: Context, matchId: string, input: CreateMatchActionInput, key: string | null | undefined) {
      const known = await visibleAthleteIds(context, [input.athleteId, input.assistId]);
      const work = async (transaction: WriteTransaction): Promise<MatchActionRow> => {
        const match = await lockOwned(transaction, matchResource, context.viewer, matchId);
        requireBegun(match, 'actions');
        await refuseOneMore(transaction, match);
        const members = input as Partial<MatchActionRow>;
        rejectInvalid(actionViolations(members, await readEntries(transaction, [matchId]), known));
        const { accountId, published } = match;
        const row = { ...members, accountId, published, matchId };
        const action = await insertResource(transaction, matchActionResource, row, null, { matchId, ...told(match) });
        await touch(transaction, match);
        return action;
      };
      const reload = (id: string): Promise<MatchActionRow | null> => store.actionOf(context, matchId, id);
      return writer.write(context, work, { operation: 'createMatchAction', key, input: { matchId, input }, reload });
    },
    async update(context: Context, place: Place, input: UpdateMatchActionInput): Promise<MatchActionRow> {
      const known = await visibleAthleteIds(context, [input.athleteId, input.assistId]);
      return writer.write(context, async (transaction) => {
        const { match, action } = await lockAction(transaction, context, place);
        const patch = input as Partial<MatchActionRow>;
        const entries = await readEntries(transaction, [match.id]);
        // Whoever the action names already was known when it was written.
        const named = [action.athleteId, action.assistId].filter((id) => id !== null);
        rejectInvalid(actionViolations({ ...action, ...patch }, entries, new Set([...known, ...named])));
        const after = await patchResource(transaction, matchActionResource, action, patch, undefined, {
          matchId: match.id,
          ...told(match),
        });
        if (after.version !== action.version) await touch(transaction, match);
        return after;
      });
    },
    remove(context: Context, place: Place): Promise<MatchActionRow> {
      return writer.write(context, async (transaction) => {
        const { match, action } = await lockAction(transaction, context, place);
        await removeRow(transaction, matchActionResource, action, { matchId: match.id, ...told(match) });
        await touch(transaction, match);
        return action;
      });
    },
  };
}
