/** Writes single results. A result belongs to the account of its match, which is locked during the write. */
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import { requireVersion } from '../../../platform/writes/precondition.ts';
import { lockOwned } from '../../../platform/writes/resource.ts';
import { nextState } from '../../../platform/writes/transition.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import { matchResource, type MatchRow } from '../matches/rows.ts';
import { requireStarted } from '../matches/started.ts';
import type { CorrectResultInput, MatchResultInput } from '../generated/resolvers.ts';
import { requireOpen } from '../seasons/open-season.ts';
import { readResult } from './read-result.ts';
import type { ResultReads } from './reads.ts';
import { durationViolations, requireAcceptable } from './official.ts';
import { isSameResult, readResultState, requireDecided, requireProvisional, writeResult, type ResultState } from './record.ts';
import { resultTransitions, type ResultVerb } from './rules.ts';
import type { ResultRow } from './rows.ts';
import { openSettlement, type Settlement } from './settlement.ts';
import { withStoredStatistics } from './stored-members.ts';

/** The precondition of a PUT: the version that was read, or no result. */
export interface Expected {
  readonly ifMatch?: string | null | undefined;
  readonly ifNoneMatch?: string | null | undefined;
}

/** Throws Problem precondition_required (428) without a precondition, or precondition_failed (412) where it does not hold. */
function requireExpected({ ifMatch, ifNoneMatch }: Expected, row: ResultRow | null): void {
  const hint = 'Send `If-Match` with the version of the result, or `If-None-Match: *` for the first result.';
  if (!ifMatch && !ifNoneMatch) throw new Problem('precondition_required', hint);
  if (ifMatch && !row) throw new Problem('precondition_failed', `The match has no result. ${hint}`);
  if (ifMatch && row) requireVersion(ifMatch, row.version);
  if (!ifNoneMatch || !row) return;
  const { version } = row;
  throw new Problem('precondition_failed', `The match already has a result with the version ${version}. ${hint}`, { version });
}

/** The arguments of a transition. */
interface ResultTransition {
  readonly verb: ResultVerb;
  readonly operation: string;
  readonly matchId: string;
  readonly input: unknown;
  readonly idempotencyKey: string | null | undefined;
}

type Change = (locked: LockedMatch, state: ResultState & { readonly row: ResultRow }) => Promise<ResultRow>;

interface LockedMatch {
  readonly transaction: WriteTransaction;
  readonly settlement: Settlement;
  readonly match: MatchRow;
}

/** Replaces a provisional result. An equal result does not change. */
async function putResult(
  transaction: WriteTransaction,
  match: MatchRow,
  input: MatchResultInput,
  expected: Expected,
): Promise<ResultRow> {
  const state = await readResultState(transaction, match);
  requireExpected(expected, state.row);
  if (state.row) requireProvisional(state.row);
  requireStarted(match, 'a result');
  requireOpen(state.seasonStatus);
  const { result, violations } = readResult(withStoredStatistics(input, state.parts), state.facts);
  const detail = 'PUT writes a provisional result. Remove `status`, and certify the result after the match.';
  rejectInvalid([input.status === 'OFFICIAL' && { pointer: '/status', code: 'not_certified', detail }, ...violations]);
  if (state.row && isSameResult(state, result)) return state.row;
  const settlement = openSettlement();
  const action = state.row ? 'updated' : 'created';
  const change = { status: 'PROVISIONAL', action, event: 'result.recorded' } as const;
  const row = await writeResult(transaction, settlement, match, state, result, change);
  await settlement.settle(transaction);
  return row;
}

/** Creates the writes of results. */
export function createResultWrites({ writer }: AreaServices, reads: ResultReads) {
  const reloading = replaysOf(reads.byId);

  function transition(context: Context, { verb, operation, matchId, input, idempotencyKey }: ResultTransition, change: Change) {
    const work = async (transaction: WriteTransaction): Promise<ResultRow> => {
      const match = await lockOwned(transaction, matchResource, context.viewer, matchId);
      const state = await readResultState(transaction, match);
      const { row } = state;
      if (!row) throw new Problem('not_found', 'The match has no result. Write one with PUT.');
      nextState(resultTransitions, verb, row.status, ['OWNER']);
      // Results of closed seasons can still be corrected and annulled.
      if (verb === 'certify') requireOpen(state.seasonStatus);
      const settlement = openSettlement();
      const after = await change({ transaction, settlement, match }, { ...state, row });
      await settlement.settle(transaction);
      return after;
    };
    return writer.write(context, work, reloading(context, operation, idempotencyKey, { matchId, input }));
  }
  return {
    put(context: Context, matchId: string, input: MatchResultInput, expected: Expected): Promise<ResultRow> {
      return writer.write(context, async (transaction) => {
        const match = await lockOwned(transaction, matchResource, context.viewer, matchId);
        return putResult(transaction, match, input, expected);
      });
    },
    certify(context: Context, matchId: string, idempotencyKey: string | null | undefined): Promise<ResultRow> {
      const request = { verb: 'certify', operation: 'certifyResult', matchId, input: null, idempotencyKey } as const;
      return transition(context, request, ({ transaction, settlement, match }, state) => {
        requireDecided(match, state.row);
        const { duration, endedBy } = state.row;
        rejectInvalid(durationViolations(duration, state.facts).map((each) => !!each && { ...each, pointer: '' }));
        requireAcceptable({ duration, endedBy, parts: state.parts }, state.facts, null);
        const certifiedAt = new Date().toISOString();
        const change = { status: 'OFFICIAL', certifiedAt, action: 'certify', event: 'result.certified' } as const;
        return writeResult(transaction, settlement, match, state, null, change);
      });
    },
    correct(context: Context, matchId: string, input: CorrectResultInput, idempotencyKey: string | null | undefined) {
      const request = { verb: 'correct', operation: 'correctResult', matchId, input, idempotencyKey } as const;
      return transition(context, request, async ({ transaction, settlement, match }, state) => {
        requireDecided(match, state.row);
        // The reason explains a duration that differs from the states of the match.
        const facts = input.duration ? { ...state.facts, reached: null } : state.facts;
        const { result, violations } = readResult(withStoredStatistics(input, state.parts), facts);
        rejectInvalid(violations);
        requireAcceptable(result, facts, '');
        if (state.row.status !== 'ANNULLED' && isSameResult(state, result)) return state.row;
        const certifiedAt = state.row.certifiedAt ?? new Date().toISOString();
        const head = { status: 'CORRECTED', reason: input.reason, certifiedAt } as const;
        return writeResult(transaction, settlement, match, state, result, {
          ...head,
          action: 'correct',
          event: 'result.corrected',
        });
      });
    },
    annul(context: Context, matchId: string, reason: string, idempotencyKey: string | null | undefined) {
      const request = { verb: 'annul', operation: 'annulResult', matchId, input: reason, idempotencyKey } as const;
      return transition(context, request, ({ transaction, settlement, match }, state) => {
        const change = { status: 'ANNULLED', reason, action: 'annul', event: 'result.annulled' } as const;
        return writeResult(transaction, settlement, match, state, null, change);
      });
    },
  };
}
