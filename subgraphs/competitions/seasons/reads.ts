/** Seasons: the SQL of their reads. Writes: season-writes.ts. */
import type { RankingRules } from '../../../schema/ranking-rules.ts';
import { owns, hasFullAccess, type Viewer } from '../../../schema/viewer.ts';
import { sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import { externalIdsOf, type ExternalId } from '../../../platform/writes/external-id.ts';
import { readList, type ListServices } from '../../../platform/lists/list.ts';
import { type Page, type Sort } from '../../../platform/lists/page.ts';
import { readPages, type PageKey } from '../../../platform/lists/nested-pages.ts';
import { requireAccount, type Resource, type ResourceRow } from '../../../platform/writes/resource.ts';
import { inOrder, table } from '../../../platform/database/table.ts';
import type { BatchRead, Context } from '../../runtime/subgraph.ts';
import type { QuerySeasonsArgs, SeasonSort, SeasonStatus, Sport } from '../resolvers.generated.ts';
import { seasonTransitions } from '../competitions/rules.ts';

export interface SeasonRow extends ResourceRow {
  readonly status: SeasonStatus;
  readonly competitionId: string;
  readonly published: boolean;
  readonly sport: Sport;
  readonly name: string;
  readonly startDate: string;
  readonly endDate: string;
  /** Those of the competition when the season was made, or its own; null in a season older than ranking rules: those of the sport. */
  readonly rankingRules: RankingRules | null;
}

export type SeasonPage = Page<SeasonRow>;

// prettier-ignore
const seasons = table<SeasonRow>('season', {
  id: 'plain', accountId: 'plain', version: 'plain', createdAt: 'plain', updatedAt: 'plain', status: 'plain', competitionId: 'plain',
  published: 'plain', sport: 'plain', name: 'plain', startDate: 'plain', endDate: 'plain', rankingRules: 'jsonb',
});

export const seasonResource: Resource<SeasonRow> = {
  type: 'season',
  table: seasons,
  created: 'season.created',
  updated: 'season.updated',
  required: ['name', 'startDate', 'endDate'],
  replaced: ['rankingRules'],
  isPublic: (row) => row.published,
  lifecycle: { initial: 'PLANNED', transitions: seasonTransitions },
};

const startDate = { column: sql`season.start_date`, type: 'date', value: (row: SeasonRow) => row.startDate } as const;
const createdAt = { column: sql`season.created_at`, type: 'timestamptz', value: (row: SeasonRow) => row.createdAt } as const;

const sorts: Readonly<Record<SeasonSort, Sort<SeasonRow>>> = {
  START_DATE_DESC: { ...startDate, direction: 'desc' },
  START_DATE_ASC: { ...startDate, direction: 'asc' },
  CREATED_AT_DESC: { ...createdAt, direction: 'desc' },
  CREATED_AT_ASC: { ...createdAt, direction: 'asc' },
  UPDATED_AT_ASC: { column: sql`season.updated_at`, type: 'timestamptz', direction: 'asc', value: (row) => row.updatedAt },
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

/** Reads of seasons over the area's database. */
export function createSeasonStore({ database, cursors }: ListServices) {
  const read = (ids: readonly string[], queryable: Queryable = database): Promise<SeasonRow[]> =>
    queryable.query<SeasonRow>(
      sql`/* seasons.byIds */ select ${seasons.columns} from season where id = any(${[...ids]}::uuid[])`,
    );

  const byId: BatchRead<string, SeasonRow | null> = async (ids, { viewer }) => {
    const maySee = (row: SeasonRow): boolean => row.published || owns(viewer, row.accountId) || hasFullAccess(viewer);
    const rows = (await read(ids)).filter((row) => maySee(row) && (viewer.sport === null || row.sport === viewer.sport));
    return inOrder(ids, rows, (row) => row.id);
  };

  const externalIds: BatchRead<string, ExternalId[]> = (ids) => externalIdsOf(database, 'season', ids);

  /** Seasons of many competitions in one statement, a page each; who sees a competition sees its seasons. */
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

export type SeasonStore = ReturnType<typeof createSeasonStore>;
