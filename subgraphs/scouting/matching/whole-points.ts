/** Rounding by largest remainder: rounded parts that add up to the rounded total. */

/**
 * Whole points that add up to `total`, each less than one point from its exact value. The values are 0 or more, and `total` is their
 * rounded sum. With equal remainders, the first values are rounded up.
 */
export function wholePoints(values: readonly number[], total: number): number[] {
  const points = values.map(Math.floor);
  const left = total - points.reduce((sum, each) => sum + each, 0);
  const byRemainder = values
    .map((each, index) => ({ index, remainder: each - Math.floor(each) }))
    .sort((one, other) => other.remainder - one.remainder || one.index - other.index);
  for (const { index } of byRemainder.slice(0, left)) points[index] = (points[index] ?? 0) + 1;
  return points;
}
