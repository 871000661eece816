/** Sums usage data: requests, client errors and server errors, in total or by area. */
import type { UsageStatus } from '../../generated/graphql.ts';

/** The start of today in UTC, or of a day before. */
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
  readonly clientErrors: number;
  readonly serverErrors: number;
}

/** Totals by name, largest first. */
export function totalsBy<Some extends Point>(points: readonly Some[], nameOf: (point: Some) => string): Totals[] {
  const sum = (group: readonly Some[], status?: UsageStatus): number =>
    group.reduce((total, point) => total + (status === undefined || point.status === status ? point.requests : 0), 0);
  return [...Map.groupBy(points, nameOf)]
    .map(([name, group]) => ({
      name,
      requests: sum(group),
      clientErrors: sum(group, 'CLIENT_ERROR'),
      serverErrors: sum(group, 'SERVER_ERROR'),
    }))
    .sort((one, other) => other.requests - one.requests);
}
