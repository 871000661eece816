/** The percentile of the change of a value since the previous season. */
import { metric as metricRow } from '../../../schema/metrics.ts';

/** The middle of all changes. */
const neutral = 50;

/**
 * The percentile of a change. A count of 0 in both seasons is no growth: it counts as the middle at most, even if most others declined. Only
 * counts for which higher is better are limited, so that a better value never lowers the percentile.
 */
export function growthPercentile(
  metric: string,
  { rate, rateBefore }: { readonly rate: number; readonly rateBefore: number | null },
  percentile: number | null,
): number | null {
  if (percentile === null) return null;
  const isStillZero = rate === 0 && rateBefore === 0 && metricRow(metric)?.direction !== 'LOWER_IS_BETTER';
  return isStillZero ? Math.min(neutral, percentile) : percentile;
}
