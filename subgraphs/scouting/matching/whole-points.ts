/** Numbers rounded so that they add up: by largest remainders. */

/**
 * Whole points that sum to a total, each less than one point from its own number. Numbers are 0 or more, the total is their sum
 * rounded; where remainders are equal, the first ones are rounded up.
 */
export function wholePoints(numbers: readonly number[], total: number): number[] {
  const points = numbers.map(Math.floor);
  const left = total - points.reduce((sum, each) => sum + each, 0);
  const byRemainder = numbers
    .map((each, index) => ({ index, remainder: each - Math.floor(each) }))
    .sort((one, other) => other.remainder - one.remainder || one.index - other.index);
  for (const { index } of byRemainder.slice(0, left)) points[index] = (points[index] ?? 0) + 1;
  return points;
}
