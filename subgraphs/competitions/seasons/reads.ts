/** Reads seasons from the database. */
import { hasFullAccess, type Viewer } from '../../../schema/viewer.ts';
import { sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { externalIdsOf, type ExternalId } from '../../../platform/writes/external-id.ts';
import { readList, type ListServices } from '../../../platform/lists/list.ts';
import { sortBy, type Sort } from '../../../platform/lists/page.ts';
import { readPages, type PageKey } from '../../../platform/lists/nested-pages.ts';
import { requireAccount } from '../../../platform/writes/resource.ts';
import { inOrder } from '../../../platform/database/table.ts';
import type { BatchRead, Context } from '../../runtime/subgraph.ts';
import type { QuerySeasonsArgs, SeasonSort } from '../generated/resolvers.ts';
import { isVisible } from '../visibility.ts';
import { seasonResource, type SeasonPage, type SeasonRow } from './rows.ts';

const seasons = seasonResource.table;

const sorts: Readonly<Record<SeasonSort, Sort<SeasonRow>>> = {
  START_DATE_DESC: sortBy(seasons, 'startDate', 'date', 'desc'),
  START_DATE_ASC: sortBy(seasons, 'startDate', 'date', 'asc'),
  CREATED_AT_DESC: sortBy(seasons, 'createdAt', 'timestamptz', 'desc'),
  CREATED_AT_ASC: sortBy(seasons, 'createdAt', 'timestamptz', 'asc'),
  UPDATED_AT_ASC: sortBy(seasons, 'updatedAt', 'timestamptz', 'asc'),
};

function visible(viewer: Viewer, mine: boolean | null | undefined): Sql {
  if (mine) return sql`season.account_id = ${requireAccount(viewer)}`;
  return hasFullAccess(viewer) ? sql`true` : sql`season.published`;
}

function conditions(viewer: Viewer, filter: NonNullable<QuerySeasonsArgs['filter']>): Sql[] {
  const where = [visible(viewer, filter.mine)];
  if (viewer.sport) where.push(sql`season.sport = ${viewer.sport}`);
  if (filter.competitionId) where.push(sql`season.competition_id = ${filter.competitionId}`);
  if (filter.sport) where.push(sql`season.sport = any(${filter.sport})`);
  if (filter.status) where.push(sql`season.status = any(${filter.status})`);
  if (filter.dateFrom) where.push(sql`season.end_date >= ${filter.dateFrom}::date`);
  if (filter.dateTo) where.push(sql`season.start_date <= ${filter.dateTo}::date`);
  return where;
}

/** Creates the reads of seasons. */
export function createSeasonReads({ database, cursors }: ListServices) {
  const read = (ids: readonly string[], queryable: Queryable = database): Promise<SeasonRow[]> =>
    queryable.query<SeasonRow>(
      sql`/* seasons.byIds */ select ${seasons.columns} from season where id = any(${[...ids]}::uuid[])`,
      'PAGE',
    );

  /** By id, in the order of the keys; null where the viewer cannot read the season. */
  const byId: BatchRead<string, SeasonRow | null> = async (ids, { viewer }) => {
    const rows = (await read(ids)).filter((row) => isVisible(viewer, row));
    return inOrder(ids, rows, (row) => row.id);
  };

  const externalIds: BatchRead<string, ExternalId[]> = (ids) => externalIdsOf(database, 'season', ids);

  /** A page of seasons for each competition, in one statement. A viewer that can read a competition can read its seasons. */
  const pagesOfCompetitions: BatchRead<PageKey, SeasonPage> = (keys) => {
    const list = { name: 'seasons.ofCompetitions', columns: seasons.columns, table: 'season', owner: 'competition_id' };
    return readPages(database, cursors, { ...list, where: [], sort: sorts.START_DATE_DESC }, keys);
  };

  return {
    read,
    byId,
    externalIds,
    pagesOfCompetitions,
    list({ viewer }: Context, args: QuerySeasonsArgs): Promise<SeasonPage> {
      const sort = args.sort ?? 'START_DATE_DESC';
      const where = conditions(viewer, args.filter ?? {});
      const list = { name: 'seasons.list', resource: seasonResource, where, sort: sorts[sort], order: sort };
      return readList({ database, cursors }, list, viewer, args);
    },
  };
}

export type SeasonReads = ReturnType<typeof createSeasonReads>;
