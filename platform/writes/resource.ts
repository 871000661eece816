/** What writes of every resource have in common: lock, check, change, note. Functions over a description, not a base class. */
import { Problem, type Violation } from '../../schema/errors.ts';
import type { EventType } from '../../schema/events.ts';
import { owns, hasFullAccess, type Viewer } from '../../schema/viewer.ts';
import { difference, type Snapshot } from './change.ts';
import { raw, sql, type Sql } from '../database/database.ts';
import { addExternalIds, registerExternalIds, releaseExternalIds, setExternalIds, type ExternalId } from './external-id.ts';
import { applyMergePatch } from './merge-patch.ts';
import { insertInto, updateRow, type RowPatch, type Table } from '../database/table.ts';
import type { Transitions } from './transition.ts';
import type { WriteTransaction } from './write.ts';

export interface ResourceRow extends Snapshot {
  readonly accountId: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface Resource<Row extends ResourceRow> {
  /** Name in events, history and external ids. */
  readonly type: string;
  readonly table: Table<Row>;
  readonly created: EventType;
  readonly updated: EventType;
  readonly deleted?: EventType;
  /** Members that a merge patch cannot delete. */
  readonly required: readonly (keyof Row & string)[];
  /** Objects that a merge patch replaces: the area has merged them itself, by rules of its own. */
  readonly replaced?: readonly (keyof Row & string)[];
  /** Whether everybody may see the row. */
  readonly isPublic: (row: Row) => boolean;
  /** Whether ids of public registries can name it; when absent, as soon as everybody may see it. */
  readonly hasRegistryIds?: false | ((row: Row) => boolean);
  /** The state it begins in, and the steps: those that a create skips, by naming a later state, are in its history. */
  readonly lifecycle?: { readonly initial: string; readonly transitions: Transitions<string, string> };
  /** What else a change of the row changes, in the same transaction. */
  readonly afterChange?: (transaction: WriteTransaction, before: Row, after: Row) => Promise<void>;
  /** Columns derived from the row at every write (search text …). */
  readonly computed?: (row: RowPatch<Row>) => Readonly<Record<string, Sql>>;
}

export interface ChangeRecord {
  readonly action: string;
  /** Null for a step that another event tells of. */
  readonly event: EventType | null;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** The account that a write belongs to. Throws Problem api_key_missing (401) without a key. */
export function requireAccount(viewer: Viewer): string {
  if (viewer.accountId !== null) return viewer.accountId;
  throw new Problem('api_key_missing', 'This needs an API key: send it in the x-api-key header.');
}

function changeOf<Row extends ResourceRow>(resource: Resource<Row>, before: Row | null, after: Row | null, moved: ChangeRecord) {
  return {
    ...moved,
    before,
    after,
    resourceType: resource.type,
    publicBefore: before !== null && resource.isPublic(before),
    publicAfter: after !== null && resource.isPublic(after),
  };
}

export interface SkippedTransition {
  readonly action: string;
  readonly to: string;
}

/** The fewest steps of the owner from one state to another; null where none lead there. */
export function transitionsBetween(
  steps: Transitions<string, string>,
  from: string,
  to: string,
): readonly SkippedTransition[] | null {
  const ways = new Map<string, readonly SkippedTransition[]>([[from, []]]);
  for (const [state, way] of ways) {
    if (state === to) return way;
    for (const [action, step] of Object.entries(steps)) {
      if (step.from.includes(state) && step.actors.includes('OWNER') && !ways.has(step.to))
        ways.set(step.to, [...way, { action, to: step.to }]);
    }
  }
  return null;
}

/** Notes a new row as created where its lifecycle begins, and each step it skipped by naming a later state; the event of the creation tells of all. */
function recordCreation<Row extends ResourceRow>(
  transaction: WriteTransaction,
  resource: Resource<Row>,
  row: Row,
  data: Readonly<Record<string, unknown>> | undefined,
): void {
  const { initial, transitions } = resource.lifecycle ?? { initial: '', transitions: {} };
  const skipped = 'status' in row ? (transitionsBetween(transitions, initial, String(row.status)) ?? []) : [];
  let before = skipped.length > 0 ? { ...row, status: initial } : row;
  transaction.record(changeOf(resource, null, before, { action: 'created', event: resource.created, ...(data ? { data } : {}) }));
  for (const { action, to } of skipped) {
    const after = { ...row, status: to };
    transaction.record(changeOf(resource, before, after, { action, event: null }));
    before = after;
  }
}

function ownerOf<Row extends ResourceRow>(resource: Resource<Row>, row: Row, writtenBy = row.accountId) {
  const { isPublic, hasRegistryIds = isPublic } = resource;
  return { accountId: writtenBy, resourceId: row.id, registered: hasRegistryIds !== false && hasRegistryIds(row) };
}

/** Inserts a row with its external ids, and notes it. `writtenBy` is the account the external ids belong to, where it is not the owner. */
export async function insertResource<Row extends ResourceRow>(
  transaction: WriteTransaction,
  resource: Resource<Row>,
  values: RowPatch<Row> & { readonly accountId: string },
  externalIds: readonly ExternalId[] | null | undefined,
  data?: Readonly<Record<string, unknown>>,
  writtenBy?: string,
): Promise<Row> {
  const [row] = await transaction.query<Row>(insertInto(resource.table, values, resource.computed?.(values)));
  if (!row) throw new Error(`insert into ${resource.table.name} returned no row`);
  if (externalIds && externalIds.length > 0)
    await addExternalIds(transaction, resource.type, ownerOf(resource, row, writtenBy), externalIds);
  recordCreation(transaction, resource, row, data);
  return row;
}

/** Locks a row for a change. Throws Problem not_found (404). */
export async function lockRow<Row extends ResourceRow>(
  transaction: WriteTransaction,
  resource: Resource<Row>,
  id: string,
): Promise<Row> {
  const { table } = resource;
  const [row] = await transaction.query<Row>(
    sql`${raw(`/* ${table.name}.lock */`)} select ${table.columns} from ${raw(table.name)} where id = ${id} for update`,
  );
  if (!row) throw new Problem('not_found', `There is no ${resource.type} with the id ${id}.`);
  return row;
}

/** Locks a row that the viewer owns. Throws Problem not_found (404; also for what the viewer may not even know) or not_owner (403). */
export async function lockOwned<Row extends ResourceRow>(
  transaction: WriteTransaction,
  resource: Resource<Row>,
  viewer: Viewer,
  id: string,
): Promise<Row> {
  const row = await lockRow(transaction, resource, id);
  if (owns(viewer, row.accountId) || hasFullAccess(viewer)) return row;
  if (!resource.isPublic(row)) throw new Problem('not_found', `There is no ${resource.type} with the id ${id}.`);
  throw new Problem('not_owner', `This ${resource.type} belongs to another account.`);
}

/** Locks what a moderator decides on. Throws Problem not_found (404), or not_owner (403) for what is the moderator's own. */
export async function lockForModeration<Row extends ResourceRow>(
  transaction: WriteTransaction,
  resource: Resource<Row>,
  viewer: Viewer,
  id: string,
): Promise<Row> {
  const row = await lockRow(transaction, resource, id);
  if (owns(viewer, row.accountId)) throw new Problem('not_owner', `Nobody moderates an ${resource.type} of the own account.`);
  return row;
}

function rejectDeletedMembers(required: readonly string[], patch: object): void {
  const nulls = new Map(Object.entries(patch));
  const errors: Violation[] = required
    .filter((field) => nulls.has(field) && nulls.get(field) === null)
    .map((field) => ({ pointer: `/${field}`, code: 'required', detail: 'This member cannot be deleted.' }));
  if (errors.length > 0) throw new Problem('validation_failed', 'A required member cannot be null.', { errors });
}

/**
 * Applies a merge patch (RFC 7396: null deletes, absent stays) to a locked row. A patch that changes nothing writes nothing.
 * `writtenBy` is the account the external ids belong to, where it is not the owner.
 * Throws Problem validation_failed (422) when it deletes a required member.
 */
export async function patchResource<Row extends ResourceRow>(
  transaction: WriteTransaction,
  resource: Resource<Row>,
  before: Row,
  patch: RowPatch<Row>,
  externalIds: readonly ExternalId[] | null | undefined,
  data?: Readonly<Record<string, unknown>>,
  writtenBy?: string,
): Promise<Row> {
  rejectDeletedMembers(resource.required, patch);
  const replaced = new Set<string>(resource.replaced);
  const parts = Object.fromEntries(Object.entries(before).filter(([member]) => !replaced.has(member)));
  const set = Object.fromEntries(
    Object.entries(applyMergePatch(parts, patch)).filter(
      ([field, value]) => Object.hasOwn(resource.table.fields, field) && value !== undefined,
    ),
  ) as Partial<Row>;
  const renamed =
    externalIds !== undefined &&
    (await setExternalIds(transaction, resource.type, ownerOf(resource, before, writtenBy), externalIds ?? []));
  const next = { ...before, ...set };
  if (!renamed && Object.keys(difference(before, next)).length === 0) return before;
  return changeRow(transaction, resource, before, set, { action: 'updated', event: resource.updated, ...(data ? { data } : {}) });
}

/** Sets members of a locked row, one version up, and notes it. */
export async function changeRow<Row extends ResourceRow>(
  transaction: WriteTransaction,
  resource: Resource<Row>,
  before: Row,
  values: Partial<Row>,
  moved: ChangeRecord,
): Promise<Row> {
  const [row] = await transaction.query<Row>(
    updateRow(resource.table, before, values, resource.computed?.({ ...before, ...values })),
  );
  if (!row)
    throw new Problem(
      'precondition_failed',
      'The resource changed meanwhile. Read it again, and repeat the change on what you find.',
    );
  const [was, is] = [ownerOf(resource, before).registered, ownerOf(resource, row).registered];
  if (was !== is) await (is ? registerExternalIds : releaseExternalIds)(transaction, resource.type, sql`resource_id = ${row.id}`);
  await resource.afterChange?.(transaction, before, row);
  transaction.record(changeOf(resource, before, row, moved));
  return row;
}

/** Deletes a locked row with its external ids, and notes it. */
export async function removeRow<Row extends ResourceRow>(
  transaction: WriteTransaction,
  resource: Resource<Row>,
  row: Row,
  data?: Readonly<Record<string, unknown>>,
): Promise<void> {
  await transaction.query(
    sql`/* resource.removeExternalIds */ delete from external_id where resource_type = ${resource.type} and resource_id = ${row.id}`,
  );
  await transaction.query(
    sql`${raw(`/* ${resource.table.name}.delete */`)} delete from ${raw(resource.table.name)} where id = ${row.id}`,
  );
  const moved = { action: 'deleted', event: resource.deleted ?? resource.updated, ...(data ? { data } : {}) };
  transaction.record(changeOf(resource, row, null, moved));
}
