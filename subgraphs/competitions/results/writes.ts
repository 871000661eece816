/** Results: their writes, one by one. A result belongs to the account of its match, which is locked while it is written. */
import { Problem, rejectInvalid } from '../../../schema/errors.ts';
import { requireVersion } from '../../../platform/writes/precondition.ts';
import { lockOwned } from '../../../platform/writes/resource.ts';
import { nextState } from '../../../platform/writes/transition.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import { resultTransitions, type ResultVerb } from './rules.ts';
import type { CorrectResultInput, MatchResultInput } from '../resolvers.generated.ts';
import { readResult } from './read-result.ts';
import { refuseOver, requireBegun } from '../matches/match-states.ts';
import { matchResource, type MatchRow } from '../matches/rows.ts';
import { holdResult, requireDecided, requireProvisional, sameAs, writeResult, type ResultState } from './record.ts';
import type { ResultRow } from './rows.ts';
import { openSettlement, type Settlement } from './settlement.ts';
import type { ResultStore } from './reads.ts';

/** Which result a PUT means: the one that was read, or the first one. */
export interface Expected {
  readonly ifMatch?: string | null | undefined;
  readonly ifNoneMatch?: string | null | undefined;
}

/** Throws Problem precondition_required (428) where neither is said, precondition_failed (412) where something else is there. */
function requireExpected({ ifMatch, ifNoneMatch }: Expected, row: ResultRow | null): void {
  const hint = 'Send If-Match with the version of the result you read, or If-None-Match: * for the first one.';
  if (!ifMatch && !ifNoneMatch) throw new Problem('precondition_required', hint);
  if (ifMatch && !row) throw new Problem('precondition_failed', `The match has no result yet. ${hint}`);
  if (ifMatch && row) requireVersion(ifMatch, row.version);
  if (!ifNoneMatch || !row) return;
  const { version } = row;
  throw new Problem('precondition_failed', `The match has a result already, at version ${version}. ${hint}`, { version });
}

/** A step of a result, and what it is told. */
interface ResultStep {
  readonly verb: ResultVerb;
  readonly operation: string;
  readonly matchId: string;
  readonly input: unknown;
  readonly idempotencyKey: string | null | undefined;
}

type Change = (held: Held, state: ResultState & { readonly row: ResultRow }) => Promise<ResultRow>;

interface Held {
  readonly transaction: WriteTransaction;
  readonly settlement: Settlement;
  readonly match: MatchRow;
}

/** Writes of results over the area's database. */
export function createResultWrites({ writer }: AreaServices, store: ResultStore) {
  const reloading = replaysOf(store.byId);

  /** Takes a step of the state machine as the owner; `change` writes it. */
  function step(context: Context, { verb, operation, matchId, input, idempotencyKey }: ResultStep, change: Change) {
    const take = async (transaction: WriteTransaction): Promise<ResultRow> => {
      const match = await lockOwned(transaction, matchResource, context.viewer, matchId);
      const state = await holdResult(transaction, match);
      const { row } = state;
      if (!row) throw new Problem('not_found', 'This match has no result yet: write it with PUT.');
      nextState(resultTransitions, verb, row.status, ['OWNER']);
      // what was decided in a season is put right long after it
      if (verb === 'certify') refuseOver(state.seasonStatus);
      const settlement = openSettlement();
      const after = await change({ transaction, settlement, match }, { ...state, row });
      await settlement.settle(transaction);
      return after;
    };
    return writer.write(context, take, reloading(context, operation, idempotencyKey, { matchId, input }));
  }

  return {
    /** Writes a provisional result, in place of the one before; an equal one leaves it as it is. */
    put(context: Context, matchId: string, input: MatchResultInput, expected: Expected): Promise<ResultRow> {
      return writer.write(context, async (transaction) => {
        const match = await lockOwned(transaction, matchResource, context.viewer, matchId);
        const state = await holdResult(transaction, match);
        requireExpected(expected, state.row);
        if (state.row) requireProvisional(state.row);
        requireBegun(match, 'result');
        refuseOver(state.seasonStatus);
        const { whole, violations } = readResult(input, state.facts);
        const detail =
          'A result that is put is provisional: leave the status out, and certify the result when the match is over.';
        rejectInvalid([input.status === 'OFFICIAL' && { pointer: '/status', code: 'not_certified', detail }, ...violations]);
        if (state.row && sameAs(state, whole)) return state.row;
        const settlement = openSettlement();
        const action = state.row ? 'updated' : 'created';
        const change = { status: 'PROVISIONAL', action, event: 'result.recorded' } as const;
        const row = await writeResult(transaction, settlement, match, state, whole, change);
        await settlement.settle(transaction);
        return row;
      });
    },
    certify(context: Context, matchId: string, idempotencyKey: string | null | undefined): Promise<ResultRow> {
      const request = { verb: 'certify', operation: 'certifyResult', matchId, input: null, idempotencyKey } as const;
      return step(context, request, ({ transaction, settlement, match }, state) => {
        requireDecided(match, state.row);
        const certifiedAt = new Date().toISOString();
        const change = { status: 'OFFICIAL', certifiedAt, action: 'certify', event: 'result.certified' } as const;
        return writeResult(transaction, settlement, match, state, null, change);
      });
    },
    correct(context: Context, matchId: string, input: CorrectResultInput, idempotencyKey: string | null | undefined) {
      const request = { verb: 'correct', operation: 'correctResult', matchId, input, idempotencyKey } as const;
      return step(context, request, ({ transaction, settlement, match }, state) => {
        requireDecided(match, state.row);
        const { whole, violations } = readResult(input, state.facts);
        rejectInvalid(violations);
        const certifiedAt = state.row.certifiedAt ?? new Date().toISOString();
        const head = { status: 'CORRECTED', reason: input.reason, certifiedAt } as const;
        return writeResult(transaction, settlement, match, state, whole, {
          ...head,
          action: 'correct',
          event: 'result.corrected',
        });
      });
    },
    annul(context: Context, matchId: string, reason: string, idempotencyKey: string | null | undefined) {
      const request = { verb: 'annul', operation: 'annulResult', matchId, input: reason, idempotencyKey } as const;
      return step(context, request, ({ transaction, settlement, match }, state) => {
        const change = { status: 'ANNULLED', reason, action: 'annul', event: 'result.annulled' } as const;
        return writeResult(transaction, settlement, match, state, null, change);
      });
    },
  };
}
