/** Percentiles of histograms of durations. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bucketCount, bucketOf, emptyHistogram, longestMs, percentileMs } from '../../schema/durations.ts';

const histogramOf = (durations: readonly number[]): number[] => {
  const counts = emptyHistogram();
  for (const duration of durations) counts[bucketOf(duration)] = (counts[bucketOf(duration)] ?? 0) + 1;
  return counts;
};

test('a percentile is in the bucket of the true value, and percentiles increase', () => {
  const durations = fc.array(fc.integer({ min: 0, max: longestMs }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(durations, fc.double({ min: 0.01, max: 1, noNaN: true }), (all, share) => {
      const counts = histogramOf(all);
      const sorted = all.toSorted((one, other) => one - other);
      const exact = sorted[Math.max(0, Math.ceil(share * all.length - 1e-9) - 1)] ?? 0;
      const computed = percentileMs(counts, share) ?? -1;
      expect([bucketOf(exact), bucketOf(exact) - 1]).toContain(bucketOf(Math.floor(computed)));
      expect(bucketOf(Math.ceil(computed))).toBe(bucketOf(exact));
      expect(percentileMs(counts, 1)).toBeGreaterThanOrEqual(computed);
    }),
  );
});

test('each duration has one bucket, and sums of histograms are histograms', () => {
  expect(new Set(Array.from({ length: 20_000 }, (_, ms) => bucketOf(ms))).size).toBe(bucketCount);
  expect([0, 1, 2, 3, 4, 10_000, 10_001].map(bucketOf)).toEqual([0, 0, 1, 2, 3, bucketCount - 2, bucketCount - 1]);
  expect(percentileMs(emptyHistogram(), 0.5)).toBeNull();
  expect(percentileMs(histogramOf([60_000]), 0.5)).toBe(longestMs);
});
