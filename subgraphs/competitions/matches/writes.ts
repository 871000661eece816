/** Writes single matches. A match belongs to the account of its season. */
import { Problem, rejectInvalid, type Violation } from '../../../schema/errors.ts';
import { sql, type Queryable } from '../../../platform/database/database.ts';
import { lockForTransition, lockOwnedAt, removeOwned } from '../../../platform/writes/lifecycle.ts';
import { changeRow, requireAccount } from '../../../platform/writes/resource.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import { replaceActions } from '../match-actions/batch.ts';
import { fetchMatchFacts } from '../match-participants/entries.ts';
import type { EntryFacts } from '../match-participants/rules.ts';
import type { CreateMatchInput, MatchClockInput, MatchStatus, UpdateMatchInput } from '../generated/resolvers.ts';
import { recordResult } from '../results/record.ts';
import { openSettlement, type Settlement } from '../results/settlement.ts';
import { requireOpenSeason } from '../seasons/open-season.ts';
import { clockFrom } from './clock.ts';
import { insertMatch, matchEventIds } from './insert.ts';
import { patchMatch, rescheduleMatch } from './patch.ts';
import type { MatchReads } from './reads.ts';
import { requireNotAhead } from './plausible-time.ts';
import { decidedMatchStatuses, matchTransitions, unstartedMatchStatuses, type MatchVerb } from './rules.ts';
import { matchResource, type MatchRow } from './rows.ts';
import { createSeasonStageLoader, type SeasonStageLoader } from './season-stage.ts';
import { anySubMatch, requireNoSubMatches } from './sub-matches.ts';
import { leaveTie, touchBoth } from './ties.ts';
import { nextClock, transitionNote } from './transitions.ts';

/** The arguments of a transition. */
export interface MatchStep {
  readonly id: string;
  readonly startTime?: string;
  readonly timeZone?: string | null | undefined;
  readonly reason?: string | null | undefined;
  readonly period?: number | null | undefined;
  readonly idempotencyKey?: string | null | undefined;
}

/** Runs work with a settlement, and settles it at the end. */
export async function withSettlement(
  transaction: WriteTransaction,
  work: (settlement: Settlement) => Promise<MatchRow>,
): Promise<MatchRow> {
  const settlement = openSettlement();
  const match = await work(settlement);
  const updated = await settlement.settle(transaction);
  return { ...match, updatedAt: updated.get(match.id) ?? match.updatedAt };
}

/** Creates a match with the given entries, actions and result. Throws as insertMatch and recordResult do. */
export async function createMatch(
  transaction: WriteTransaction,
  settlement: Settlement,
  load: SeasonStageLoader,
  input: CreateMatchInput,
  facts: EntryFacts,
): Promise<MatchRow> {
  const { match, entries } = await insertMatch(transaction, load, input, facts);
  settlement.touch(match);
  for (const { sourceMatchId } of entries) if (sourceMatchId !== null) settlement.decide(sourceMatchId);
  const { result, actions } = input;
  if (actions) await replaceActions(transaction, match, actions, facts.athletes);
  if (result) await recordResult(transaction, settlement, match, result, result.status, '/result');
  return match;
}

/** States in which a match can be deleted. One that is being played must end first. */
const deletable: readonly MatchStatus[] = ['SCHEDULED', 'TIMED', 'POSTPONED', 'CANCELLED', ...decidedMatchStatuses];

/**
 * Throws Problem in_use (409) for a match that is being played, has a result that is not annulled, has sub-matches, or is the source of a
 * placeholder.
 */
async function requireDeletable(transaction: Queryable, { id, status }: MatchRow): Promise<void> {
  const last = 'annul its result with `POST …/result/annul` if it has one, and delete it then.';
  if (!deletable.includes(status)) throw new Problem('in_use', `The match is ${status}. Finish or abandon it, ${last}`);
  const [use] = await transaction.query<{ result: boolean; waiting: string | null }>(sql`/* matches.uses */
    select exists (select from result where match_id = ${id} and status <> 'ANNULLED') as result,
      (select match_id from match_participant where source_match_id = ${id} limit 1) as waiting`);
  if (use?.result)
    throw new Problem('in_use', 'The match has a result. Annul it with `POST …/result/annul`, and delete the match then.');
  await requireNoSubMatches(transaction, id);
  if (use?.waiting)
    throw new Problem('in_use', `A placeholder of the match ${use.waiting} refers to this match. Change the placeholder first.`);
}

/** The violation for a start of a match that has not started: a new start is a transition. */
function startViolation({ status, startTime: current }: MatchRow, { startTime }: UpdateMatchInput): Violation | false {
  if (startTime === undefined || !unstartedMatchStatuses.includes(status)) return false;
  const isSame = startTime !== null && current !== null && Date.parse(startTime) === Date.parse(current);
  const detail = `The match is ${status}. Set its start with \`POST …/schedule\`. \`PATCH\` corrects the start of a match that has started.`;
  return !isSame && { pointer: '/startTime', code: 'not_started', detail };
}

/** Creates the writes of matches. */
export function createMatchWrites({ writer, database }: AreaServices, reads: MatchReads) {
  const reloading = replaysOf(reads.byId);

  return {
    async create(context: Context, input: CreateMatchInput, key: string | null | undefined): Promise<MatchRow> {
      requireAccount(context.viewer);
      const facts = await fetchMatchFacts(database, context, [input]);
      const work = (transaction: WriteTransaction): Promise<MatchRow> =>
        withSettlement(transaction, (settlement) =>
          createMatch(transaction, settlement, createSeasonStageLoader(transaction, context.viewer), input, facts),
        );
      return writer.write(context, work, reloading(context, 'createMatch', key, input));
    },
    update(context: Context, id: string, input: UpdateMatchInput, ifMatch: string): Promise<MatchRow> {
      const work = (transaction: WriteTransaction): Promise<MatchRow> =>
        withSettlement(transaction, async (settlement) => {
          const before = await lockOwnedAt(transaction, matchResource, context.viewer, { id, ifMatch });
          rejectInvalid([startViolation(before, input)]);
          const after = await patchMatch(transaction, before, input);
          await touchBoth(transaction, settlement, before, after);
          return after;
        });
      return writer.write(context, work);
    },
    remove(context: Context, id: string, ifMatch: string): Promise<MatchRow> {
      const work = (transaction: WriteTransaction): Promise<MatchRow> =>
        withSettlement(transaction, async (settlement) => {
          const row = await removeOwned(transaction, matchResource, context.viewer, { id, ifMatch }, async (match) => {
            await requireDeletable(transaction, match);
            await leaveTie(transaction, settlement, match);
          });
          settlement.touch(row);
          return row;
        });
      return writer.write(context, work);
    },
    transition(context: Context, verb: MatchVerb, step: MatchStep): Promise<MatchRow> {
      const { id, idempotencyKey, startTime, timeZone, reason, period } = step;
      const work = (transaction: WriteTransaction): Promise<MatchRow> =>
        withSettlement(transaction, async (settlement) => {
          const { row, status } = await lockForTransition(transaction, matchResource, matchTransitions, context.viewer, verb, id);
          // The open matches of a cancelled season can still be cancelled.
          if (verb !== 'cancel') await requireOpenSeason(transaction, row);
          const note = transitionNote(verb, row);
          settlement.touch(row);
          if (verb === 'cancel') await leaveTie(transaction, settlement, row);
          if (startTime !== undefined)
            return rescheduleMatch(transaction, row, { startTime, timeZone: timeZone ?? row.timeZone }, note);
          if (verb === 'finish') requireNotAhead(row);
          const clock = await nextClock(transaction, row, verb, period);
          return changeRow(transaction, matchResource, row, { status, statusReason: reason ?? null, clock }, note);
        });
      return writer.write(
        context,
        work,
        reloading(context, `${verb}Match`, idempotencyKey, { id, startTime, timeZone, reason, period }),
      );
    },
    setClock(context: Context, id: string, input: MatchClockInput, ifMatch: string): Promise<MatchRow> {
      return writer.write(context, async (transaction) => {
        const before = await lockOwnedAt(transaction, matchResource, context.viewer, { id, ifMatch });
        const note = { action: 'updated', event: 'match.updated', data: matchEventIds(before) } as const;
        const clock = clockFrom(before, input, (await anySubMatch(transaction, id)) !== null);
        return changeRow(transaction, matchResource, before, { clock }, note);
      });
    },
  };
}
