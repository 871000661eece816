/** Tells why a participant stands above or below its equals, from the comparisons it was in. */
import { compareValues, type Value } from './criteria.ts';
import type { Standing, Step } from './order.ts';
import type { Comparison, TieBreak } from './standing-row.ts';

/** Level on a criterion; with a null criterion nothing separates. */
function level(criterion: Step['criterion'], a: Value | null | undefined, b: Value | null | undefined): boolean {
  if (criterion === null) return true;
  return a != null && b != null && compareValues(criterion, a, b) === 0;
}

/**
 * The tie-break of one participant: `points` holds those of everybody, `steps` its comparisons. Its equals are those level
 * on points or, where points come later (volleyball), on the first criterion. Null when it has none.
 */
export function tieBreakOf(
  { participantId }: Standing,
  steps: readonly Step[],
  points: ReadonlyMap<string, number>,
): TieBreak | null {
  const [first] = steps;
  if (!first) return null;
  const own = points.get(participantId);
  const isEqual = (id: string): boolean =>
    points.get(id) === own || level(first.criterion, first.values.get(participantId), first.values.get(id));

  const chain: Comparison[] = [];
  for (const { criterion, values, reason } of steps) {
    const value = values.get(participantId) ?? null;
    const against = [...values]
      .filter(([id]) => id !== participantId && isEqual(id))
      .map(([id, theirs]) => ({ participantId: id, value: theirs }));
    // that they are level on what makes them equals goes without saying
    const known = criterion !== null && (criterion === 'POINTS' || criterion === first.criterion);
    if (against.length === 0 || (known && against.every((each) => level(criterion, value, each.value)))) continue;
    chain.push({ criterion, value, against, reason });
  }
  const decisive = chain.findLast(
    ({ criterion, value, against }) => criterion === null || against.some((each) => !level(criterion, value, each.value)),
  );
  return decisive ? { ...decisive, chain } : null;
}
