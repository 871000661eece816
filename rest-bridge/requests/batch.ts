/** Batches: each item is validated separately, so that an invalid item does not affect the others. */
import type { LocatedViolation } from '../../schema/violations.ts';
import { violationsMax, inBody, summaryOf } from '../../schema/violations.ts';
import type { Validate } from './validators.ts';

/** The valid items of a batch, and the violations of the others. */
export interface CheckedBatch {
  readonly items: readonly unknown[];
  /** Index in the body of each valid item. */
  readonly positions: readonly number[];
  readonly rejected: ReadonlyMap<number, readonly LocatedViolation[]>;
}

/** Validates the items of a body. The first violationsMax violations have details; later items have one without. */
export function checkItems(all: readonly unknown[], check: Validate): CheckedBatch {
  const items: unknown[] = [];
  const positions: number[] = [];
  const rejected = new Map<number, readonly LocatedViolation[]>();
  let reported = 0;
  all.forEach((item, index) => {
    const violations = check(item, reported >= violationsMax);
    reported += violations.length;
    if (violations.length > 0) rejected.set(index, violations);
    else positions.push(items.push(item) && index);
  });
  return { items, positions, rejected };
}

interface ItemOutcome {
  readonly index: number;
  readonly outcome: string;
}

/** The response to a batch: outcomes by index in the body, including rejected items, and totals. */
export function mergeOutcomes(
  batch: CheckedBatch,
  outcomes: readonly ItemOutcome[],
): { data: ItemOutcome[]; summary: Record<string, number> } {
  const rejected = [...batch.rejected].map(([index, violations]) => ({
    index,
    outcome: 'FAILED',
    id: null,
    version: null,
    error: {
      code: 'validation_failed',
      detail: summaryOf(violations.map(inBody)),
      errors: violations.map(inBody),
      existingId: null,
    },
  }));
  const data = [...outcomes.map((item) => ({ ...item, index: batch.positions[item.index] ?? item.index })), ...rejected];
  data.sort((a, b) => a.index - b.index);
  const count = (outcome: string): number => data.filter((item) => item.outcome === outcome).length;
  return {
    data,
    summary: { created: count('CREATED'), updated: count('UPDATED'), unchanged: count('UNCHANGED'), failed: count('FAILED') },
  };
}
