/** Diversification of a ranked list by organization. */

/** At most so many items of one organization are among the first items (docs/matching.md). */
const itemsMax = 3;
const firstItems = 10;

/**
 * Limits the items of each organization to three among the first ten. The others follow after the tenth item. If there are fewer than ten
 * items within the limit, the list ends with them, so the limit always holds.
 * @param organizationsOf the organization ids of an item; an item without any is not limited
 */
export function diversify<Item>(list: readonly Item[], organizationsOf: (item: Item) => readonly string[]): Item[] {
  const counts = new Map<string, number>();
  const first: Item[] = [];
  const rest: Item[] = [];
  for (const item of list) {
    const organizations = organizationsOf(item);
    if (first.length < firstItems && organizations.every((id) => (counts.get(id) ?? 0) < itemsMax)) {
      first.push(item);
      for (const id of new Set(organizations)) counts.set(id, (counts.get(id) ?? 0) + 1);
    } else rest.push(item);
  }
  return first.length < firstItems ? first : [...first, ...rest];
}
