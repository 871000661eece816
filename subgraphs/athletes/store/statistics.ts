/** Statistics of athletes: the SQL of their reads, where their athlete is seen. Writes: statistics-writes.ts. */
import { Problem } from '../../../schema/errors.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { raw, sql, type Sql } from '../../../platform/database.ts';
import { readList } from '../../../platform/list.ts';
import { type Page, type Sort, sortBy } from '../../../platform/page.ts';
import { readPages, type PageKey } from '../../../platform/nested-pages.ts';
import { requireAccount, type Resource, type ResourceRow } from '../../../platform/resource.ts';
import { inOrder, table } from '../../../platform/table.ts';
import type { AreaServices, BatchRead, Context } from '../../subgraph.ts';
import type { QueryAthleteStatisticsArgs, Sport, StatisticsScope, StatisticsSource } from '../resolvers.generated.ts';
import { noteRows } from './athlete.ts';
import { visibleWith } from './visibility.ts';

export interface MetricRow {
  readonly key: string;
  readonly value: number;
}

export interface StatisticsRow extends ResourceRow {
  readonly athleteId: string;
  readonly scope: StatisticsScope;
  readonly sport: Sport;
  readonly matchId: string | null;
  readonly seasonId: string | null;
  readonly competitionId: string | null;
  readonly teamId: string | null;
  readonly eventCode: string | null;
  readonly matchesPlayed: number | null;
  readonly minutesPlayed: number | null;
  readonly metrics: MetricRow[];
  readonly source: StatisticsSource;
  readonly verified: boolean;
  readonly asOf: string | null;
  /** The highest is shown first. */
  readonly shownOrder: number;
}

export type StatisticsPage = Page<StatisticsRow>;

export const statistics = table<StatisticsRow>('statistics', {
  id: 'plain',
  accountId: 'plain',
  version: 'plain',
  createdAt: 'plain',
  updatedAt: 'plain',
  athleteId: 'plain',
  scope: 'plain',
  sport: 'plain',
  matchId: 'plain',
  seasonId: 'plain',
  competitionId: 'plain',
  teamId: 'plain',
  eventCode: 'plain',
  matchesPlayed: 'plain',
  minutesPlayed: 'plain',
  metrics: 'jsonb',
  source: 'plain',
  verified: 'plain',
  asOf: 'plain',
  shownOrder: sql`statistics.shown_order`,
});

export const statisticsResource: Resource<StatisticsRow> = {
  type: 'statistics',
  table: statistics,
  created: 'statistics.updated',
  updated: 'statistics.updated',
  required: [],
  isPublic: () => false,
};

const latest = sortBy(statistics, 'updatedAt', 'timestamptz', 'desc');
const computedFirst = sortBy(statistics, 'shownOrder', 'int', 'desc');

const valueColumn = sql`statistic_metric.value`;

function sortOf(args: QueryAthleteStatisticsArgs): Sort<StatisticsRow> {
  const metric = args.filter?.metric;
  if (args.sort === 'UPDATED_AT_ASC') return sortBy(statistics, 'updatedAt', 'timestamptz', 'asc');
  if (args.sort === 'COMPUTED_FIRST') return computedFirst;
  if (args.sort !== 'VALUE_ASC' && args.sort !== 'VALUE_DESC') return latest;
  if (!metric) {
    throw new Problem('parameter_invalid', 'A sort by value needs the metric it sorts by.', {
      errors: [{ parameter: 'metric', code: 'required', detail: 'Name a metric of the registry.' }],
    });
  }
  const value = (row: StatisticsRow): number | undefined => row.metrics.find(({ key }) => key === metric)?.value;
  return { column: valueColumn, type: 'numeric', direction: args.sort === 'VALUE_ASC' ? 'asc' : 'desc', value };
}

function conditions(viewer: Viewer, filter: NonNullable<QueryAthleteStatisticsArgs['filter']>): Sql[] {
  const where = [filter.mine ? sql`athlete.account_id = ${requireAccount(viewer)}` : visibleWith(viewer, 'PROFILE')];
  // a number has them beside it, and in its index
  const facts = raw(filter.metric ? 'statistic_metric' : 'statistics');
  if (viewer.sport) where.push(sql`${facts}.sport = ${viewer.sport}`);
  if (filter.athleteId) where.push(sql`statistics.athlete_id = ${filter.athleteId}`);
  if (filter.sport) where.push(sql`${facts}.sport = any(${filter.sport})`);
  if (filter.matchId) where.push(sql`statistics.match_id = ${filter.matchId}`);
  if (filter.seasonId) where.push(sql`${facts}.season_id = ${filter.seasonId}`);
  if (filter.competitionId) where.push(sql`${facts}.competition_id = ${filter.competitionId}`);
  if (filter.teamId) where.push(sql`statistics.team_id = ${filter.teamId}`);
  if (filter.metric) where.push(sql`statistic_metric.key = ${filter.metric}`);
  if (filter.scope) where.push(sql`${facts}.scope = any(${filter.scope})`);
  if (filter.source) where.push(sql`${facts}.source = any(${filter.source})`);
  return where;
}

/** Reads of statistics over the area's database. */
export function createStatisticsStore({ database, cursors }: AreaServices) {
  /** Tells the door whose numbers it shows; who is anonymous sees none of a minor. */
  async function noteAthletes(context: Context, rows: readonly StatisticsRow[]): Promise<void> {
    if (rows.length === 0) return;
    context.notes.person = true;
    if (context.viewer.kind === 'ANONYMOUS') return;
    const ids = [...new Set(rows.map((row) => row.athleteId))];
    noteRows(
      context,
      await database.query(
        sql`/* statistics.ages */ select adult_from as "adultFrom", activated_as_minor as "activatedAsMinor" from athlete where id = any(${ids}::uuid[])`,
      ),
    );
  }

  const byId: BatchRead<string, StatisticsRow | null> = async (ids, context) => {
    const { viewer } = context;
    const rows = await database.query<StatisticsRow>(sql`/* statistics.byIds */ select ${statistics.columns}
      from statistics join athlete on athlete.id = statistics.athlete_id where statistics.id = any(${[...ids]}::uuid[]) and ${visibleWith(viewer, 'PROFILE')}`);
    await noteAthletes(context, rows);
    return inOrder(ids, rows, (row) => row.id);
  };

  /** The athlete is already seen by whoever asks for the statistics nested in it. */
  const pagesOfAthletes: BatchRead<PageKey, StatisticsPage> = (keys, { viewer }) => {
    const where = viewer.sport ? [sql`statistics.sport = ${viewer.sport}`] : [];
    return readPages(
      database,
      cursors,
      {
        name: 'statistics.ofAthletes',
        columns: statistics.columns,
        table: 'statistics',
        owner: 'athlete_id',
        where,
        sort: computedFirst,
      },
      keys,
    );
  };

  return {
    byId,
    pagesOfAthletes,
    async list(context: Context, args: QueryAthleteStatisticsArgs): Promise<StatisticsPage> {
      const { viewer } = context;
      const filter = args.filter ?? {};
      const from = filter.metric
        ? sql`statistics join athlete on athlete.id = statistics.athlete_id join statistic_metric on statistic_metric.statistics_id = statistics.id`
        : sql`statistics join athlete on athlete.id = statistics.athlete_id`;
      const where = conditions(viewer, filter);
      const sort = sortOf(args);
      // after a cursor the index is read from there on only where value and id are of one table
      const id = sort.column === valueColumn ? sql`statistic_metric.statistics_id` : undefined;
      const list = { name: 'statistics.list', resource: statisticsResource, where, from, id, sort, order: args.sort };
      const page = await readList({ database, cursors }, list, viewer, args);
      await noteAthletes(context, page.nodes);
      return page;
    },
  };
}

export type StatisticsStore = ReturnType<typeof createStatisticsStore>;
