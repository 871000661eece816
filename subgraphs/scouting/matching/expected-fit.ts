/** What is to be expected of a match of which not everything is known: recommendations are in this order (docs/matching.md). */
import type { FitSide } from '../resolvers.generated.ts';
import type { Feature } from './features.ts';

/** What is not known counts as half, as few matches draw a percentile to the middle (docs/matching.md). */
const unknown = 0.5;

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

function expectedValue({ parts }: Feature): number {
  return sum(parts.map(({ weight, value }) => weight * (value ?? unknown))) / sum(parts.map(({ weight }) => weight));
}

/**
 * The weighted harmonic mean of both sides' fits, from 0 to 1, over every feature that the opportunity asks for. The score leaves out
 * what is not known, so somebody of whom nothing but the position is known may score 100: it says how well the known fits, and is no
 * order to list people in.
 */
export function expectedFit(features: readonly Feature[]): number {
  const sides = (['OPPORTUNITY', 'ATHLETE'] satisfies FitSide[]).flatMap((side) => {
    const own = features.filter((feature) => feature.side === side);
    const asked = own.filter(({ parts }) => parts.length > 0);
    const fit = sum(asked.map((feature) => feature.weight * expectedValue(feature))) / sum(asked.map(({ weight }) => weight));
    return asked.length === 0 ? [] : [{ weight: sum(own.map(({ weight }) => weight)), fit }];
  });
  if (sides.length === 0) return unknown;
  if (sides.some(({ fit }) => fit === 0)) return 0;
  const mean = sum(sides.map(({ weight }) => weight)) / sum(sides.map(({ weight, fit }) => weight / fit));
  // without the last bits, which depend on the order of the parts
  return Math.round(mean * 1e6) / 1e6;
}
