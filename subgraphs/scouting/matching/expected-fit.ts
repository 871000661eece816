/** The expected fit of a match with missing data. Recommendations are sorted by it (docs/matching.md). */
import type { FitSide } from '../generated/resolvers.ts';
import type { Feature } from './features.ts';

/** Unknown data counts as half, just as percentiles of few matches are shrunk toward the middle (docs/matching.md). */
const unknownValue = 0.5;

const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);

function expectedValue({ parts }: Feature): number {
  return sum(parts.map(({ weight, value }) => weight * (value ?? unknownValue))) / sum(parts.map(({ weight }) => weight));
}

/**
 * The weighted harmonic mean of both sides' fits, from 0 to 1, over all features that the opportunity requires. The score leaves unknown
 * data out, so an athlete with only a known position can score 100. It describes the fit of the known data and is no order for a list.
 */
export function expectedFit(features: readonly Feature[]): number {
  const sides = (['OPPORTUNITY', 'ATHLETE'] satisfies FitSide[]).flatMap((side) => {
    const ofSide = features.filter((feature) => feature.side === side);
    const required = ofSide.filter(({ parts }) => parts.length > 0);
    const fit =
      sum(required.map((feature) => feature.weight * expectedValue(feature))) / sum(required.map(({ weight }) => weight));
    return required.length === 0 ? [] : [{ weight: sum(ofSide.map(({ weight }) => weight)), fit }];
  });
  if (sides.length === 0) return unknownValue;
  if (sides.some(({ fit }) => fit === 0)) return 0;
  const mean = sum(sides.map(({ weight }) => weight)) / sum(sides.map(({ weight, fit }) => weight / fit));
  // The last bits depend on the order of the parts. Rounding removes them.
  return Math.round(mean * 1e6) / 1e6;
}
