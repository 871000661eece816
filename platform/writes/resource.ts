/** Writes that all resources share: lock, check, change and record. Functions over a resource description, not a base class. */
import { Problem, type Violation } from '../../schema/errors.ts';
import type { EventType } from '../../schema/events.ts';
import { resourceNames, type ResourceType } from '../../schema/resource-names.ts';
import { owns, hasFullAccess, type Viewer } from '../../schema/viewer.ts';
import { difference, type Snapshot } from './change.ts';
import { raw, sql, type Sql } from '../database/database.ts';
import { changeOf, ownerOf, recordCreation } from './resource-records.ts';
import { addExternalIds, registerExternalIds, releaseExternalIds, setExternalIds, type ExternalId } from './external-id.ts';
import { applyMergePatch } from './merge-patch.ts';
import { insertInto, updateRow, type NoOtherColumns, type RowPatch, type Table } from '../database/table.ts';
import type { Transitions } from './transition.ts';
import type { WriteTransaction } from './write.ts';

export interface ResourceRow extends Snapshot {
  readonly accountId: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface Resource<Row extends ResourceRow> {
  /** Name in events, history and external IDs. */
  readonly type: ResourceType;
  readonly table: Table<Row>;
  readonly created: EventType;
  readonly updated: EventType;
  readonly deleted?: EventType;
  /** Members that a merge patch must not delete. */
  readonly required: readonly (keyof Row & string)[];
  /** Objects that a merge patch replaces as a whole, because the area merges them with its own rules. */
  readonly replaced?: readonly (keyof Row & string)[];
  /** Whether every viewer can read the row. */
  readonly isPublic: (row: Row) => boolean;
  /** Accounts that can read the events of the row, in addition to its own account. Default: none. */
  readonly audienceOf?: (row: Row) => readonly string[];
  /** Whether IDs of public registries can identify the row. Default: as long as the row is public. */
  readonly hasRegistryIds?: false | ((row: Row) => boolean);
  /** The initial state and the transitions. A create request may name a later state; history records the skipped transitions. */
  readonly lifecycle?: { readonly initial: string; readonly transitions: Transitions<string, string> };
  /** Further writes that belong to a change of the row, in the same transaction. */
  readonly afterChange?: (transaction: WriteTransaction, before: Row, after: Row) => Promise<void>;
  /** Columns that every write computes from the row, such as the search text. */
  readonly computed?: (row: RowPatch<Row>) => Readonly<Record<string, Sql>>;
}

export interface ChangeRecord {
  readonly action: string;
  /** Null when another event already covers the change. */
  readonly event: EventType | null;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** The resource's display name with its article: "an athlete". */
const withArticle = (type: ResourceType): string =>
  `${/^[aeiou]/i.test(resourceNames[type]) ? 'an' : 'a'} ${resourceNames[type]}`;

/** The problem of an ID that does not exist or that the viewer cannot see. */
export const resourceNotFound = (type: ResourceType, id: string): Problem =>
  new Problem('not_found', `There is no ${resourceNames[type]} with the ID ${id}.`);

/** The account of the request. Throws Problem api_key_missing (401) without a key. */
export function requireAccount(viewer: Viewer): string {
  if (viewer.accountId !== null) return viewer.accountId;
  throw new Problem('api_key_missing', 'An API key is required. Send it in the x-api-key header.');
}

type NewRow<Row> = RowPatch<Row> & { readonly accountId: string };

/** `data` is part of the event. `writtenBy` is the account that owns the external IDs; default: the row's owner. */
type RecordOptions = [
  externalIds: readonly ExternalId[] | null | undefined,
  data?: Readonly<Record<string, unknown>>,
  writtenBy?: string,
];

/**
 * Inserts a row with its external IDs and records the creation. A member of `values` that is not a column does not compile.
 */
export function insertResource<Row extends ResourceRow, Values extends NewRow<Row>>(
  transaction: WriteTransaction,
  resource: Resource<Row>,
  values: Values & NoOtherColumns<Row, Values>,
  ...options: RecordOptions
): Promise<Row> {
  return insertWith(transaction, resource, values, ...options);
}

/** `insertResource` for a row type that is a type parameter, whose members TypeScript cannot compare. Throws Error for a member that is not a column. */
export async function insertWith<Row extends ResourceRow>(
  transaction: WriteTransaction,
  resource: Resource<Row>,
  values: NewRow<Row>,
  ...[externalIds, data, writtenBy]: RecordOptions
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
  if (!row) throw resourceNotFound(resource.type, id);
  return row;
}

/**
 * Locks a row that the viewer owns.
 * Throws Problem not_found (404) if the row does not exist or is not visible to the viewer, not_owner (403) if another account owns it.
 */
export async function lockOwned<Row extends ResourceRow>(
  transaction: WriteTransaction,
  resource: Resource<Row>,
  viewer: Viewer,
  id: string,
): Promise<Row> {
  const row = await lockRow(transaction, resource, id);
  if (owns(viewer, row.accountId) || hasFullAccess(viewer)) return row;
  if (!resource.isPublic(row)) throw resourceNotFound(resource.type, id);
  throw new Problem('not_owner', `This ${resourceNames[resource.type]} belongs to another account.`);
}

/** Locks a row for a moderator's decision. Throws Problem not_found (404), or not_owner (403) if the moderator's account owns the row. */
export async function lockForModeration<Row extends ResourceRow>(
  transaction: WriteTransaction,
  resource: Resource<Row>,
  viewer: Viewer,
  id: string,
): Promise<Row> {
  const row = await lockRow(transaction, resource, id);
  if (owns(viewer, row.accountId))
    throw new Problem('not_owner', `You cannot moderate ${withArticle(resource.type)} of your own account.`);
  return row;
}

function rejectDeletedMembers(required: readonly string[], patch: object): void {
  const nulls = new Map(Object.entries(patch));
  const errors: Violation[] = required
    .filter((field) => nulls.has(field) && nulls.get(field) === null)
    .map((field) => ({ pointer: `/${field}`, code: 'required', detail: 'This field is required and cannot be null.' }));
  if (errors.length > 0) throw new Problem('validation_failed', 'Required fields cannot be null.', { errors });
}

/**
 * Applies a merge patch (RFC 7396) to a locked row: null deletes a member, an absent member is unchanged. Writes nothing if nothing changes.
 * A member of the patch that is not a column does not compile.
 * Throws Problem validation_failed (422) when the patch deletes a required member.
 */
export function patchResource<Row extends ResourceRow, Patch extends RowPatch<Row>>(
  transaction: WriteTransaction,
  resource: Resource<Row>,
  before: Row,
  patch: Patch & NoOtherColumns<Row, Patch>,
  ...options: RecordOptions
): Promise<Row> {
  return patchWith(transaction, resource, before, patch, ...options);
}

/** `patchResource` for a row type that is a type parameter. Throws Error for a member that is not a column. */
export async function patchWith<Row extends ResourceRow>(
  transaction: WriteTransaction,
  resource: Resource<Row>,
  before: Row,
  patch: RowPatch<Row>,
  ...[externalIds, data, writtenBy]: RecordOptions
): Promise<Row> {
  rejectDeletedMembers(resource.required, patch);
  const replaced = new Set<string>(resource.replaced);
  const parts = Object.fromEntries(Object.entries(before).filter(([member]) => !replaced.has(member)));
  const set: RowPatch<Row> = applyMergePatch(parts, patch);
  const renamed =
    externalIds !== undefined &&
    (await setExternalIds(transaction, resource.type, ownerOf(resource, before, writtenBy), externalIds ?? []));
  if (!renamed && Object.keys(difference(before, { ...before, ...set })).length === 0) return before;
  return changeWith(transaction, resource, before, set, {
    action: 'updated',
    event: resource.updated,
    ...(data ? { data } : {}),
  });
}

/** Updates a locked row, increments its version and records the change. Throws Problem precondition_failed (412) on a version conflict. */
export function changeRow<Row extends ResourceRow, Values extends Partial<Row>>(
  transaction: WriteTransaction,
  resource: Resource<Row>,
  before: Row,
  values: Values & NoOtherColumns<Row, Values>,
  moved: ChangeRecord,
): Promise<Row> {
  return changeWith(transaction, resource, before, values, moved);
}

async function changeWith<Row extends ResourceRow>(
  transaction: WriteTransaction,
  resource: Resource<Row>,
  before: Row,
  values: RowPatch<Row>,
  moved: ChangeRecord,
): Promise<Row> {
  const [row] = await transaction.query<Row>(
    updateRow(resource.table, before, values, resource.computed?.({ ...before, ...values })),
  );
  if (!row)
    throw new Problem(
      'precondition_failed',
      'The resource was changed by another request. Fetch the current version and apply your change again.',
    );
  const [was, is] = [ownerOf(resource, before).registered, ownerOf(resource, row).registered];
  if (was !== is) await (is ? registerExternalIds : releaseExternalIds)(transaction, resource.type, sql`resource_id = ${row.id}`);
  await resource.afterChange?.(transaction, before, row);
  transaction.record(changeOf(resource, before, row, moved));
  return row;
}

/** Deletes a locked row with its external IDs and records the deletion. */
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
