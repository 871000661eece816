/** Resolvers of the numbers of statistics: one line a field. */
import { metric } from '../../../schema/metrics.ts';
import type { Context } from '../../runtime/subgraph.ts';
import { per90, perMatch } from './metric-values.ts';
import type { MetricValueResolvers } from '../resolvers.generated.ts';
import { comparableMetric, type Standing } from '../percentiles/percentiles.ts';
import type { StatisticsReads } from './reads.ts';
import type { MetricOfRow } from './rows.ts';

export function metricValueResolvers({ percentiles }: Pick<StatisticsReads, 'percentiles'>): MetricValueResolvers {
  const standing = async (number: MetricOfRow, context: Context): Promise<Standing | null> => {
    const compared = comparableMetric(number);
    return compared && context.load(percentiles, compared);
  };

  return {
    unit: ({ key }) => metric(key)?.unit ?? 'count',
    title: ({ key }) => metric(key)?.title ?? key,
    direction: ({ key }) => metric(key)?.direction ?? 'NEUTRAL',
    perMatch: ({ key, value, row }) => perMatch(key, value, row),
    per90: ({ key, value, row }) => per90(key, value, row),
    percentile: async (number, _, context) => (await standing(number, context))?.percentile ?? null,
    cohort: async (number, _, context) => (await standing(number, context))?.cohort ?? null,
  };
}
