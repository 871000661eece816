/** Matches: their writes, one by one. A match belongs to the account of its season. */
import { Problem } from '../../../schema/errors.ts';
import { sql, type Queryable } from '../../../platform/database.ts';
import { requireVersion } from '../../../platform/precondition.ts';
import { changeRow, lockOwn, removeRow, requireAccount } from '../../../platform/resource.ts';
import { nextState } from '../../../platform/transition.ts';
import type { WriteTransaction } from '../../../platform/write.ts';
import { replaysOf, type AreaServices, type Context } from '../../subgraph.ts';
import { matchTransitions, type MatchVerb } from '../match-rules.ts';
import type { CreateMatchInput, MatchStatus, UpdateMatchInput } from '../resolvers.generated.ts';
import { gatherEntryFacts } from './match-entries.ts';
import { createFraming } from './match-frame.ts';
import { insertMatch, told } from './match-insert.ts';
import { patchMatch, rescheduleMatch } from './match-patch.ts';
import { matchResource, type MatchRow } from './match-row.ts';
import type { MatchStore } from './match.ts';
import type { RankingScope } from './ranking-row.ts';
import { refreshRankings } from './ranking-writes.ts';

/** What a transition is told. */
export interface MatchStep {
  readonly id: string;
  readonly startTime?: string;
  readonly timeZone?: string | null | undefined;
  readonly reason?: string | null | undefined;
  readonly idempotencyKey?: string | null | undefined;
}

/** The ranking that a match counts in. */
export const scopeOf = ({ seasonId, contestId, stageId, groupName }: MatchRow): RankingScope => ({
  seasonId,
  contestId,
  stageId,
  groupName,
});

/** What tells of a step: a match is over once, whatever is decided of it later. */
export function movedBy(verb: MatchVerb, before: MatchRow) {
  const over = verb === 'finish' || (verb === 'award' && before.status !== 'FINISHED');
  return { action: verb, event: over ? 'match.finished' : 'match.status_changed', data: told(before) } as const;
}

const deletable: readonly MatchStatus[] = ['SCHEDULED', 'TIMED', 'POSTPONED', 'CANCELLED'];

/** Throws Problem in_use (409) for a match that was begun, has a result, or is waited for. */
async function refuseInUse(transaction: Queryable, { id, status }: MatchRow): Promise<void> {
  if (!deletable.includes(status))
    throw new Problem('in_use', `This match is ${status}: what was begun is not deleted, but abandoned or cancelled.`);
  const [use] = await transaction.query<{ result: boolean; waiting: string | null }>(sql`/* matches.uses */
    select exists (select from result where match_id = ${id}) as result,
      (select match_id from match_participant where source_match_id = ${id} limit 1) as waiting`);
  if (use?.result) throw new Problem('in_use', 'This match has a result: annul the result instead.');
  if (use?.waiting) throw new Problem('in_use', `The match ${use.waiting} waits for this one: change its placeholder first.`);
}

/** Writes of matches over the area's database. */
export function createMatchWrites({ writer, database }: AreaServices, store: MatchStore) {
  const reloading = replaysOf(store.byId);

  return {
    async create(context: Context, input: CreateMatchInput, key: string | null | undefined): Promise<MatchRow> {
      requireAccount(context.viewer);
      const facts = await gatherEntryFacts(database, context, input.participants ?? []);
      const work = async (transaction: WriteTransaction): Promise<MatchRow> => {
        const { match } = await insertMatch(transaction, createFraming(transaction, context.viewer), input, facts);
        await refreshRankings(transaction, [scopeOf(match)]);
        return match;
      };
      return writer.write(context, work, reloading(context, 'createMatch', key, input));
    },
    update(context: Context, id: string, input: UpdateMatchInput, ifMatch: string): Promise<MatchRow> {
      return writer.write(context, async (transaction) => {
        const before = await lockOwn(transaction, matchResource, context.viewer, id);
        requireVersion(ifMatch, before.version);
        const after = await patchMatch(transaction, before, input);
        if (after.version !== before.version) await refreshRankings(transaction, [scopeOf(before), scopeOf(after)]);
        return after;
      });
    },
    remove(context: Context, id: string, ifMatch: string): Promise<MatchRow> {
      return writer.write(context, async (transaction) => {
        const row = await lockOwn(transaction, matchResource, context.viewer, id);
        requireVersion(ifMatch, row.version);
        await refuseInUse(transaction, row);
        await removeRow(transaction, matchResource, row);
        await refreshRankings(transaction, [scopeOf(row)]);
        return row;
      });
    },
    /** Takes a step of the state machine as the owner. */
    transition(context: Context, verb: MatchVerb, step: MatchStep): Promise<MatchRow> {
      const { id, idempotencyKey, startTime, timeZone, reason } = step;
      const take = async (transaction: WriteTransaction): Promise<MatchRow> => {
        const row = await lockOwn(transaction, matchResource, context.viewer, id);
        const status = nextState(matchTransitions, verb, row.status, ['OWNER']);
        const moved = movedBy(verb, row);
        if (startTime !== undefined)
          return rescheduleMatch(transaction, row, { startTime, timeZone: timeZone ?? row.timeZone }, moved);
        const after = await changeRow(transaction, matchResource, row, { status, statusReason: reason ?? null }, moved);
        await refreshRankings(transaction, [scopeOf(after)]);
        return after;
      };
      return writer.write(context, take, reloading(context, `${verb}Match`, idempotencyKey, { id, startTime, timeZone, reason }));
    },
  };
}
