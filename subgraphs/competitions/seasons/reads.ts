/** Reads seasons from the database. */
import { hasFullAccess, type Viewer } from '../../../schema/viewer.ts';
import { sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { oneOf } from '../../../platform/database/one-of.ts';
import { externalIdsOf, type ExternalId } from '../../../platform/writes/external-id.ts';
import { readList, type ListServices } from '../../../platform/lists/list.ts';
import { sortBy, type Sort } from '../../../platform/lists/page.ts';
import { readPages, type PageKey } from '../../../platform/lists/nested-pages.ts';
import { requireAccount } from '../../../platform/writes/resource.ts';
import { inOrder } from '../../../platform/database/table.ts';
import type { BatchRead, Context } from '../../runtime/subgraph.ts';
import type { QuerySeasonsArgs, SeasonSort } from '../generated/resolvers.ts';
import { openMatchStatuses } from '../matches/rules.ts';
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
  if (filter.competitionId) where.push(oneOf(sql`season.competition_id`, filter.competitionId));
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

  /** The current season of each competition: the latest in progress, else the next planned one, else the latest. */
  const currentOfCompetitions: BatchRead<string, SeasonRow | null> = async (ids) => {
    const rows =
      await database.query<SeasonRow>(sql`/* seasons.current */ select distinct on (competition_id) ${seasons.columns} from season
      where competition_id = any(${[...ids]}::uuid[]) and status <> 'CANCELLED'
      order by competition_id, array_position(array['IN_PROGRESS', 'PLANNED'], status) nulls last,
        case when status = 'PLANNED' then start_date end, start_date desc, id`);
    return inOrder(ids, rows, ({ competitionId }) => competitionId);
  };

  /**
   * The matchday that is being played or comes next; after the last match, the last one. Postponed matches do not hold it back. Null in a season that
   * is over, and while the next match, or the last one of those played, has no matchday, as in a knock-out.
   */
  const currentMatchdays: BatchRead<string, number | null> = async (ids) => {
    const isOpen = sql`match.season_id = season.id and match.parent_id is null
      and match.status = any(${[...openMatchStatuses]}::text[]) and match.status <> 'POSTPONED'`;
    const rows = await database.query<{ id: string; matchday: number | null }>(sql`/* seasons.currentMatchday */
      select season.id, coalesce(
        (select min(matchday) from match where ${isOpen}),
        case when not exists (select from match where ${isOpen}) and latest.matchday is not null
          then (select max(matchday) from match where season_id = season.id) end) as matchday
      from season left join lateral (select matchday from match where season_id = season.id and parent_id is null
        order by starts_at desc, id desc limit 1) as latest on true
      where season.id = any(${[...ids]}::uuid[]) and season.status in ('PLANNED', 'IN_PROGRESS')`);
    const byId = new Map(rows.map(({ id, matchday }) => [id, matchday]));
    return ids.map((id) => byId.get(id) ?? null);
  };

  return {
    read,
    byId,
    externalIds,
    pagesOfCompetitions,
    currentOfCompetitions,
    currentMatchdays,
    list({ viewer }: Context, args: QuerySeasonsArgs): Promise<SeasonPage> {
      const sort = args.sort ?? 'START_DATE_DESC';
      const where = conditions(viewer, args.filter ?? {});
      const list = { name: 'seasons.list', resource: seasonResource, where, sort: sorts[sort], order: sort };
      return readList({ database, cursors }, list, viewer, args);
    },
  };
}

export type SeasonReads = ReturnType<typeof createSeasonReads>;
