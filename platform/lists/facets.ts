/** Counts of people by a value: what may be told of them. */

/** Below, a count is not told; and told ones are rounded down to tens, so that no difference of two tells of fewer. */
const least = 10;

/** A count as it may be told; null below ten. */
export const roundedCount = (count: number): number | null => (count < least ? null : count - (count % least));

const byValue = (one: { readonly value: string }, other: { readonly value: string }): number =>
  one.value < other.value ? -1 : 1;

/** Counts as they may be told, the largest first. The order of those that are not told would tell of them: they come last, by value. */
export function facetCounts(counts: readonly { readonly value: string; readonly count: number }[]) {
  const told = counts.map(({ value, count }) => ({ value, count: roundedCount(count) }));
  return told.toSorted((one, other) => (other.count ?? 0) - (one.count ?? 0) || byValue(one, other));
}
