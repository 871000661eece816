/** Shared ranks (1, 2, 2, 4): tied items share a rank, and each criterion applies only to items that the previous criteria left tied. */
export type Compare<T> = (one: T, other: T) => number;

/** A further criterion. `among` returns null where it does not apply to the tied items. */
export interface Separator<T, Criterion extends string> {
  readonly criterion: Criterion;
  readonly among: (level: readonly T[]) => Compare<T> | null;
}

export interface Placed<T, Criterion extends string = never> {
  readonly item: T;
  /** From 1. */
  readonly rank: number;
  /** Whether another item has the same rank. */
  readonly shared: boolean;
  /** The last criterion that was needed. Null where the first comparison was sufficient. */
  readonly separatedBy: Criterion | null;
}

/** Ascending by code units, so that the order does not depend on a locale. */
export const ascending = (one: string | number, other: string | number): number => (one < other ? -1 : one > other ? 1 : 0);

interface Level<T, Criterion extends string> {
  readonly items: readonly T[];
  readonly separatedBy: Criterion | null;
}

/** Groups equal items, in order. `compare` must be a total preorder. */
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
 * Ranks items by a first comparison and then by separators in order. The order of the input does not matter:
 * tied items share a rank and are listed by ID.
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
