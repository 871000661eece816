/** Percentages in the dashboard. */
import { expect, test } from '@jest/globals';
import { formatPercent } from '../../dashboard/components/number-format.ts';

test.each([
  [0, 150_000, '0%'],
  [67, 150_000, '<0.1%'],
  [150, 150_000, '0.1%'],
  [149_933, 150_000, '>99.9%'],
  [150_000, 150_000, '100%'],
  [180_000, 150_000, '120%'],
  [1, 8, '12.5%'],
  [0, 0, '0%'],
])('%d of %d is %s', (value, total, text) => {
  expect(formatPercent(value, total)).toBe(text);
});
