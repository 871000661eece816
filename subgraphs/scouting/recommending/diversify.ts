/** Room for several organizations at the top of a list of recommendations. */

/** How many of one organization may be among the first ones (docs/matching.md). */
const most = 3;
const among = 10;

/**
 * The list in its order, but of no organization more than three among the first ten: who is one too many comes after them. Where nobody
 * else is left to come before, the list ends: a fourth of an organization is never among the first ten.
 * @param organizationsOf the ids that an item counts for; with none it never is one too many
 */
export function diversify<Item>(list: readonly Item[], organizationsOf: (item: Item) => readonly string[]): Item[] {
  const counts = new Map<string, number>();
  const first: Item[] = [];
  const rest: Item[] = [];
  for (const item of list) {
    const organizations = organizationsOf(item);
    if (first.length < among && organizations.every((id) => (counts.get(id) ?? 0) < most)) {
      first.push(item);
      for (const id of new Set(organizations)) counts.set(id, (counts.get(id) ?? 0) + 1);
    } else rest.push(item);
  }
  return first.length < among ? first : [...first, ...rest];
}
