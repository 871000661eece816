/** One thing that a feature looks at. */
import type { Datum } from './comparisons.ts';

export interface FeaturePart {
  readonly datum: Datum;
  /** How much it counts among the parts of its feature. */
  readonly weight: number;
  /** From 0 to 1; null where it is not known. */
  readonly value: number | null;
  readonly text: string;
}

export const featurePart = (datum: Datum, value: number | null, text: string, weight = 1): FeaturePart => ({
  datum,
  weight,
  value,
  text,
});

/** How near something comes: 1 where it is off by nothing, 0 where it is off by a span or more. */
export const nearness = (off: number, span: number): number => Math.max(0, 1 - off / span);

/** Codes in words, in an order of their own. */
export const joinCodes = (codes: readonly string[]): string => [...codes].sort().join(', ');
