/** The one write function: idempotency, the change, history and events in one transaction. Nothing writes around it. */
import { createHash } from 'node:crypto';
import type { Notes } from '../schema/door.ts';
import { Problem } from '../schema/errors.ts';
import type { EventType } from '../schema/events.ts';
import type { Viewer } from '../schema/viewer.ts';
import { sql, type Database, type Queryable } from './database.ts';
import { translateConstraint, type Constraints } from './constraint.ts';
import { flush, type Change } from './change.ts';

/** A transaction that remembers what was changed, so that history and events are written with it. */
export interface WriteTransaction extends Queryable {
  /** Notes one change of one resource; written in one statement just before the commit. */
  record(change: Change): void;
}

export interface WriteRequest<Row extends { id: string }> {
  /** Name of the mutation: an Idempotency-Key is remembered per account and operation. */
  readonly operation: string;
  readonly idempotencyKey: string | null | undefined;
  /** What the caller sent: the same key with another input is refused. */
  readonly input: unknown;
  /** Reads the resource again for a replay; authorizes again by the viewer. */
  readonly reload: (id: string) => Promise<Row | null>;
}

export interface WriteContext {
  readonly viewer: Viewer;
  readonly notes: Notes;
}

export interface Writer {
  /**
   * Runs one write in one transaction and returns the row it made.
   * Throws Problem idempotency_in_progress (409), idempotency_key_reused (422), gone (410, the replayed resource no longer is),
   * conflict (409, by the area's constraint table) and whatever the work throws; then nothing is written.
   */
  write<Row extends { id: string }>(
    context: WriteContext,
    request: WriteRequest<Row>,
    work: (transaction: WriteTransaction) => Promise<Row>,
  ): Promise<Row>;
  /** The same for a batch: the answer itself is remembered under the key, and replayed. */
  writeBatch<Answer extends object>(
    context: WriteContext,
    request: Omit<WriteRequest<{ id: string }>, 'reload'>,
    work: (transaction: WriteTransaction & { discardSince(mark: number): void; mark(): number }) => Promise<Answer>,
  ): Promise<Answer>;
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
  resourceId: string | null;
  answer: object | null;
  same: boolean;
}

/** Looks an Idempotency-Key up, holding a lock that a twin in progress is told of at once. Null when the key is new. */
async function recall(transaction: Queryable, account: string, request: { operation: string; key: string; fingerprint: Buffer }): Promise<Remembered | null> {
  const [row] = await transaction.query<{ free: boolean }>(
    sql`/* write.lockIdempotencyKey */ select pg_try_advisory_xact_lock(hashtextextended(${`${account} ${request.operation} ${request.key}`}, 0)) as free`,
  );
  if (row?.free !== true) {
    throw new Problem('idempotency_in_progress', 'A request with this Idempotency-Key is still running. Repeat it in a moment to get its answer.');
  }
  const [remembered] = await transaction.query<Remembered>(sql`/* write.recallIdempotencyKey */
    select resource_id as "resourceId", answer, fingerprint = ${request.fingerprint} as same from idempotency
    where account_id = ${account} and operation = ${request.operation} and key = ${request.key} and created_at > now() - interval '24 hours'`);
  return remembered ?? null;
}

function replayable(remembered: Remembered, operation: string): Remembered {
  if (!remembered.same) {
    throw new Problem('idempotency_key_reused', `This Idempotency-Key was used for ${operation} with another body within the last 24 hours. Use a new key for a new request.`);
  }
  return remembered;
}

/**
 * The writer of one area.
 * @param wake called after a commit that left events, so that the relay looks at once
 */
export function createWriter(database: Database, constraints: Constraints, wake: () => void): Writer {
  async function run<Result>(
    context: WriteContext,
    request: { operation: string; idempotencyKey: string | null | undefined; input: unknown },
    work: (transaction: WriteTransaction, changes: Change[]) => Promise<{ result: Result; resourceId: string | null; answer: object | null }>,
  ): Promise<{ result: Result } | { remembered: Remembered }> {
    const account = context.viewer.accountId ?? nobody;
    const key = request.idempotencyKey;
    const fingerprint = key ? createHash('sha256').update(canonical(request.input)).digest() : null;
    const changes: Change[] = [];
    const outcome = await database
      .transaction(async (transaction) => {
        if (key && fingerprint) {
          const remembered = await recall(transaction, account, { operation: request.operation, key, fingerprint });
          if (remembered) return { remembered: replayable(remembered, request.operation) };
        }
        const done = await work({ query: (statement) => transaction.query(statement), record: (change) => changes.push(change) }, changes);
        const remember = key && fingerprint ? { account, operation: request.operation, key, fingerprint, resourceId: done.resourceId, answer: done.answer } : null;
        await flush(transaction, context.viewer, changes, remember);
        return { result: done.result };
      })
      .catch((error: unknown) => {
        throw translateConstraint(error, constraints);
      });
    if (changes.some((change) => change.event !== null)) wake();
    return outcome;
  }

  return {
    async write(context, request, work) {
      const outcome = await run(context, request, async (transaction) => {
        const row = await work(transaction);
        return { result: row, resourceId: row.id, answer: null };
      });
      if ('result' in outcome) return outcome.result;
      context.notes.replayed = true;
      const row = outcome.remembered.resourceId === null ? null : await request.reload(outcome.remembered.resourceId);
      if (!row) throw new Problem('gone', 'The resource that this request created no longer exists.');
      return row;
    },
    async writeBatch(context, request, work) {
      const outcome = await run(context, request, async (transaction, changes) => {
        const answer = await work({ ...transaction, mark: () => changes.length, discardSince: (mark) => void changes.splice(mark) });
        return { result: answer, resourceId: null, answer };
      });
      if ('result' in outcome) return outcome.result;
      context.notes.replayed = true;
      return outcome.remembered.answer as Awaited<ReturnType<typeof work>>;
    },
  };
}

export type { Change, EventType };
