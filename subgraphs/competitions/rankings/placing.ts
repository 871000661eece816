/** Shared ranks (1, 2, 2, 4): who is level shares a place, and each criterion is asked only about those whom the ones before left level. */
export type Compare<T> = (one: T, other: T) => number;

/** A further criterion. `among` answers null where it has nothing to say about these who are level. */
export interface Separator<T, Criterion extends string> {
  readonly criterion: Criterion;
  readonly among: (level: readonly T[]) => Compare<T> | null;
}

export interface Placed<T, Criterion extends string = never> {
  readonly item: T;
  /** From 1. */
  readonly rank: number;
  /** True where nothing separates it from another. */
  readonly shared: boolean;
  /** The last criterion that was needed; null where the first comparison sufficed. */
  readonly separatedBy: Criterion | null;
}

/** Ascending; code units, so that an order never depends on a locale. */
export const ascending = (one: string | number, other: string | number): number => (one < other ? -1 : one > other ? 1 : 0);

interface Level<T, Criterion extends string> {
  readonly items: readonly T[];
  readonly separatedBy: Criterion | null;
}

/** The items in groups of equals, first to last; `compare` must be an order. */
export function groupsOf<T>(items: readonly T[], compare: Compare<T>): T[][] {
  const groups: T[][] = [];
  for (const item of items.toSorted(compare)) {
    const last = groups.at(-1);
    if (last?.[0] !== undefined && compare(last[0], item) === 0) last.push(item);
    else groups.push([item]);
  }
  return groups;
}

/**
 * Places items by a first comparison and then by separators in order. The order of the input never matters:
 * those who stay level share a rank and are listed by id.
 */
export function place<T, Criterion extends string = never>(
  items: readonly T[],
  { by, separators = [], idOf }: { by: Compare<T>; separators?: readonly Separator<T, Criterion>[]; idOf: (item: T) => string },
): Placed<T, Criterion>[] {
  let levels: Level<T, Criterion>[] = groupsOf(items, by).map((group) => ({ items: group, separatedBy: null }));
  for (const { criterion, among } of separators) levels = levels.flatMap((level) => separate(level, criterion, among));
  let before = 0;
  return levels.flatMap(({ items: level, separatedBy }) => {
    const rank = before + 1;
    before += level.length;
    const listed = level.toSorted((one, other) => ascending(idOf(one), idOf(other)));
    return listed.map((item) => ({ item, rank, shared: level.length > 1, separatedBy }));
  });
}

function separate<T, Criterion extends string>(
  level: Level<T, Criterion>,
  criterion: Criterion,
  among: Separator<T, Criterion>['among'],
): Level<T, Criterion>[] {
  const compare = level.items.length > 1 ? among(level.items) : null;
  const groups = compare ? groupsOf(level.items, compare) : [];
  return groups.length > 1 ? groups.map((items) => ({ items, separatedBy: criterion })) : [level];
}
