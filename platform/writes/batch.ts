/** Batch writes: one transaction with a savepoint and an outcome per item, so that a failed item does not affect the others. */
import { Problem, type Violation } from '../../schema/errors.ts';
import { raw, sql, type Sql } from '../database/database.ts';
import { translateConstraint, type Constraints } from '../database/constraint.ts';
import type { BatchTransaction, WriteContext, Writer, WriteTransaction } from './write.ts';

export type BatchOutcome = 'CREATED' | 'UPDATED' | 'UNCHANGED' | 'FAILED';

export interface BatchItem {
  readonly index: number;
  readonly outcome: BatchOutcome;
  readonly id: string | null;
  readonly version: number | null;
  readonly error: {
    readonly code: string;
    readonly detail: string;
    /** The caller's resource that the item conflicts with. */
    readonly existingId: string | null;
    readonly errors: readonly Violation[] | null;
  } | null;
}

interface AppliedItem {
  readonly outcome: Exclude<BatchOutcome, 'FAILED'>;
  readonly id: string;
  readonly version: number;
}

export interface BatchResult {
  readonly data: readonly BatchItem[];
  readonly summary: { readonly created: number; readonly updated: number; readonly unchanged: number; readonly failed: number };
}

export interface BatchRequest<Item> {
  readonly operation: string;
  readonly idempotencyKey: string | null | undefined;
  readonly items: readonly Item[];
  /** The order in which items are written, so that two batches over the same rows cannot deadlock. */
  readonly orderBy: (item: Item) => string;
  readonly constraints: Constraints;
  /** Runs once before the first item in the same transaction. An error fails the whole batch. */
  readonly beforeItems?: (transaction: WriteTransaction) => Promise<void>;
  /** Runs once after the last item in the same transaction. An error fails the whole batch. */
  readonly afterItems?: (transaction: WriteTransaction) => Promise<void>;
}

const savepoint: Sql = sql`savepoint item`;
/** Releases the item's savepoint and opens the next one in one round trip. */
const nextSavepoint: Sql = raw('release savepoint item; savepoint item');
const rollback: Sql = sql`rollback to savepoint item`;

function summarize(data: readonly BatchItem[]): BatchResult['summary'] {
  const count = (outcome: BatchOutcome): number => data.filter((item) => item.outcome === outcome).length;
  return { created: count('CREATED'), updated: count('UPDATED'), unchanged: count('UNCHANGED'), failed: count('FAILED') };
}

/** The outcome of an upsert; the version of an unchanged row stays the same. */
export function upsertOutcome(
  before: { version: number } | null,
  after: { id: string; version: number },
): Pick<AppliedItem, 'outcome' | 'id' | 'version'> {
  const outcome = before === null ? 'CREATED' : before.version === after.version ? 'UNCHANGED' : 'UPDATED';
  return { outcome, id: after.id, version: after.version };
}

/**
 * Applies each item separately and returns the outcomes in the order of the items.
 * A Problem, or a violation of a constraint that the area translates, fails its item. Any other error fails the batch, which then writes nothing.
 */
export function writeBatch<Item>(
  writer: Writer,
  context: WriteContext,
  request: BatchRequest<Item>,
  applyItem: (transaction: WriteTransaction, item: Item) => Promise<AppliedItem>,
): Promise<BatchResult> {
  const { operation, idempotencyKey, items } = request;
  const apply = async (transaction: BatchTransaction): Promise<BatchResult> => {
    const order = items
      .map((item, index) => ({ item, index, key: request.orderBy(item) }))
      .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
    const data: BatchItem[] = [];
    await request.beforeItems?.(transaction);
    // One savepoint at a time: nested savepoints would become as deep as the batch has items.
    await transaction.query(savepoint);
    const attempt = async (item: Item): Promise<AppliedItem | Problem> => {
      const changeCount = transaction.changeCount();
      try {
        const applied = await applyItem(transaction, item);
        await transaction.query(nextSavepoint);
        return applied;
      } catch (error) {
        const problem = translateConstraint(error, request.constraints);
        if (!(problem instanceof Problem) || problem.code === 'upstream_unavailable') throw problem;
        await transaction.query(rollback);
        transaction.discardChangesAfter(changeCount);
        return problem;
      }
    };
    for (const { item, index } of order) {
      let result = await attempt(item);
      // A concurrent request that created the same resource has committed: the second attempt finds and updates it.
      if (result instanceof Problem && result.code === 'conflict') result = await attempt(item);
      if (result instanceof Problem) {
        const { errors = null, existingId = null } = result.extensions;
        const error = { code: result.code, detail: result.message, existingId, errors };
        data.push({ index, outcome: 'FAILED', id: null, version: null, error });
      } else data.push({ index, ...result, error: null });
    }
    await request.afterItems?.(transaction);
    data.sort((a, b) => a.index - b.index);
    return { data, summary: summarize(data) };
  };
  return writer.writeBatch(context, apply, { operation, key: idempotencyKey, input: items });
}
