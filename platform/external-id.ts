/** Ids in other systems: unique per resource type, account, scheme and value; those of public registries for all. */
import { Problem } from '../schema/errors.ts';
import { sql, type Queryable, type Sql } from './database.ts';

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

/** Replaces the external ids of a resource. Returns whether anything changed. Throws Problem conflict (409, with existingId if it is the account's own). */
export async function setExternalIds(
  transaction: Queryable,
  type: string,
  owner: { accountId: string; resourceId: string },
  ids: readonly ExternalId[],
): Promise<boolean> {
  const wanted = JSON.stringify(ids);
  const [done] = await transaction.query<{ removed: number; added: number; missing: number }>(sql`/* externalId.set */
    with wanted as (select distinct scheme, value from jsonb_to_recordset(${wanted}::jsonb) as w(scheme text, value text)),
    removed as (
      delete from external_id e where resource_type = ${type} and resource_id = ${owner.resourceId}
        and not exists (select from wanted w where w.scheme = e.scheme and w.value = e.value) returning 1
    ), added as (
      insert into external_id (resource_type, account_id, scheme, value, resource_id)
      select ${type}, ${owner.accountId}, scheme, value, ${owner.resourceId} from wanted w
      where not exists (select from external_id e where e.resource_type = ${type} and e.resource_id = ${owner.resourceId} and e.scheme = w.scheme and e.value = w.value)
      on conflict do nothing returning 1
    )
    select (select count(*) from removed) as removed, (select count(*) from added) as added,
      (select count(*) from wanted w where not exists (select from external_id e
        where e.resource_type = ${type} and e.resource_id = ${owner.resourceId} and e.scheme = w.scheme and e.value = w.value)) as missing`);
  const { removed, added, missing } = done ?? { removed: 0, added: 0, missing: 0 };
  if (added < missing) {
    const [taken] = await transaction.query<{
      id: string;
      own: boolean;
      scheme: string;
      value: string;
    }>(sql`/* externalId.taken */
      select e.resource_id as id, e.account_id = ${owner.accountId} as own, e.scheme, e.value
      from external_id e join jsonb_to_recordset(${wanted}::jsonb) as w(scheme text, value text) using (scheme, value)
      where e.resource_type = ${type} and not exists (select from external_id got
        where got.resource_type = ${type} and got.resource_id = ${owner.resourceId} and got.scheme = e.scheme and got.value = e.value)
      order by own desc limit 1`);
    throw new Problem(
      'conflict',
      `The external id ${taken ? `${taken.scheme}:${taken.value}` : ''} belongs to another resource.`,
      taken?.own ? { existingId: taken.id } : {},
    );
  }
  return removed + added > 0;
}

/** External ids of many resources, in the order of their ids. */
export async function externalIdsOf(database: Queryable, type: string, ids: readonly string[]): Promise<ExternalId[][]> {
  const rows = await database.query<ExternalId & { id: string }>(sql`/* externalId.of */
    select resource_id as id, scheme, value from external_id where resource_type = ${type} and resource_id = any(${[...ids]}::uuid[]) order by scheme, value`);
  const byId = Map.groupBy(rows, (row) => row.id);
  return ids.map((id) => (byId.get(id) ?? []).map(({ scheme, value }) => ({ scheme, value })));
}

/** The condition of `externalId=SCHEME:value` on a list over a table. */
export function hasExternalId(type: string, id: Sql, text: string): Sql {
  const colon = text.indexOf(':');
  return sql`${id} in (select resource_id from external_id where resource_type = ${type} and scheme = ${text.slice(0, colon)} and value = ${text.slice(colon + 1)})`;
}
