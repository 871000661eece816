/** The tie-break of a participant: why it ranks above or below equal participants. */
import { compareValues, type Value } from './criteria.ts';
import type { Standing, Step } from './order.ts';
import type { Comparison, TieBreak } from './standing-row.ts';

/** Whether two values are equal for a criterion. A null criterion separates nothing. */
function level(criterion: Step['criterion'], a: Value | null | undefined, b: Value | null | undefined): boolean {
  if (criterion === null) return true;
  return a != null && b != null && compareValues(criterion, a, b) === 0;
}

/**
 * The tie-break of one participant from its comparisons (`steps`) and the points of all participants. Equal participants have the same
 * points or, where points come later (volleyball), the same value of the first criterion. Null without equal participants.
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
    // A comparison that only repeats what makes them equal is left out.
    const known = criterion !== null && (criterion === 'POINTS' || criterion === first.criterion);
    if (against.length === 0 || (known && against.every((each) => level(criterion, value, each.value)))) continue;
    chain.push({ criterion, value, against, reason });
  }
  const decisive = chain.findLast(
    ({ criterion, value, against }) => criterion === null || against.some((each) => !level(criterion, value, each.value)),
  );
  return decisive ? { ...decisive, chain } : null;
}
