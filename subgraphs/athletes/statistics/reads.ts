/** SQL reads of statistics. A row is visible where its athlete is. */
import type { Sport } from '../../../schema/sports.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { sql } from '../../../platform/database/database.ts';
import { inOrder } from '../../../platform/database/table.ts';
import { readList } from '../../../platform/lists/list.ts';
import { readPages, type PageKey } from '../../../platform/lists/nested-pages.ts';
import { type Sort, sortBy } from '../../../platform/lists/page.ts';
import type { AreaServices, BatchRead, Context } from '../../runtime/subgraph.ts';
import { createAthleteNotes } from '../athletes/athlete-notes.ts';
import type { AthleteReads } from '../athletes/reads.ts';
import { visibleWithConsent } from '../athletes/visible-rows.ts';
import { createPercentiles } from '../percentiles/percentiles.ts';
import type { QueryAthleteStatisticsArgs, StatisticsSort } from '../generated/resolvers.ts';
import { statisticsConditions, statisticsTables, visibleFilter } from './filter.ts';
import { isLeaderboard, readLeaderboard } from './leaderboard.ts';
import { statistics, statisticsResource, type StatisticsPage, type StatisticsRow } from './rows.ts';

const latest: Sort<StatisticsRow> = sortBy(statistics, 'updatedAt', 'timestamptz', 'desc');
const computedFirst: Sort<StatisticsRow> = sortBy(statistics, 'shownOrder', 'int', 'desc');

const sorts: Partial<Record<StatisticsSort, Sort<StatisticsRow>>> = {
  UPDATED_AT_ASC: sortBy(statistics, 'updatedAt', 'timestamptz', 'asc'),
  UPDATED_AT_DESC: latest,
  COMPUTED_FIRST: computedFirst,
};

/** Creates the list of statistics, which a sort by value turns into a leaderboard. */
function createList({ database, cursors }: AreaServices, note: ReturnType<typeof createAthleteNotes>) {
  return async (context: Context, { filter: requested, ...args }: QueryAthleteStatisticsArgs): Promise<StatisticsPage> => {
    const { viewer } = context;
    const filter = await visibleFilter(context, requested ?? {});
    const list = {
      name: 'statistics.list',
      resource: statisticsResource,
      where: statisticsConditions(viewer, filter),
      from: statisticsTables(filter),
      sort: sorts[args.sort ?? 'UPDATED_AT_DESC'] ?? latest,
      order: args.sort,
    };
    const page =
      isLeaderboard(args.sort) && !filter.updatedSince
        ? await readLeaderboard({ database, cursors }, viewer, { ...args, filter })
        : await readList({ database, cursors }, list, viewer, { ...args, filter });
    await note(context, page.nodes, 'STATISTICS');
    return page;
  };
}

/** Creates the reads of statistics. */
export function createStatisticsReads(services: AreaServices, athletes: Pick<AthleteReads, 'byIdOfAnySport'>) {
  const { database, cursors } = services;
  const note = createAthleteNotes(services, athletes);

  const byId: BatchRead<string, StatisticsRow | null> = async (ids, context) => {
    const { sport } = context.viewer;
    const ofSport = sport === null ? sql`true` : sql`statistics.sport = ${sport}`;
    const rows = await database.query<StatisticsRow>(
      sql`/* statistics.byIds */ select ${statistics.columns}
      from statistics join athlete on athlete.id = statistics.athlete_id where statistics.id = any(${[...ids]}::uuid[]) and ${ofSport} and ${visibleWithConsent(context.viewer, 'PROFILE')}`,
      'PAGE',
    );
    await note(context, rows, 'STATISTICS');
    return inOrder(ids, rows, (row) => row.id);
  };

  /** By id whatever the visibility, for responses to moderators. */
  const byIdForModeration: BatchRead<string, StatisticsRow | null> = async (ids) => {
    const rows = await database.query<StatisticsRow>(
      sql`/* statistics.forModeration */ select ${statistics.columns} from statistics where id = any(${[...ids]}::uuid[])`,
    );
    return inOrder(ids, rows, (row) => row.id);
  };

  const pages = (sportOf: (viewer: Viewer) => Sport | null): BatchRead<PageKey, StatisticsPage> => {
    return (keys, { viewer }) => {
      const sport = sportOf(viewer);
      const where = sport ? [sql`statistics.sport = ${sport}`] : [];
      const list = { name: 'statistics.ofAthletes', columns: statistics.columns, table: 'statistics', owner: 'athlete_id' };
      return readPages(database, cursors, { ...list, where, sort: computedFirst }, keys);
    };
  };

  return {
    byId,
    byIdForModeration,
    list: createList(services, note),
    percentiles: createPercentiles({ database }),
    /** Statistics nested in an athlete that the viewer has already read. */
    pagesOfAthletes: pages(({ sport }) => sport),
    /** The same, whatever the sport of the host. */
    allPagesOfAthletes: pages(() => null),
  };
}

export type StatisticsReads = ReturnType<typeof createStatisticsReads>;
