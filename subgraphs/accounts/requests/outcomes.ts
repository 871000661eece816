/** Outcomes of requests and the classes of HTTP statuses that they stand for. */
import { entriesOf } from '../../../schema/records.ts';
import type { UsageStatus } from '../generated/resolvers.ts';

export const statusClasses: Readonly<Record<UsageStatus, number>> = {
  SUCCESS: 2,
  REDIRECTION: 3,
  CLIENT_ERROR: 4,
  SERVER_ERROR: 5,
};

/** Outcomes by class. */
export const outcomes: ReadonlyMap<number, UsageStatus> = new Map(
  entriesOf(statusClasses).map(([outcome, statusClass]) => [statusClass, outcome]),
);
