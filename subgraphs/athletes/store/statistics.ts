/** Statistics of athletes: reported rows, read where their athlete is seen. */
import { Problem, refuse } from '../../../schema/errors.ts';
import type { Viewer } from '../../../schema/viewer.ts';
import { upserted, writeBatch, type BatchAnswer } from '../../../platform/batch.ts';
import { join, sql, type Sql } from '../../../platform/database.ts';
import { readPage, type Page, type Sort } from '../../../platform/page.ts';
import { readPages, type PageKey } from '../../../platform/pages.ts';
import { changeRow, insertResource, requireAccount, type Resource, type ResourceRow } from '../../../platform/resource.ts';
import { inOrder, table } from '../../../platform/table.ts';
import type { WriteTransaction } from '../../../platform/write.ts';
import type { AreaServices, BatchRead, Context } from '../../subgraph.ts';
import { athleteConstraints } from '../constraints.ts';
import type {
  QueryAthleteStatisticsArgs,
  ReportStatisticsInput,
  Sport,
  StatisticsScope,
  StatisticsSource,
} from '../resolvers.generated.ts';
import { statisticsFaults } from '../rules.ts';
import { visibleOrOwn } from './visibility.ts';

export interface MetricRow {
  readonly key: string;
  readonly value: number;
}

export interface StatisticsRow extends ResourceRow {
  readonly athleteId: string;
  readonly scope: StatisticsScope;
  readonly sport: Sport;
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
}

export type StatisticsPage = Page<StatisticsRow>;

const statistics = table<StatisticsRow>('statistics', {
  id: 'plain',
  accountId: 'plain',
  version: 'plain',
  createdAt: 'plain',
  updatedAt: 'plain',
  athleteId: 'plain',
  scope: 'plain',
  sport: 'plain',
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
});

const resource: Resource<StatisticsRow> = {
  type: 'statistics',
  table: statistics,
  created: 'statistics.updated',
  updated: 'statistics.updated',
  required: [],
  isPublic: () => false,
};

const changed = {
  column: sql`statistics.updated_at`,
  type: 'timestamptz',
  value: (row: StatisticsRow) => row.updatedAt,
} as const;

function sortOf(args: QueryAthleteStatisticsArgs): Sort<StatisticsRow> {
  const { metric, updatedSince } = args.filter ?? {};
  if (updatedSince || args.sort === 'UPDATED_AT_ASC') return { ...changed, direction: 'asc' };
  if (args.sort !== 'VALUE_ASC' && args.sort !== 'VALUE_DESC') return { ...changed, direction: 'desc' };
  if (!metric) {
    throw new Problem('parameter_invalid', 'A sort by value needs the metric it sorts by.', {
      errors: [{ parameter: 'metric', code: 'required', detail: 'Name a metric of the registry.' }],
    });
  }
  const value = (row: StatisticsRow): number | undefined => row.metrics.find(({ key }) => key === metric)?.value;
  return { column: sql`statistic_metric.value`, type: 'numeric', direction: args.sort === 'VALUE_ASC' ? 'asc' : 'desc', value };
}

function conditions(viewer: Viewer, filter: NonNullable<QueryAthleteStatisticsArgs['filter']>): Sql[] {
  const where = [filter.mine ? sql`athlete.account_id = ${requireAccount(viewer)}` : visibleOrOwn(viewer)];
  if (viewer.sport) where.push(sql`statistics.sport = ${viewer.sport}`);
  if (filter.athleteId) where.push(sql`statistics.athlete_id = ${filter.athleteId}`);
  if (filter.sport) where.push(sql`statistics.sport = any(${filter.sport})`);
  if (filter.seasonId) where.push(sql`statistics.season_id = ${filter.seasonId}`);
  if (filter.competitionId) where.push(sql`statistics.competition_id = ${filter.competitionId}`);
  if (filter.teamId) where.push(sql`statistics.team_id = ${filter.teamId}`);
  if (filter.metric) where.push(sql`statistic_metric.key = ${filter.metric}`);
  if (filter.scope) where.push(sql`statistics.scope = any(${filter.scope})`);
  if (filter.source) where.push(sql`statistics.source = any(${filter.source})`);
  if (filter.updatedSince) where.push(sql`statistics.updated_at >= ${filter.updatedSince}::timestamptz`);
  return where;
}

const seasonsById = /* GraphQL */ `
  query statisticsSeasons($ids: [ID!]!) {
    seasonsById(ids: $ids) {
      id
      competitionId
      sport
    }
  }
`;

interface SeasonFacts {
  readonly id: string;
  readonly competitionId: string;
  readonly sport: Sport;
}

/** Reads and writes of statistics over the area's database. */
export function createStatisticsStore({ database, cursors, writer }: AreaServices) {
  const byId: BatchRead<string, StatisticsRow | null> = async (ids, { viewer }) => {
    const rows = await database.query<StatisticsRow>(sql`/* statistics.byIds */ select ${statistics.columns}
      from statistics join athlete on athlete.id = statistics.athlete_id where statistics.id = any(${[...ids]}::uuid[]) and ${visibleOrOwn(viewer)}`);
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
        sort: { ...changed, direction: 'desc' },
      },
      keys,
    );
  };

  /** Seasons that reports name, through the graph: one fetch for any number of reports. */
  async function gatherSeasons(
    context: Context,
    inputs: readonly ReportStatisticsInput[],
  ): Promise<ReadonlyMap<string, SeasonFacts>> {
    const ids = [...new Set(inputs.flatMap(({ seasonId }) => seasonId ?? []))];
    if (ids.length === 0) return new Map();
    const data = await context.graph(seasonsById, { ids });
    return new Map((data['seasonsById'] as SeasonFacts[]).map((season) => [season.id, season]));
  }

  async function report(
    transaction: WriteTransaction,
    accountId: string,
    input: ReportStatisticsInput,
    seasons: ReadonlyMap<string, SeasonFacts>,
  ) {
    const season = input.seasonId ? seasons.get(input.seasonId) : undefined;
    refuse([
      ...statisticsFaults(input),
      !!input.seasonId && !season && { pointer: '/seasonId', code: 'unknown_season', detail: 'There is no season with this id.' },
      !!season &&
        season.sport !== input.sport && {
          pointer: '/sport',
          code: 'contradicts',
          detail: `The season is one of ${season.sport}.`,
        },
      !!season &&
        !!input.competitionId &&
        input.competitionId !== season.competitionId && {
          pointer: '/competitionId',
          code: 'contradicts',
          detail: 'The season belongs to another competition; leave competitionId away.',
        },
    ]);
    const [athlete] = await transaction.query<{ accountId: string }>(
      sql`/* statistics.athlete */ select account_id as "accountId" from athlete where id = ${input.athleteId} for key share`,
    );
    if (athlete?.accountId !== accountId)
      refuse([{ pointer: '/athleteId', code: 'unknown_athlete', detail: 'You have no athlete with this id.' }]);
    const values = {
      ...(input as Partial<StatisticsRow>),
      accountId,
      competitionId: season?.competitionId ?? input.competitionId ?? null,
    };
    const key = ['scope', 'seasonId', 'competitionId', 'teamId', 'eventCode', 'source'] as const;
    const same = key.map((field) => sql`${statisticsColumn[field]} is not distinct from ${values[field] ?? null}`);
    const [before] = await transaction.query<StatisticsRow>(sql`/* statistics.find */ select ${statistics.columns} from statistics
      where athlete_id = ${input.athleteId} and ${join(same, ' and ')} for update`);
    const data = { athleteId: input.athleteId };
    if (before && unchanged(before, values)) return { before, after: before };
    const after = before
      ? await changeRow(
          transaction,
          resource,
          before,
          { ...empty, ...values },
          { action: 'updated', event: 'statistics.updated', data },
        )
      : await insertResource(transaction, resource, values, null, data);
    await transaction.query(sql`/* statistics.setMetrics */ with gone as (delete from statistic_metric where statistics_id = ${after.id} and key <> all(${after.metrics.map(({ key: each }) => each)}))
      insert into statistic_metric (statistics_id, key, value) select ${after.id}, m.key, m.value from jsonb_to_recordset(${JSON.stringify(after.metrics)}::jsonb) as m(key text, value float8)
      on conflict (statistics_id, key) do update set value = excluded.value`);
    return { before: before ?? null, after };
  }

  return {
    byId,
    pagesOfAthletes,
    list({ viewer }: Context, args: QueryAthleteStatisticsArgs): Promise<StatisticsPage> {
      const filter = args.filter ?? {};
      const from = filter.metric
        ? sql`statistics join athlete on athlete.id = statistics.athlete_id join statistic_metric on statistic_metric.statistics_id = statistics.id`
        : sql`statistics join athlete on athlete.id = statistics.athlete_id`;
      const list = {
        name: 'statistics.list',
        columns: statistics.columns,
        from,
        id: sql`statistics.id`,
        where: conditions(viewer, filter),
        sort: sortOf(args),
      };
      return readPage(
        database,
        cursors,
        { ...list, filter: [filter, args.sort, viewer.sport] },
        { first: args.first ?? 20, after: args.after },
      );
    },
    async report(context: Context, input: ReportStatisticsInput, key: string | null | undefined): Promise<StatisticsRow> {
      const accountId = requireAccount(context.viewer);
      const seasons = await gatherSeasons(context, [input]);
      const reload = (id: string) => context.load(byId, id);
      const work = async (transaction: WriteTransaction) => (await report(transaction, accountId, input, seasons)).after;
      return writer.write(context, work, { operation: 'reportAthleteStatistics', key, input, reload });
    },
    async reportBatch(
      context: Context,
      items: readonly ReportStatisticsInput[],
      idempotencyKey: string | null | undefined,
    ): Promise<BatchAnswer> {
      const accountId = requireAccount(context.viewer);
      const seasons = await gatherSeasons(context, items);
      const request = {
        operation: 'reportAthleteStatisticsBatch',
        idempotencyKey,
        items,
        orderBy: (item: ReportStatisticsInput) => item.athleteId,
        constraints: athleteConstraints,
      };
      return writeBatch(writer, context, request, async (transaction, item) => {
        const { before, after } = await report(transaction, accountId, item, seasons);
        return upserted(before, after);
      });
    },
  };
}

const statisticsColumn = {
  scope: sql`scope`,
  seasonId: sql`season_id`,
  competitionId: sql`competition_id`,
  teamId: sql`team_id`,
  eventCode: sql`event_code`,
  source: sql`source`,
};

/** A report replaces the row: what it does not name is not kept. */
const empty: Partial<StatisticsRow> = { matchesPlayed: null, minutesPlayed: null, asOf: null };

function unchanged(before: StatisticsRow, values: Partial<StatisticsRow>): boolean {
  const facts = (row: Partial<StatisticsRow>): string =>
    JSON.stringify([
      row.matchesPlayed ?? null,
      row.minutesPlayed ?? null,
      row.asOf ?? null,
      (row.metrics ?? []).map(({ key, value }) => [key, value]),
    ]);
  return facts(before) === facts(values);
}
