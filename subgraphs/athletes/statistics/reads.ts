/** Statistics of athletes: the SQL of their reads, where their athlete is seen. Writes: statistics-writes.ts. */
import type { Sport } from '../../../schema/sports.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { sql } from '../../../platform/database/database.ts';
import { readList } from '../../../platform/lists/list.ts';
import { type Sort, sortBy } from '../../../platform/lists/page.ts';
import { readPages, type PageKey } from '../../../platform/lists/nested-pages.ts';
import { inOrder } from '../../../platform/database/table.ts';
import type { AreaServices, BatchRead, Context } from '../../runtime/subgraph.ts';
import type { QueryAthleteStatisticsArgs, StatisticsSort } from '../resolvers.generated.ts';
import { noteAthletes, type AthleteReads } from '../athletes/reads.ts';
import type { AthleteRow } from '../athletes/rows.ts';
import { isLeaderboard, readLeaderboard } from './leaderboard.ts';
import { createPercentiles } from '../percentiles/percentiles.ts';
import { knownFilter, statisticsConditions, statisticsTables } from './filter.ts';
import { statistics, statisticsResource, type StatisticsPage, type StatisticsRow } from './rows.ts';
import { visibleWithConsent } from '../athletes/visible-rows.ts';

const latest: Sort<StatisticsRow> = sortBy(statistics, 'updatedAt', 'timestamptz', 'desc');
const computedFirst: Sort<StatisticsRow> = sortBy(statistics, 'shownOrder', 'int', 'desc');

const sorts: Partial<Record<StatisticsSort, Sort<StatisticsRow>>> = {
  UPDATED_AT_ASC: sortBy(statistics, 'updatedAt', 'timestamptz', 'asc'),
  UPDATED_AT_DESC: latest,
  COMPUTED_FIRST: computedFirst,
};

/** Reads of statistics over the area's database. */
export function createStatisticsReads({ database, cursors }: AreaServices, athletes: Pick<AthleteReads, 'whicheverSport'>) {
  /** Tells the door whose numbers it shows; who is anonymous sees none of a minor. Who may read minors is noted, as where he reads their profiles. */
  async function noteStatistics(context: Context, rows: readonly StatisticsRow[]): Promise<void> {
    if (rows.length === 0) return;
    context.notes.person = true;
    if (context.viewer.kind === 'ANONYMOUS') return;
    const ids = [...new Set(rows.map((row) => row.athleteId))];
    const ages = await database.query<Pick<AthleteRow, 'id' | 'adultFrom' | 'activatedAsMinor'>>(
      sql`/* statistics.ages */ select id, adult_from as "adultFrom", activated_as_minor as "activatedAsMinor" from athlete where id = any(${ids}::uuid[])`,
    );
    noteAthletes(context, ages);
    await Promise.all(ages.filter((row) => row.activatedAsMinor).map(({ id }) => athletes.whicheverSport(context, id)));
  }

  const byId: BatchRead<string, StatisticsRow | null> = async (ids, context) => {
    const { viewer } = context;
    const rows = await database.query<StatisticsRow>(sql`/* statistics.byIds */ select ${statistics.columns}
      from statistics join athlete on athlete.id = statistics.athlete_id where statistics.id = any(${[...ids]}::uuid[]) and ${visibleWithConsent(viewer, 'PROFILE')}`);
    await noteStatistics(context, rows);
    return inOrder(ids, rows, (row) => row.id);
  };

  /** By id, whosever they are: for the answers to moderators. */
  const moderated: BatchRead<string, StatisticsRow | null> = async (ids) => {
    const rows = await database.query<StatisticsRow>(
      sql`/* statistics.moderated */ select ${statistics.columns} from statistics where id = any(${[...ids]}::uuid[])`,
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
    moderated,
    percentiles: createPercentiles({ database }),
    /** The athlete is already seen by whoever asks for the statistics nested in it. */
    pagesOfAthletes: pages(({ sport }) => sport),
    /** All of them, whatever the sport of the host. */
    allPagesOfAthletes: pages(() => null),
    async list(context: Context, asked: QueryAthleteStatisticsArgs): Promise<StatisticsPage> {
      const { viewer } = context;
      const filter = await knownFilter(context, asked.filter ?? {});
      const args = { ...asked, filter };
      const services = { database, cursors };
      const sort = sorts[args.sort ?? 'UPDATED_AT_DESC'] ?? latest;
      const list = {
        name: 'statistics.list',
        resource: statisticsResource,
        where: statisticsConditions(viewer, filter),
        from: statisticsTables(filter),
        sort,
        order: args.sort,
      };
      const page =
        isLeaderboard(args.sort) && !filter.updatedSince
          ? await readLeaderboard(services, viewer, args)
          : await readList(services, list, viewer, args);
      await noteStatistics(context, page.nodes);
      return page;
    },
  };
}

export type StatisticsReads = ReturnType<typeof createStatisticsReads>;
