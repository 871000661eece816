/** Resolvers of statistics and their metric values. */
import { metric } from '../../../schema/metrics.ts';
import type { AreaServices, Context } from '../../runtime/subgraph.ts';
import { comparableMetric, type Standing } from '../percentiles/percentiles.ts';
import type { Reads } from '../reads.ts';
import type { MetricValueResolvers, Resolvers } from '../generated/resolvers.ts';
import { per90, perMatch, roundedShare } from './metric-values.ts';
import type { StatisticsReads } from './reads.ts';
import type { MetricOfRow } from './rows.ts';
import { createStatisticsWrites } from './writes.ts';

function metricValueResolvers({ percentiles }: Pick<StatisticsReads, 'percentiles'>): MetricValueResolvers {
  const standing = async (value: MetricOfRow, context: Context): Promise<Standing | null> => {
    const comparable = comparableMetric(value);
    return comparable && context.load(percentiles, comparable);
  };

  return {
    value: ({ key, value }) => roundedShare(key, value),
    unit: ({ key }) => metric(key)?.unit ?? 'count',
    title: ({ key }) => metric(key)?.title ?? key,
    direction: ({ key }) => metric(key)?.direction ?? 'NEUTRAL',
    perMatch: ({ key, value, row }) => perMatch(key, value, row),
    per90: ({ key, value, row }) => per90(key, value, row),
    percentile: async (value, _, context) => (await standing(value, context))?.percentile ?? null,
    cohort: async (value, _, context) => (await standing(value, context))?.cohort ?? null,
  };
}

export function statisticsResolvers(services: AreaServices, { athletes, statistics }: Reads): Resolvers {
  const writes = createStatisticsWrites(services, statistics);

  return {
    Query: {
      athleteStatistics: async (_, args, context) => {
        const page = await statistics.list(context, args);
        const [athleteId, ...others] = args.filter?.athleteId ?? [];
        if (page.nodes.length === 0 && athleteId && others.length === 0) await athletes.redirectTo(context, athleteId);
        return page;
      },
      athleteStatisticsRow: (_, { id }, context) => context.load(statistics.byId, id),
    },
    Mutation: {
      verifyAthleteStatistics: (_, args, context) => writes.decide(context, 'verify', args),
      rejectAthleteStatistics: (_, args, context) => writes.decide(context, 'reject', args),
      reportAthleteStatistics: (_, { input, idempotencyKey }, context) => writes.report(context, input, idempotencyKey),
      reportAthleteStatisticsBatch: (_, { items, idempotencyKey }, context) => writes.reportBatch(context, items, idempotencyKey),
    },
    AthleteStatistics: {
      __resolveReference: ({ id }, context) => context.load(statistics.byId, id),
      athlete: ({ athleteId }, _, context) => context.load(athletes.byId, athleteId),
      team: ({ teamId }) => (teamId === null ? null : { id: teamId }),
      metrics: (row) => row.metrics.map(({ key, value }) => ({ key, value, row })),
      rank: ({ rank }) => rank ?? null,
    },
    MetricValue: metricValueResolvers(statistics),
  };
}
