/** Batches: each item is checked by itself, so a bad one costs nothing but itself. */
import type { LocatedViolation } from '../../schema/violations.ts';
import { violationsMax, inBody } from '../../schema/violations.ts';
import type { Validate } from './validators.ts';

/** Items that never reach an area, and where the others stood in the body. */
export interface CheckedBatch {
  readonly items: readonly unknown[];
  /** Index in the body of each item that is sent. */
  readonly positions: readonly number[];
  readonly rejected: ReadonlyMap<number, readonly LocatedViolation[]>;
}

/** Parts the items of a body into those to send and those to refuse; the first of these tell faultsMax faults, the others one each. */
export function checkItems(all: readonly unknown[], check: Validate): CheckedBatch {
  const items: unknown[] = [];
  const positions: number[] = [];
  const rejected = new Map<number, readonly LocatedViolation[]>();
  let told = 0;
  all.forEach((item, index) => {
    const violations = check(item, told >= violationsMax);
    told += violations.length;
    if (violations.length > 0) rejected.set(index, violations);
    else positions.push(items.push(item) && index);
  });
  return { items, positions, rejected };
}

interface ItemOutcome {
  readonly index: number;
  readonly outcome: string;
}

/** The answer to the whole batch: the area's outcomes at their places, the refused items between them, totals over both. */
export function mergeOutcomes(
  sorted: CheckedBatch,
  answered: readonly ItemOutcome[],
): { data: ItemOutcome[]; summary: Record<string, number> } {
  const refused = [...sorted.rejected].map(([index, violations]) => ({
    index,
    outcome: 'FAILED',
    id: null,
    version: null,
    error: {
      code: 'validation_failed',
      detail: `The item has ${violations.length === 1 ? 'a fault' : `${violations.length} faults`}.`,
      errors: violations.map(inBody),
    },
  }));
  const data = [...answered.map((item) => ({ ...item, index: sorted.positions[item.index] ?? item.index })), ...refused];
  data.sort((a, b) => a.index - b.index);
  const count = (outcome: string): number => data.filter((item) => item.outcome === outcome).length;
  return {
    data,
    summary: { created: count('CREATED'), updated: count('UPDATED'), unchanged: count('UNCHANGED'), failed: count('FAILED') },
  };
}
