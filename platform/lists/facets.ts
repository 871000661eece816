/** Facet counts of people, rounded so that they do not reveal individuals. */

/** Smaller counts are withheld, and others are rounded down to tens, so that the difference of two counts reveals no small group. */
const countMin = 10;

/** A rounded count; null below ten. */
export const roundedCount = (count: number): number | null => (count < countMin ? null : count - (count % countMin));

const byValue = (one: { readonly value: string }, other: { readonly value: string }): number =>
  one.value < other.value ? -1 : 1;

/** Rounded counts, largest first. Withheld counts come last and sorted by value, because their order would reveal their size. */
export function facetCounts(counts: readonly { readonly value: string; readonly count: number }[]) {
  const rounded = counts.map(({ value, count }) => ({ value, count: roundedCount(count) }));
  return rounded.toSorted((one, other) => (other.count ?? 0) - (one.count ?? 0) || byValue(one, other));
}
