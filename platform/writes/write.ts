/** The write function that every mutation uses: idempotency, changes, history and events in one transaction. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ResponseNotes } from '../../schema/entry-point.ts';
import { Problem } from '../../schema/errors.ts';
import { SYSTEM, type Viewer } from '../../schema/viewer.ts';
import { sql, type Database, type Queryable } from '../database/database.ts';
import { translateConstraint, type Constraints } from '../database/constraint.ts';
import { hasErrorCode } from '../error-code.ts';
import { flushChanges, type Change } from './change.ts';
import { requireSportOfHost } from './sport-host.ts';

/** A transaction that collects its changes, so that history and events are written with them. */
export interface WriteTransaction extends Queryable {
  /** Records one change of one resource; all changes are written in one statement before the commit. */
  record(change: Change): void;
}

/** Identifies a repeated write by its Idempotency-Key. */
export interface Idempotency<Input = unknown> {
  /** Name of the mutation. Keys are scoped to the account or administrator and the operation. */
  readonly operation: string;
  /** The Idempotency-Key; without one, nothing is remembered. */
  readonly key: string | null | undefined;
  /** The input of the request: reusing the key with another input is rejected. */
  readonly input: Input;
}

export interface Replayable<Row> extends Idempotency {
  /** Reads the resource for a replayed response, with the viewer's current access rights. */
  readonly reload: (id: string) => Promise<Row | null>;
}

export interface WriteContext {
  readonly viewer: Viewer;
  readonly notes: ResponseNotes;
}

export type BatchTransaction = WriteTransaction & { changeCount(): number; discardChangesAfter(mark: number): void };

export interface Writer {
  /**
   * Runs one write in one transaction and returns its row.
   * Throws Problem idempotency_in_progress (409), idempotency_key_reused (422), gone (410: the resource of a replayed request no longer exists),
   * conflict (409, from the area's constraint table) and every error of `work`. After an error nothing is written.
   */
  write<Row extends { id: string }>(
    context: WriteContext,
    work: (transaction: WriteTransaction) => Promise<Row>,
    replayable?: Replayable<Row>,
  ): Promise<Row>;
  /** The same for a batch. The response itself is stored under the key and replayed. */
  writeBatch<Response extends object>(
    context: WriteContext,
    work: (transaction: BatchTransaction) => Promise<Response>,
    idempotency: Idempotency,
  ): Promise<Response>;
  /**
   * Runs the writes of a projection as the system, in the projection's transaction; its inbox position makes them happen exactly once.
   * The relay delivers their events in its next round.
   */
  writeWithin(transaction: Queryable, work: (transaction: WriteTransaction) => Promise<void>): Promise<void>;
}

const nilUuid = '00000000-0000-0000-0000-000000000000';

/** JSON with sorted members: equal values give equal texts. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    member !== null && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

interface Remembered {
  readonly resourceId: string | null;
  readonly answer: object | null;
  readonly same: boolean;
}

interface Key {
  readonly account: string;
  readonly operation: string;
  readonly key: string;
  readonly fingerprint: Buffer;
}

function keyOf(viewer: Viewer, idempotency: Idempotency | undefined): Key | null {
  if (!idempotency?.key) return null;
  const { operation, key, input } = idempotency;
  return {
    account: viewer.accountId ?? viewer.administrator?.id ?? viewer.member?.userId ?? nilUuid,
    operation,
    key,
    fingerprint: createHash('sha256').update(canonical(input)).digest(),
  };
}

/** Looks up a key and takes its lock; fails at once if a concurrent request holds it. Returns null for a new key. */
async function recall(transaction: Queryable, { account, operation, key, fingerprint }: Key): Promise<Remembered | null> {
  const [lock] = await transaction.query<{ free: boolean }>(
    sql`/* write.lockKey */ select pg_try_advisory_xact_lock(hashtextextended(${`${account} ${operation} ${key}`}, 0)) as free`,
  );
  if (lock?.free !== true) {
    throw new Problem(
      'idempotency_in_progress',
      'A request with this Idempotency-Key is still in progress. Retry in a moment to receive its response.',
    );
  }
  const [remembered] = await transaction.query<Remembered>(sql`/* write.recallKey */
    select resource_id as "resourceId", answer, fingerprint = ${fingerprint} as same from idempotency
    where account_id = ${account} and operation = ${operation} and key = ${key} and created_at > now() - interval '24 hours'`);
  if (remembered && !remembered.same) {
    throw new Problem(
      'idempotency_key_reused',
      `This Idempotency-Key was used for ${operation} with a different body in the last 24 hours. Use a new key for a new request.`,
    );
  }
  return remembered ?? null;
}

/** The transaction that `work` receives: it appends recorded changes to the list. */
function recording(transaction: Queryable, viewer: Viewer, changes: Change[]): BatchTransaction {
  return {
    query: (statement, size) => transaction.query(statement, size),
    record(change) {
      requireSportOfHost(viewer, change);
      changes.push(change);
    },
    changeCount: () => changes.length,
    discardChangesAfter: (mark) => void changes.splice(mark),
  };
}

/** SQLSTATE of a deadlock and of a serialization failure: the transaction was rolled back and can be retried. */
const retryable = ['40P01', '40001'] as const;

const attemptsMax = 6;

/** Retries a transaction after a deadlock, with increasing delays so that the concurrent transaction can finish. */
async function retryDeadlocks<Result>(attempt: () => Promise<Result>, tried = 1): Promise<Result> {
  try {
    return await attempt();
  } catch (error) {
    if (tried === attemptsMax || !hasErrorCode(error, ...retryable)) throw error;
    await sleep(100 * 2 ** tried * (0.5 + Math.random()));
    return retryDeadlocks(attempt, tried + 1);
  }
}

/**
 * The writer of one area.
 * @param wake called after a commit with events, so that the relay delivers them immediately
 */
export function createWriter(database: Database, constraints: Constraints, wake: () => void): Writer {
  async function run<Result>(
    { viewer }: WriteContext,
    key: Key | null,
    work: (transaction: BatchTransaction) => Promise<{ result: Result; resourceId: string | null; answer: object | null }>,
  ): Promise<{ result: Result } | { remembered: Remembered }> {
    const changes: Change[] = [];
    const attempt = (): ReturnType<typeof database.transaction<{ result: Result } | { remembered: Remembered }>> =>
      database.transaction(async (transaction) => {
        changes.length = 0;
        const remembered = key && (await recall(transaction, key));
        if (remembered) return { remembered };
        const { result, resourceId, answer } = await work(recording(transaction, viewer, changes));
        await flushChanges(transaction, viewer, changes, key && { ...key, resourceId, answer });
        return { result };
      });
    const outcome = await retryDeadlocks(attempt).catch((error: unknown) => {
      throw translateConstraint(error, constraints);
    });
    if (changes.some((change) => change.event !== null)) wake();
    return outcome;
  }

  return {
    async write<Row extends { id: string }>(
      context: WriteContext,
      work: (transaction: WriteTransaction) => Promise<Row>,
      replayable?: Replayable<Row>,
    ) {
      const outcome = await run(context, keyOf(context.viewer, replayable), async (transaction) => {
        const row = await work(transaction);
        return { result: row, resourceId: row.id, answer: null };
      });
      if ('result' in outcome) return outcome.result;
      context.notes.replayed = true;
      const { resourceId } = outcome.remembered;
      const row = resourceId && replayable ? await replayable.reload(resourceId) : null;
      if (!row) throw new Problem('gone', 'The resource that this request created no longer exists.');
      return row;
    },
    async writeBatch<Response extends object>(
      context: WriteContext,
      work: (transaction: BatchTransaction) => Promise<Response>,
      idempotency: Idempotency,
    ) {
      const outcome = await run(context, keyOf(context.viewer, idempotency), async (transaction) => {
        const answer = await work(transaction);
        return { result: answer, resourceId: null, answer };
      });
      if ('result' in outcome) return outcome.result;
      context.notes.replayed = true;
      // Cast: this function stored the response under the same operation.
      return outcome.remembered.answer as Response;
    },
    async writeWithin(transaction, work) {
      const changes: Change[] = [];
      await work(recording(transaction, SYSTEM, changes));
      await flushChanges(transaction, SYSTEM, changes, null);
    },
  };
}
