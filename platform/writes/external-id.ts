/** IDs in other systems: unique per resource type, account, scheme and value. Registry IDs are unique across all public resources. */
import { Problem } from '../../schema/errors.ts';
import { join, sql, type Queryable, type Sql } from '../database/database.ts';

export interface ExternalId {
  readonly scheme: string;
  readonly value: string;
}

/** The external ID by which a batch finds an item's row. Throws Problem validation_failed (422) when the item has none. */
export function firstExternalId(item: { readonly externalIds?: readonly ExternalId[] | null | undefined }): ExternalId {
  const [first] = item.externalIds ?? [];
  if (first) return first;
  throw new Problem('validation_failed', 'A batch item requires an external ID: the first one identifies the item.', {
    errors: [{ pointer: '/externalIds', code: 'required', detail: 'Specify at least one {scheme, value}.' }],
  });
}

/** The order in which batches write their items: by first external ID. */
export function externalIdOrder(item: { readonly externalIds?: readonly ExternalId[] | null | undefined }): string {
  return JSON.stringify(item.externalIds?.[0] ?? null);
}

/** ID of the account's resource with this external ID; null if there is none. */
export async function findByExternalId(
  database: Queryable,
  type: string,
  accountId: string,
  { scheme, value }: ExternalId,
): Promise<string | null> {
  const [row] = await database.query<{ id: string }>(sql`/* externalId.find */ select resource_id as id from external_id
    where resource_type = ${type} and account_id = ${accountId} and scheme = ${scheme} and value = ${value}`);
  return row?.id ?? null;
}

/** A resource and the account that owns the external IDs: the resource's owner, unless two parties write to one resource. */
interface Owner {
  readonly accountId: string;
  readonly resourceId: string;
  /** Whether the resource claims its registry IDs: as long as it is public. */
  readonly registered: boolean;
}

const textOf = ({ scheme, value }: ExternalId): string => JSON.stringify([scheme, value]);
const distinct = (ids: readonly ExternalId[]): ExternalId[] => [...new Map(ids.map((id) => [textOf(id), id])).values()];

/**
 * Adds external IDs to a resource, except those it already has. Throws Problem conflict (409, with existingId if the other resource belongs to
 * the account). The error names the position of the ID, not its value: responses of batches are stored, and an ID can identify a person.
 */
export async function addExternalIds(
  transaction: Queryable,
  type: string,
  owner: Owner,
  ids: readonly ExternalId[],
  has: ReadonlySet<string> = new Set(),
): Promise<void> {
  const wanted = distinct(ids).filter((id) => !has.has(textOf(id)));
  if (wanted.length === 0) return;
  const rows = wanted.map(
    ({ scheme, value }) => sql`(${type}, ${owner.accountId}, ${scheme}, ${value}, ${owner.resourceId}, ${owner.registered})`,
  );
  const added = await transaction.query<ExternalId>(sql`/* externalId.add */
    insert into external_id (resource_type, account_id, scheme, value, resource_id, registered) values ${join(rows)}
    on conflict do nothing returning scheme, value`);
  if (added.length === wanted.length) return;
  const done = new Set(added.map(textOf));
  const missing = wanted.filter((id) => !done.has(textOf(id)));
  const [taken] = await transaction.query<ExternalId & { id: string; own: boolean }>(sql`/* externalId.taken */
    select e.resource_id as id, e.account_id = ${owner.accountId} as own, e.scheme, e.value
    from external_id e join jsonb_to_recordset(${JSON.stringify(missing)}::jsonb) as m(scheme text, value text) using (scheme, value)
    where e.resource_type = ${type} and (e.account_id = ${owner.accountId} or e.registered) order by own desc limit 1`);
  const detail = 'This external ID belongs to another resource.';
  const index = taken ? ids.findIndex((id) => textOf(id) === textOf(taken)) : 0;
  throw new Problem('conflict', detail, {
    errors: [{ pointer: `/externalIds/${index}`, code: 'taken', detail }],
    ...(taken?.own ? { existingId: taken.id } : {}),
  });
}

/**
 * Claims the registry IDs of resources that became public; `which` is a condition on `external_id`.
 * Throws a violation of external_id_registry (conflict, 409) when another public resource has one of them.
 */
export async function registerExternalIds(transaction: Queryable, type: string, which: Sql): Promise<void> {
  await transaction.query(sql`/* externalId.register */
    update external_id set registered = true where resource_type = ${type} and not registered and ${which}`);
}

/** Releases the registry IDs of resources that are no longer public: a conflict would reveal that they exist. */
export async function releaseExternalIds(transaction: Queryable, type: string, which: Sql): Promise<void> {
  await transaction.query(sql`/* externalId.release */
    update external_id set registered = false where resource_type = ${type} and registered and ${which}`);
}

/** Replaces the external IDs that an account gave a locked resource. Returns whether anything changed. Throws as addExternalIds does. */
export async function setExternalIds(
  transaction: Queryable,
  type: string,
  owner: Owner,
  ids: readonly ExternalId[],
): Promise<boolean> {
  const has = await transaction.query<ExternalId>(sql`/* externalId.has */
    select scheme, value from external_id
    where resource_type = ${type} and resource_id = ${owner.resourceId} and account_id = ${owner.accountId}`);
  const wanted = new Set(ids.map(textOf));
  const had = new Set(has.map(textOf));
  const removed = has.filter((id) => !wanted.has(textOf(id)));
  if (removed.length > 0) {
    await transaction.query(sql`/* externalId.remove */ delete from external_id e
      using jsonb_to_recordset(${JSON.stringify(removed)}::jsonb) as r(scheme text, value text)
      where e.resource_type = ${type} and e.resource_id = ${owner.resourceId} and e.account_id = ${owner.accountId} and e.scheme = r.scheme and e.value = r.value`);
  }
  await addExternalIds(transaction, type, owner, ids, had);
  return removed.length > 0 || !wanted.isSubsetOf(had);
}

/** External IDs of many resources, in the order of `ids`. `visible` is a condition on `external_id` that limits which ones are returned. */
export async function externalIdsOf(
  database: Queryable,
  type: string,
  ids: readonly string[],
  visible: Sql = sql`true`,
): Promise<ExternalId[][]> {
  const rows = await database.query<ExternalId & { id: string }>(sql`/* externalId.of */
    select resource_id as id, scheme, value from external_id
    where resource_type = ${type} and resource_id = any(${[...ids]}::uuid[]) and ${visible} order by scheme, value`);
  const byId = Map.groupBy(rows, (row) => row.id);
  return ids.map((id) => (byId.get(id) ?? []).map(({ scheme, value }) => ({ scheme, value })));
}

/** An expression for the external IDs of a row that is selected from a table with the ID `id`, in the order of externalIdsOf. */
export const externalIdsOfRow = (type: string, id: Sql): Sql =>
  sql`select coalesce(json_agg(json_build_object('scheme', scheme, 'value', value) order by scheme, value), '[]') from external_id
    where resource_type = ${type} and resource_id = ${id}`;

/** The condition of the filter `externalId=SCHEME:value`; `visible` as in externalIdsOf. */
export function hasExternalId(type: string, id: Sql, text: string, visible: Sql = sql`true`): Sql {
  const colon = text.indexOf(':');
  return sql`${id} in (select resource_id from external_id where resource_type = ${type}
    and scheme = ${text.slice(0, colon)} and value = ${text.slice(colon + 1)} and ${visible})`;
}
