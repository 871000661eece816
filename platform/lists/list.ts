/** The lists of resources: the filters every one of them has, synchronization, and the page. */
import type { Viewer } from '../../schema/viewer.ts';
import type { CursorCodec } from './cursor.ts';
import { raw, sql, type Queryable, type Sql } from '../database/database.ts';
import { hasExternalId } from '../writes/external-id.ts';
import { readPage, sortBy, type Page, type Sort } from './page.ts';
import { requireAccount, type Resource, type ResourceRow } from '../writes/resource.ts';

const pageSize = 20;

/** The filters of every list. */
export interface ListFilter {
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
  /** Statement name, `area.listThings`; also binds cursors to this list. */
  readonly name: string;
  readonly resource: Resource<Row>;
  /** The conditions of the list's own filters, for what the viewer may see. */
  readonly where: readonly Sql[];
  /** The order, unless the reader synchronizes: changes come in theirs. */
  readonly sort: Sort<Row>;
  /** Names the order, where the reader chose it: a cursor is only good for the same. */
  readonly order?: string | null | undefined;
  /** Where more than the resource's own table is read. */
  readonly from?: Sql;
  readonly columns?: Sql | undefined;
  /** Which external ids the reader may find rows by, where not by all: a condition on `external_id`. */
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
  const { mine, externalId, updatedSince } = filter ?? {};
  const id = raw(`${table.name}.id`);
  const changed = sortBy(table, 'updatedAt', 'timestamptz', 'asc');
  const list = {
    name,
    columns: columns ?? table.columns,
    from: from ?? raw(table.name),
    id,
    where: externalId ? [...where, hasExternalId(type, id, externalId, visibleIds)] : where,
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
