/** Ids in other systems: unique per resource type, account, scheme and value; those of public registries for all public resources. */
import { Problem } from '../../schema/errors.ts';
import { join, sql, type Queryable, type Sql } from '../database/database.ts';

export interface ExternalId {
  readonly scheme: string;
  readonly value: string;
}

/** The first external id, by which a batch finds its rows. Throws Problem validation_failed (422) when an item has none. */
export function firstExternalId(item: { readonly externalIds?: readonly ExternalId[] | null | undefined }): ExternalId {
  const [first] = item.externalIds ?? [];
  if (first) return first;
  throw new Problem('validation_failed', 'An item of a batch needs an external id: it is found and updated by the first one.', {
    errors: [{ pointer: '/externalIds', code: 'required', detail: 'Give at least one {scheme, value}.' }],
  });
}

/** The order batches write their items in: that of their first external ids. */
export function externalIdOrder(item: { readonly externalIds?: readonly ExternalId[] | null | undefined }): string {
  return JSON.stringify(item.externalIds?.[0] ?? null);
}

/** Id of the account's resource with this external id, or null. */
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

/** A resource and the account whose ids are meant: its owner's, except where two sides write of one resource. */
interface Owner {
  readonly accountId: string;
  readonly resourceId: string;
  /** Whether it takes ids of public registries: as long as everybody sees it. */
  readonly registered: boolean;
}

const textOf = ({ scheme, value }: ExternalId): string => JSON.stringify([scheme, value]);
const distinct = (ids: readonly ExternalId[]): ExternalId[] => [...new Map(ids.map((id) => [textOf(id), id])).values()];

/**
 * Gives a resource external ids, but for those it has. Throws Problem conflict (409, with existingId if it is the account's own), which names
 * the place of the id, not the id: answers of batches are remembered, and people may be named by their ids.
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
  const detail = 'This external id belongs to another resource.';
  const index = taken ? ids.findIndex((id) => textOf(id) === textOf(taken)) : 0;
  throw new Problem('conflict', detail, {
    errors: [{ pointer: `/externalIds/${index}`, code: 'taken', detail }],
    ...(taken?.own ? { existingId: taken.id } : {}),
  });
}

/**
 * Takes the ids of public registries for resources that everybody sees from now on; `which` is a condition on `external_id`.
 * Throws the violation of external_id_registry (conflict, 409) when another public resource has one of them.
 */
export async function registerExternalIds(transaction: Queryable, type: string, which: Sql): Promise<void> {
  await transaction.query(sql`/* externalId.register */
    update external_id set registered = true where resource_type = ${type} and not registered and ${which}`);
}

/** Gives them up again for resources that not everybody sees any more: a refusal would tell that they are there. */
export async function releaseExternalIds(transaction: Queryable, type: string, which: Sql): Promise<void> {
  await transaction.query(sql`/* externalId.release */
    update external_id set registered = false where resource_type = ${type} and registered and ${which}`);
}

/** Replaces the external ids that an account gave a locked resource. Returns whether anything changed. Throws Problem conflict (409) as addExternalIds does. */
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

/** External ids of many resources, in the order of their ids. `seen` is a condition on `external_id`, for what not everybody sees. */
export async function externalIdsOf(
  database: Queryable,
  type: string,
  ids: readonly string[],
  seen: Sql = sql`true`,
): Promise<ExternalId[][]> {
  const rows = await database.query<ExternalId & { id: string }>(sql`/* externalId.of */
    select resource_id as id, scheme, value from external_id
    where resource_type = ${type} and resource_id = any(${[...ids]}::uuid[]) and ${seen} order by scheme, value`);
  const byId = Map.groupBy(rows, (row) => row.id);
  return ids.map((id) => (byId.get(id) ?? []).map(({ scheme, value }) => ({ scheme, value })));
}

/** The condition of `externalId=SCHEME:value` on a list over a table; `seen` as for externalIdsOf. */
export function hasExternalId(type: string, id: Sql, text: string, seen: Sql = sql`true`): Sql {
  const colon = text.indexOf(':');
  return sql`${id} in (select resource_id from external_id where resource_type = ${type}
    and scheme = ${text.slice(0, colon)} and value = ${text.slice(colon + 1)} and ${seen})`;
}
