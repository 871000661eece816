/** The one write function: idempotency, the change, history and events in one transaction. Nothing writes around it. */
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ResponseNotes } from '../../schema/entry-point.ts';
import { Problem } from '../../schema/errors.ts';
import { SYSTEM, type Viewer } from '../../schema/viewer.ts';
import { sql, type Database, type Queryable } from '../database/database.ts';
import { translateConstraint, type Constraints } from '../database/constraint.ts';
import { hasErrorCode } from '../error-code.ts';
import { flushChanges, type Change } from './change.ts';

/** A transaction that remembers what was changed, so that history and events are written with it. */
export interface WriteTransaction extends Queryable {
  /** Notes one change of one resource; written in one statement just before the commit. */
  record(change: Change): void;
}

/** How a write is recognised when it is sent again with the same Idempotency-Key. */
export interface Idempotency<Input = unknown> {
  /** Name of the mutation: a key is remembered per account, or administrator, and operation. */
  readonly operation: string;
  /** The Idempotency-Key; nothing is remembered without one. */
  readonly key: string | null | undefined;
  /** What the caller sent: the same key with another input is refused. */
  readonly input: Input;
}

export interface Replayable<Row> extends Idempotency {
  /** Reads the resource again for a replay; authorizes again by the viewer. */
  readonly reload: (id: string) => Promise<Row | null>;
}

export interface WriteContext {
  readonly viewer: Viewer;
  readonly notes: ResponseNotes;
}

export type BatchTransaction = WriteTransaction & { changeCount(): number; discardChangesAfter(mark: number): void };

export interface Writer {
  /**
   * Runs one write in one transaction and returns the row it made.
   * Throws Problem idempotency_in_progress (409), idempotency_key_reused (422), gone (410: what the replayed request made is no more),
   * conflict (409, by the area's constraint table) and whatever the work throws; then nothing is written.
   */
  write<Row extends { id: string }>(
    context: WriteContext,
    work: (transaction: WriteTransaction) => Promise<Row>,
    replayable?: Replayable<Row>,
  ): Promise<Row>;
  /** The same for a batch: the answer itself is remembered under the key, and replayed. */
  writeBatch<Answer extends object>(
    context: WriteContext,
    work: (transaction: BatchTransaction) => Promise<Answer>,
    idempotency: Idempotency,
  ): Promise<Answer>;
  /**
   * Runs the writes that a projection brings with it, as the system and in the projection's own transaction, whose inbox makes them happen
   * once. Their events are found by the relay's next look.
   */
  writeWithin(transaction: Queryable, work: (transaction: WriteTransaction) => Promise<void>): Promise<void>;
}

const nobody = '00000000-0000-0000-0000-000000000000';

/** A JSON text that is the same for equal values, whatever the order of members. */
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
    account: viewer.accountId ?? viewer.administrator?.id ?? nobody,
    operation,
    key,
    fingerprint: createHash('sha256').update(canonical(input)).digest(),
  };
}

/** Looks a key up, holding a lock that a twin in progress is told of at once. Null when the key is new. */
async function recall(transaction: Queryable, { account, operation, key, fingerprint }: Key): Promise<Remembered | null> {
  const [lock] = await transaction.query<{ free: boolean }>(
    sql`/* write.lockKey */ select pg_try_advisory_xact_lock(hashtextextended(${`${account} ${operation} ${key}`}, 0)) as free`,
  );
  if (lock?.free !== true) {
    throw new Problem(
      'idempotency_in_progress',
      'A request with this Idempotency-Key is still running. Repeat it in a moment to get its answer.',
    );
  }
  const [remembered] = await transaction.query<Remembered>(sql`/* write.recallKey */
    select resource_id as "resourceId", answer, fingerprint = ${fingerprint} as same from idempotency
    where account_id = ${account} and operation = ${operation} and key = ${key} and created_at > now() - interval '24 hours'`);
  if (remembered && !remembered.same) {
    throw new Problem(
      'idempotency_key_reused',
      `This Idempotency-Key was used for ${operation} with another body within the last 24 hours. Use a new key for a new request.`,
    );
  }
  return remembered ?? null;
}

/** The transaction as work sees it: what it records is added to the changes. */
function recording(transaction: Queryable, changes: Change[]): BatchTransaction {
  return {
    query: (statement) => transaction.query(statement),
    record: (change) => void changes.push(change),
    changeCount: () => changes.length,
    discardChangesAfter: (mark) => void changes.splice(mark),
  };
}

/** SQLSTATE of a deadlock and of a failed serialization: the transaction left nothing and may be run again. */
const repeatable = ['40P01', '40001'] as const;

const attemptsMax = 6;

/** Runs a transaction again when it lost a deadlock, after a growing pause: the one it met has to get through first. */
async function again<Result>(attempt: () => Promise<Result>, tried = 1): Promise<Result> {
  try {
    return await attempt();
  } catch (error) {
    if (tried === attemptsMax || !hasErrorCode(error, ...repeatable)) throw error;
    await sleep(100 * 2 ** tried * (0.5 + Math.random()));
    return again(attempt, tried + 1);
  }
}

/**
 * The writer of one area.
 * @param wake called after a commit that left events, so that the relay looks at once
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
        const { result, resourceId, answer } = await work(recording(transaction, changes));
        await flushChanges(transaction, viewer, changes, key && { ...key, resourceId, answer });
        return { result };
      });
    const outcome = await again(attempt).catch((error: unknown) => {
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
      if (!row) throw new Problem('gone', 'The resource that this request made no longer exists.');
      return row;
    },
    async writeBatch<Answer extends object>(
      context: WriteContext,
      work: (transaction: BatchTransaction) => Promise<Answer>,
      idempotency: Idempotency,
    ) {
      const outcome = await run(context, keyOf(context.viewer, idempotency), async (transaction) => {
        const answer = await work(transaction);
        return { result: answer, resourceId: null, answer };
      });
      if ('result' in outcome) return outcome.result;
      context.notes.replayed = true;
      // Written by this very function, under the same operation.
      return outcome.remembered.answer as Answer;
    },
    async writeWithin(transaction, work) {
      const changes: Change[] = [];
      await work(recording(transaction, changes));
      await flushChanges(transaction, SYSTEM, changes, null);
    },
  };
}
