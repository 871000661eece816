/** Matches: their writes, one by one. A match belongs to the account of its season. */
import { Problem } from '../../../schema/errors.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { requireVersion } from '../../../platform/writes/precondition.ts';
import { changeRow, lockOwned, removeRow, requireAccount } from '../../../platform/writes/resource.ts';
import { nextState } from '../../../platform/writes/transition.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import type { EntryFacts } from '../match-participants/rules.ts';
import { matchTransitions, type MatchVerb } from './rules.ts';
import type { CreateMatchInput, MatchStatus, UpdateMatchInput } from '../resolvers.generated.ts';
import { gatherMatchFacts } from '../match-participants/entries.ts';
import { writeActions } from '../match-actions/batch.ts';
import { refuseSeasonOver } from './match-states.ts';
import { createFraming, type Framing } from './frame.ts';
import { insertMatch } from './insert.ts';
import { patchMatch, rescheduleMatch } from './patch.ts';
import { matchResource, type MatchRow } from './rows.ts';
import { movedBy } from './transitions.ts';
import { leaveTie, touchBoth } from './ties.ts';
import type { MatchStore } from './reads.ts';
import { recordResult } from '../results/record.ts';
import { openSettlement, type Settlement } from '../results/settlement.ts';

/** What a transition is told. */
export interface MatchStep {
  readonly id: string;
  readonly startTime?: string;
  readonly timeZone?: string | null | undefined;
  readonly reason?: string | null | undefined;
  readonly idempotencyKey?: string | null | undefined;
}

/** Opens a settlement for what is done, and settles it at its end. */
export async function settling(
  transaction: WriteTransaction,
  work: (settlement: Settlement) => Promise<MatchRow>,
): Promise<MatchRow> {
  const settlement = openSettlement();
  const match = await work(settlement);
  await settlement.settle(transaction);
  return match;
}

/** Makes a match with its entries, its actions and its result, where they are given. Throws as insertMatch and recordResult do. */
export async function makeMatch(
  transaction: WriteTransaction,
  settlement: Settlement,
  framing: Framing,
  input: CreateMatchInput,
  facts: EntryFacts,
): Promise<MatchRow> {
  const { match, entries } = await insertMatch(transaction, framing, input, facts);
  settlement.touch(match);
  for (const { sourceMatchId } of entries) if (sourceMatchId !== null) settlement.decide(sourceMatchId);
  const { result, actions } = input;
  if (actions) await writeActions(transaction, match, actions, facts.athletes);
  if (result) await recordResult(transaction, settlement, match, result, result.status ?? 'PROVISIONAL', '/result');
  return match;
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
      const facts = await gatherMatchFacts(database, context, [input]);
      const work = (transaction: WriteTransaction): Promise<MatchRow> =>
        settling(transaction, (settlement) =>
          makeMatch(transaction, settlement, createFraming(transaction, context.viewer), input, facts),
        );
      return writer.write(context, work, reloading(context, 'createMatch', key, input));
    },
    update(context: Context, id: string, input: UpdateMatchInput, ifMatch: string): Promise<MatchRow> {
      const work = (transaction: WriteTransaction): Promise<MatchRow> =>
        settling(transaction, async (settlement) => {
          const before = await lockOwned(transaction, matchResource, context.viewer, id);
          requireVersion(ifMatch, before.version);
          const after = await patchMatch(transaction, before, input);
          await touchBoth(transaction, settlement, before, after);
          return after;
        });
      return writer.write(context, work);
    },
    remove(context: Context, id: string, ifMatch: string): Promise<MatchRow> {
      const work = (transaction: WriteTransaction): Promise<MatchRow> =>
        settling(transaction, async (settlement) => {
          const row = await lockOwned(transaction, matchResource, context.viewer, id);
          requireVersion(ifMatch, row.version);
          await refuseInUse(transaction, row);
          await leaveTie(transaction, settlement, row);
          await removeRow(transaction, matchResource, row);
          settlement.touch(row);
          return row;
        });
      return writer.write(context, work);
    },
    /** Takes a step of the state machine as the owner. */
    transition(context: Context, verb: MatchVerb, step: MatchStep): Promise<MatchRow> {
      const { id, idempotencyKey, startTime, timeZone, reason } = step;
      const take = (transaction: WriteTransaction): Promise<MatchRow> =>
        settling(transaction, async (settlement) => {
          const row = await lockOwned(transaction, matchResource, context.viewer, id);
          const status = nextState(matchTransitions, verb, row.status, ['OWNER']);
          // what a season that was called off leaves open is called off, too
          if (verb !== 'cancel') await refuseSeasonOver(transaction, row);
          const moved = movedBy(verb, row);
          settlement.touch(row);
          if (verb === 'cancel') await leaveTie(transaction, settlement, row);
          if (startTime !== undefined)
            return rescheduleMatch(transaction, row, { startTime, timeZone: timeZone ?? row.timeZone }, moved);
          return changeRow(transaction, matchResource, row, { status, statusReason: reason ?? null }, moved);
        });
      return writer.write(context, take, reloading(context, `${verb}Match`, idempotencyKey, { id, startTime, timeZone, reason }));
    },
  };
}
