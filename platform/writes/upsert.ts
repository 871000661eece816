/** Batch upserts: each item creates or updates the row that its first external ID identifies. */
import type { Constraints } from '../database/constraint.ts';
import { upsertOutcome, writeBatch, type BatchResult } from './batch.ts';
import { externalIdOrder, findByExternalId, firstExternalId, type ExternalId } from './external-id.ts';
import { moveToItemStatus, type ItemStatus } from './item-status.ts';
import { lockRow, type Resource, type ResourceRow } from './resource.ts';
import type { WriteContext, Writer, WriteTransaction } from './write.ts';

interface Item {
  readonly externalIds?: readonly ExternalId[] | null | undefined;
  /** The status of a new resource; an existing one moves to it. */
  readonly status?: string | null | undefined;
}

/** The parts of an upsert that depend on the resource. */
export interface Upsert<Input extends Item, Row extends ResourceRow, Verb extends string> {
  readonly operation: string;
  readonly idempotencyKey: string | null | undefined;
  readonly items: readonly Input[];
  readonly constraints: Constraints;
  readonly resource: Resource<Row>;
  /** The account whose external IDs identify the rows. */
  readonly accountId: string;
  readonly insert: (transaction: WriteTransaction, item: Input) => Promise<Row>;
  /** Locks the row that an item identifies. Default: lockRow, because the row belongs to the account of its external ID. */
  readonly lock?: (transaction: WriteTransaction, id: string) => Promise<Row>;
  /** Changes a locked row to the item, without its status. Rejects changes of immutable members. */
  readonly update: (transaction: WriteTransaction, before: Row, item: Input) => Promise<Row>;
  /** How an updated row moves to the status of its item. Absent: items have no status. */
  readonly status?: ItemStatus<Row, Verb>;
}

/** Applies a batch upsert. An invalid item fails alone; its outcome has the problem. */
export function upsertByExternalId<Input extends Item, Row extends ResourceRow, Verb extends string = never>(
  writer: Writer,
  context: WriteContext,
  upsert: Upsert<Input, Row, Verb>,
): Promise<BatchResult> {
  const { resource, accountId } = upsert;
  const lock = upsert.lock ?? ((transaction: WriteTransaction, id: string) => lockRow(transaction, resource, id));
  return writeBatch(writer, context, { ...upsert, orderBy: externalIdOrder }, async (transaction, item) => {
    const id = await findByExternalId(transaction, resource.type, accountId, firstExternalId(item));
    if (id === null) return upsertOutcome(null, await upsert.insert(transaction, item));
    const before = await lock(transaction, id);
    const updated = await upsert.update(transaction, before, item);
    const after = upsert.status && (await moveToItemStatus(transaction, resource, upsert.status, updated, item.status));
    return upsertOutcome(before, after ?? updated);
  });
}

/** The violation of an item that changes a member that cannot change. */
export const immutableViolation = (member: string, detail: string) => ({ pointer: `/${member}`, code: 'immutable', detail });
