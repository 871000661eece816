/** The fits of both sides of a match, and their mean in points. */
import type { FitSide } from '../generated/resolvers.ts';
import type { Feature } from './features.ts';

export interface Known {
  readonly feature: Feature;
  readonly value: number;
}

export interface Side {
  /** Sum of the weights of its features, known or unknown. */
  readonly weight: number;
  /** Weighted mean of its known features. */
  readonly fit: number;
  readonly known: readonly (Known & { readonly weight: number })[];
}

export const sum = (values: readonly number[]): number => values.reduce((total, each) => total + each, 0);

function valueOf({ parts }: Feature): number | null {
  const known = parts.flatMap(({ weight, value }) => (value === null ? [] : [{ weight, value }]));
  if (known.length === 0) return null;
  return sum(known.map(({ weight, value }) => weight * value)) / sum(known.map(({ weight }) => weight));
}

/** A side with its weights normalized over the known features. Null without any. */
export function sideOf(features: readonly Feature[], side: FitSide): Side | null {
  const own = features.filter((feature) => feature.side === side);
  const known = own.flatMap((feature) => {
    const value = valueOf(feature);
    return value === null ? [] : [{ feature, value }];
  });
  if (known.length === 0) return null;
  const total = sum(known.map(({ feature }) => feature.weight));
  const weighed = known.map((each) => ({ ...each, weight: each.feature.weight / total }));
  return {
    weight: sum(own.map(({ weight }) => weight)),
    fit: sum(weighed.map(({ weight, value }) => weight * value)),
    known: weighed,
  };
}

/** The weighted harmonic mean of the fits of the sides. */
export function harmonicMean(sides: readonly Pick<Side, 'weight' | 'fit'>[]): number {
  if (sides.some(({ fit }) => fit === 0)) return 0;
  return sum(sides.map(({ weight }) => weight)) / sum(sides.map(({ weight, fit }) => weight / fit));
}

/**
 * A mean in whole points, which is monotonic in every fit. The inner rounding removes floating-point noise, such as 62.4999….
 */
export const pointsOf = (mean: number): number => Math.round(Math.round(mean * 1e10) / 1e8);

/** The score if a known feature of a side had the value 1. */
export function scoreAtBest(sides: readonly Side[], side: Side, { value, weight }: Side['known'][number]): number {
  const best = { ...side, fit: side.fit + weight * (1 - value) };
  return pointsOf(harmonicMean(sides.map((each) => (each === side ? best : each))));
}
