/** Points of usage, summed: what was asked, refused and failed by area, and by everybody. */
import type { UsageStatus } from '../../generated/graphql.ts';

/** How often the overview asks again. */
export const refreshEveryMs = 15_000;

/** The beginning of a day in UTC: today, or days before. */
export function startOfDay(daysBefore = 0): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - daysBefore)).toISOString();
}

interface Point {
  readonly status?: UsageStatus | null;
  readonly requests: number;
}

export interface Totals {
  readonly name: string;
  readonly requests: number;
  readonly refused: number;
  readonly failed: number;
}

/** Sums by a name, the largest first. */
export function totalsBy<Some extends Point>(points: readonly Some[], nameOf: (point: Some) => string): Totals[] {
  const sum = (some: readonly Some[], status?: UsageStatus): number =>
    some.reduce((all, point) => all + (status === undefined || point.status === status ? point.requests : 0), 0);
  return [...Map.groupBy(points, nameOf)]
    .map(([name, some]) => ({
      name,
      requests: sum(some),
      refused: sum(some, 'CLIENT_ERROR'),
      failed: sum(some, 'SERVER_ERROR'),
    }))
    .sort((one, other) => other.requests - one.requests);
}
