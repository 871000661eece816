/** SQL reads of opportunities. */
import { owns, hasFullAccess } from '../../../schema/viewer.ts';
import { sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { inOrder } from '../../../platform/database/table.ts';
import { distanceMeters, nearOf } from '../../../platform/lists/near.ts';
import { findByName } from '../../../platform/lists/names.ts';
import { readList, type ListServices } from '../../../platform/lists/list.ts';
import { readPages, type PageKey } from '../../../platform/lists/nested-pages.ts';
import { type Sort, sortBy } from '../../../platform/lists/page.ts';
import { externalIdsOf, type ExternalId } from '../../../platform/writes/external-id.ts';
import type { BatchRead, Context } from '../../runtime/subgraph.ts';
import type {
  NameMatch,
  OpportunityFilter,
  OpportunitySort,
  QueryOpportunitiesArgs,
  QueryOpportunitiesByNameArgs,
} from '../generated/resolvers.ts';
import { opportunityConditions, isOpen, position } from './filter.ts';
import { isPublic, opportunities, opportunityResource, type OpportunityPage, type OpportunityRow } from './rows.ts';

const sorts: Readonly<Record<Exclude<OpportunitySort, 'DISTANCE_ASC'>, Sort<OpportunityRow>>> = {
  CREATED_AT_DESC: sortBy(opportunities, 'createdAt', 'timestamptz', 'desc'),
  CREATED_AT_ASC: sortBy(opportunities, 'createdAt', 'timestamptz', 'asc'),
  DEADLINE_ASC: sortBy(opportunities, 'applicationDeadline', 'timestamptz', 'asc'),
  DEADLINE_DESC: sortBy(opportunities, 'applicationDeadline', 'timestamptz', 'desc'),
  UPDATED_AT_ASC: sortBy(opportunities, 'updatedAt', 'timestamptz', 'asc'),
};

type ListedRow = OpportunityRow & { readonly distance?: number };

/** The order of a list, and the columns that it needs. */
function orderOf(sort: OpportunitySort, filter: OpportunityFilter): { readonly sort: Sort<ListedRow>; readonly columns: Sql } {
  const near = nearOf(filter, sort === 'DISTANCE_ASC');
  if (!near || sort !== 'DISTANCE_ASC')
    return { sort: sorts[sort === 'DISTANCE_ASC' ? 'CREATED_AT_DESC' : sort], columns: opportunities.columns };
  const column = distanceMeters(position, near);
  return {
    sort: { column, type: 'int', direction: 'asc', value: (row) => row.distance },
    columns: sql`${opportunities.columns}, ${column} as distance`,
  };
}

const openIdsMax = 500;

export function createOpportunityReads({ database, cursors }: ListServices) {
  /** Rows by id, without a visibility check. */
  const read = (ids: readonly string[], queryable: Queryable = database): Promise<OpportunityRow[]> =>
    queryable.query<OpportunityRow>(
      sql`/* opportunities.byIds */ select ${opportunities.columns} from opportunity where id = any(${[...ids]}::uuid[])`,
      'PAGE',
    );

  const byId: BatchRead<string, OpportunityRow | null> = async (ids, { viewer }) => {
    const isVisible = (row: OpportunityRow): boolean => isPublic(row) || owns(viewer, row.accountId) || hasFullAccess(viewer);
    const rows = (await read(ids)).filter((row) => isVisible(row) && (viewer.sport === null || row.sport === viewer.sport));
    return inOrder(ids, rows, (row) => row.id);
  };

  const externalIds: BatchRead<string, ExternalId[]> = (ids) => externalIdsOf(database, 'opportunity', ids);

  /** Open opportunities of many organizations, one page for each, in one statement. */
  const pagesOfOrganizations: BatchRead<PageKey, OpportunityPage> = (keys, { viewer }) => {
    const where = viewer.sport ? [isOpen, sql`opportunity.sport = ${viewer.sport}`] : [isOpen];
    const list = {
      name: 'opportunities.ofOrganizations',
      columns: opportunities.columns,
      table: 'opportunity',
      owner: 'organization_id',
    };
    return readPages(database, cursors, { ...list, where, sort: sorts.DEADLINE_ASC }, keys);
  };

  /** The next ids of public open opportunities after an id, at most 500. */
  async function openIds(after: string | null): Promise<string[]> {
    const rows = await database.query<{ id: string }>(sql`/* opportunities.openIds */
      select id from opportunity where ${isOpen} and id > coalesce(${after}, '00000000-0000-0000-0000-000000000000')::uuid order by id limit ${openIdsMax}`);
    return rows.map(({ id }) => id);
  }

  return {
    read,
    byId,
    openIds,
    externalIds,
    pagesOfOrganizations,
    /** Public opportunities by name, best match first. */
    byName({ viewer }: Context, { sport, ...search }: QueryOpportunitiesByNameArgs): Promise<NameMatch[]> {
      const where = [isOpen];
      if (viewer.sport) where.push(sql`opportunity.sport = ${viewer.sport}`);
      if (sport) where.push(sql`opportunity.sport = any(${[...sport]})`);
      return findByName(
        database,
        {
          table: 'opportunity',
          name: sql`opportunity.title`,
          otherNames: sql`array[]::text[]`,
          sports: sql`array[opportunity.sport]`,
          where,
        },
        search,
      );
    },
    list({ viewer }: Context, args: QueryOpportunitiesArgs): Promise<OpportunityPage> {
      const sort = args.sort ?? 'CREATED_AT_DESC';
      const filter = args.filter ?? {};
      const where = opportunityConditions(viewer, filter);
      const list = { name: 'opportunities.list', resource: opportunityResource, where, ...orderOf(sort, filter), order: sort };
      return readList<ListedRow>({ database, cursors }, list, viewer, args);
    },
  };
}

export type OpportunityReads = ReturnType<typeof createOpportunityReads>;
