/** Histograms of durations with fixed buckets: sums of histograms are histograms, so percentiles of any range follow from rollups. */

/** The longest duration of each bucket in milliseconds; a last bucket has all longer ones. Rollups store one column per bucket: never change them. */
const bounds = [
  1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 75, 100, 150, 200, 300, 500, 750, 1000, 1500, 2000, 3000, 5000, 10_000,
] as const;

/** The number of buckets. */
export const bucketCount = bounds.length + 1;

/** The longest duration that percentiles can have, in milliseconds. */
export const longestMs = 10_000;

/** The bucket of a duration in milliseconds. */
export function bucketOf(durationMs: number): number {
  let low = 0;
  let high: number = bounds.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (durationMs <= (bounds[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** A histogram without durations. */
export const emptyHistogram = (): number[] => new Array<number>(bucketCount).fill(0);

/**
 * The duration in milliseconds that a share of all durations (0 to 1) does not exceed, interpolated linearly within its bucket: the true value is
 * in the same bucket. Durations above the last bound count as that bound. Null for an empty histogram.
 */
export function percentileMs(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const rank = share * total;
  let before = 0;
  for (const [bucket, count] of counts.entries()) {
    if (count > 0 && before + count >= rank) {
      const from = bucket === 0 ? 0 : (bounds[bucket - 1] ?? longestMs);
      const to = bounds[bucket] ?? longestMs;
      return from + ((to - from) * Math.max(0, rank - before)) / count;
    }
    before += count;
  }
  return longestMs;
}
