/** Lists of resources: the common filters, synchronization and the page. */
import type { Viewer } from '../../schema/viewer.ts';
import type { CursorCodec } from './cursor.ts';
import { raw, sql, type Queryable, type Sql } from '../database/database.ts';
import { hasExternalId } from '../writes/external-id.ts';
import { readPage, sortBy, type Page, type Sort } from './page.ts';
import { requireAccount, type Resource, type ResourceRow } from '../writes/resource.ts';

const pageSize = 20;

/** The filters that all lists share. */
export interface ListFilter {
  readonly ids?: readonly string[] | null | undefined;
  readonly mine?: boolean | null | undefined;
  readonly externalId?: string | null | undefined;
  readonly updatedSince?: string | null | undefined;
}

export interface ListArguments {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly filter?: ListFilter | null | undefined;
}

export interface ListServices {
  readonly database: Queryable;
  readonly cursors: CursorCodec;
}

export interface ResourceList<Row extends ResourceRow> {
  /** Statement name, `area.listThings`; cursors are bound to it. */
  readonly name: string;
  readonly resource: Resource<Row>;
  /** Conditions of the list's own filters, including the viewer's visibility. */
  readonly where: readonly Sql[];
  /** The sort order; a synchronizing client receives changes in the order of their time instead. */
  readonly sort: Sort<Row>;
  /** The selected sort order, if the list has several: cursors are bound to it. */
  readonly order?: string | null | undefined;
  /** A from clause, if the list reads more than the resource's table. */
  readonly from?: Sql;
  readonly columns?: Sql | undefined;
  /** Condition on `external_id` that limits by which external IDs the viewer can find rows; default: all. */
  readonly visibleIds?: Sql;
}

/** Reads a page of a resource's list. Throws Problem cursor_invalid (400), and api_key_missing (401) for `mine` without a key. */
export function readList<Row extends ResourceRow>(
  { database, cursors }: ListServices,
  { name, resource, where, sort, order, from, columns, visibleIds }: ResourceList<Row>,
  viewer: Viewer,
  { first, after, filter }: ListArguments,
): Promise<Page<Row>> {
  const { table, type } = resource;
  const { ids, mine, externalId, updatedSince } = filter ?? {};
  const id = raw(`${table.name}.id`);
  const changed = sortBy(table, 'updatedAt', 'timestamptz', 'asc');
  const list = {
    name,
    columns: columns ?? table.columns,
    from: from ?? raw(table.name),
    id,
    where: [
      ...where,
      ...(ids ? [sql`${id} = any(${[...ids]}::uuid[])`] : []),
      ...(externalId ? [hasExternalId(type, id, externalId, visibleIds)] : []),
    ],
    sort: updatedSince ? changed : sort,
    filter: [filter ?? {}, updatedSince ? null : (order ?? null), viewer.sport],
    changes: updatedSince
      ? {
          resourceType: type,
          since: updatedSince,
          visibleTo: mine ? sql`account_id = ${requireAccount(viewer)}` : sql`public`,
          updatedAt: changed.column,
        }
      : undefined,
  };
  return readPage(database, cursors, list, { first: first ?? pageSize, after });
}
