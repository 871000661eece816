/** A part of a feature: the fit of one datum. */
import type { Datum } from './comparisons.ts';

export interface FeaturePart {
  readonly datum: Datum;
  /** Weight among the parts of its feature. */
  readonly weight: number;
  /** From 0 to 1. Null if the datum is unknown. */
  readonly value: number | null;
  /** Made on request, because rankings do without it. */
  readonly text: () => string;
}

export const featurePart = (datum: Datum, value: number | null, text: () => string, weight = 1): FeaturePart => ({
  datum,
  weight,
  value,
  text,
});

/** 1 for no difference, 0 for a difference of `span` or more, linear in between. */
export const nearness = (difference: number, span: number): number => Math.max(0, 1 - difference / span);

/** A list of codes as text, sorted so that the text does not depend on the input order. */
export const joinCodes = (codes: readonly string[]): string => [...codes].sort().join(', ');

/** A part whose datum is unknown. */
export const unknownPart = (datum: Datum, weight = 1): FeaturePart => featurePart(datum, null, () => '', weight);
