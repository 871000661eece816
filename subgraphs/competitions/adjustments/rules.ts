/** Validation of adjustments. */
import type { Violation } from '../../../schema/errors.ts';

interface AdjustmentValues {
  readonly points?: number | null | undefined;
  readonly timeMs?: number | null | undefined;
}

/** An adjustment changes either points or time. */
export function adjustmentViolations({ points, timeMs }: AdjustmentValues): (Violation | false)[] {
  const given = [points, timeMs].filter((value) => value !== null && value !== undefined);
  return [given.length !== 1 && { pointer: '/points', code: 'one_of', detail: 'Set exactly one of `points` and `timeMs`.' }];
}
