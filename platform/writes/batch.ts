/** Batch writes: one transaction, a savepoint per item, an outcome per item; a bad item never costs the good ones. */
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
    /** The caller's own resource that a conflict is with. */
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
  /** The text items are ordered by while they are written, so that two batches over the same rows never deadlock. */
  readonly orderBy: (item: Item) => string;
  readonly constraints: Constraints;
  /** Done once before the first item, in the same transaction: what all items need and hold. What it throws fails the batch. */
  readonly beforeItems?: (transaction: WriteTransaction) => Promise<void>;
  /** Done once after the last item, in the same transaction: what all items together bring about. What it throws fails the batch. */
  readonly afterItems?: (transaction: WriteTransaction) => Promise<void>;
}

const savepoint: Sql = sql`savepoint item`;
/** Keeps an item and opens the next one in one round trip. */
const keep: Sql = raw('release savepoint item; savepoint item');
const rollback: Sql = sql`rollback to savepoint item`;

function summarize(data: readonly BatchItem[]): BatchResult['summary'] {
  const count = (outcome: BatchOutcome): number => data.filter((item) => item.outcome === outcome).length;
  return { created: count('CREATED'), updated: count('UPDATED'), unchanged: count('UNCHANGED'), failed: count('FAILED') };
}

/** What an upsert did to its row: unchanged rows keep their version. */
export function upsertOutcome(
  before: { version: number } | null,
  after: { id: string; version: number },
): Pick<AppliedItem, 'outcome' | 'id' | 'version'> {
  const outcome = before === null ? 'CREATED' : before.version === after.version ? 'UNCHANGED' : 'UPDATED';
  return { outcome, id: after.id, version: after.version };
}

/**
 * Applies each item by itself and returns what came of it, in the order of the items.
 * A Problem (or a violated constraint of the area's table) fails its item; any other error fails the batch, which then leaves nothing.
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
    // Each item ends with a savepoint open: a second one would nest, and a batch would become five hundred levels deep.
    await transaction.query(savepoint);
    const attempt = async (item: Item): Promise<AppliedItem | Problem> => {
      const mark = transaction.changeCount();
      try {
        const done = await applyItem(transaction, item);
        await transaction.query(keep);
        return done;
      } catch (fault) {
        const problem = translateConstraint(fault, request.constraints);
        if (!(problem instanceof Problem) || problem.code === 'upstream_unavailable') throw problem;
        await transaction.query(rollback);
        transaction.discardChangesAfter(mark);
        return problem;
      }
    };
    for (const { item, index } of order) {
      let done = await attempt(item);
      // Who made the same resource at the same moment has committed it now: the second attempt finds and updates it.
      if (done instanceof Problem && done.code === 'conflict') done = await attempt(item);
      if (done instanceof Problem) {
        const { errors = null, existingId = null } = done.extensions;
        const error = { code: done.code, detail: done.message, existingId, errors };
        data.push({ index, outcome: 'FAILED', id: null, version: null, error });
      } else data.push({ index, ...done, error: null });
    }
    await request.afterItems?.(transaction);
    data.sort((a, b) => a.index - b.index);
    return { data, summary: summarize(data) };
  };
  return writer.writeBatch(context, apply, { operation, key: idempotencyKey, input: items });
}
