/** Statistics of athletes: their writes. */
import { Problem, refuse } from '../../../schema/errors.ts';
import { upserted, writeBatch, type BatchAnswer } from '../../../platform/batch.ts';
import { join, sql } from '../../../platform/database.ts';
import { changeRow, insertResource, lockForeign, requireAccount } from '../../../platform/resource.ts';
import type { WriteTransaction } from '../../../platform/write.ts';
import { replaysOf, type AreaServices, type Context } from '../../subgraph.ts';
import { athleteConstraints } from '../constraints.ts';
import type { ReportStatisticsInput, Sport } from '../resolvers.generated.ts';
import { statisticsFaults } from '../rules.ts';
import { statistics, statisticsResource, type StatisticsRow } from './statistics-row.ts';
import type { StatisticsStore } from './statistics.ts';

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

interface Decision {
  readonly id: string;
  readonly reason?: string | null | undefined;
  readonly idempotencyKey?: string | null | undefined;
}

/** Writes of statistics over the area's database. */
export function createStatisticsWrites({ writer }: AreaServices, store: StatisticsStore) {
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
      sql`/* statistics.athlete */ select account_id as "accountId" from athlete where status not in ('MERGED', 'ERASURE_REQUESTED', 'ERASED') and id = ${input.athleteId} for key share`,
    );
    if (athlete?.accountId !== accountId)
      refuse([{ pointer: '/athleteId', code: 'unknown_athlete', detail: 'You have no athlete with this id.' }]);
    const values = {
      ...(input as Partial<StatisticsRow>),
      accountId,
      competitionId: season?.competitionId ?? input.competitionId ?? null,
    };
    const key = ['scope', 'sport', 'seasonId', 'competitionId', 'teamId', 'eventCode', 'source'] as const;
    const same = key.map((field) => sql`${statisticsColumn[field]} is not distinct from ${values[field] ?? null}`);
    const [before] = await transaction.query<StatisticsRow>(sql`/* statistics.find */ select ${statistics.columns} from statistics
      where athlete_id = ${input.athleteId} and ${join(same, ' and ')} for update`);
    const data = { athleteId: input.athleteId };
    if (before && unchanged(before, values)) return { before, after: before };
    const after = before
      ? await changeRow(
          transaction,
          statisticsResource,
          before,
          { ...empty, ...values },
          { action: 'updated', event: 'statistics.updated', data },
        )
      : await insertResource(transaction, statisticsResource, values, null, data);
    await transaction.query(sql`/* statistics.setMetrics */ with gone as (delete from statistic_metric where statistics_id = ${after.id} and key <> all(${after.metrics.map(({ key: each }) => each)}))
      insert into statistic_metric (statistics_id, key, value) select ${after.id}, m.key, m.value from jsonb_to_recordset(${JSON.stringify(after.metrics)}::jsonb) as m(key text, value float8)
      on conflict (statistics_id, key) do update set value = excluded.value`);
    return { before: before ?? null, after };
  }

  const reloadModerated = replaysOf(store.moderated);

  return {
    /** A moderator's word on numbers that somebody reported. */
    decide(context: Context, verb: 'verify' | 'reject', { id, reason, idempotencyKey }: Decision): Promise<StatisticsRow> {
      const work = async (transaction: WriteTransaction): Promise<StatisticsRow> => {
        const row = await lockForeign(transaction, statisticsResource, context.viewer, id);
        if (row.source === 'COMPUTED')
          throw new Problem('conflict', 'These numbers are counted from results: what is wrong is corrected there.');
        const data = { athleteId: row.athleteId, ...(reason ? { reason } : {}) };
        const moved = { action: verb, event: 'statistics.updated', data } as const;
        return changeRow(transaction, statisticsResource, row, { verified: verb === 'verify' }, moved);
      };
      const operation = `${verb}AthleteStatistics`;
      return writer.write(context, work, reloadModerated(context, operation, idempotencyKey, { id, reason }));
    },
    async report(context: Context, input: ReportStatisticsInput, key: string | null | undefined): Promise<StatisticsRow> {
      const accountId = requireAccount(context.viewer);
      const seasons = await gatherSeasons(context, [input]);
      const reload = (id: string) => context.load(store.byId, id);
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
  sport: sql`sport`,
  seasonId: sql`season_id`,
  competitionId: sql`competition_id`,
  teamId: sql`team_id`,
  eventCode: sql`event_code`,
  source: sql`source`,
};

/** A report replaces the row: what it does not name is not kept, nor what a moderator found of other numbers. */
const empty: Partial<StatisticsRow> = { matchesPlayed: null, minutesPlayed: null, asOf: null, verified: false };

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
