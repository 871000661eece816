/** Error responses for violated constraints that a caller can resolve. */
import type { Constraints } from '../../platform/database/constraint.ts';

export const athleteConstraints: Constraints = {
  statistics_one_row: { code: 'conflict', detail: 'A concurrent request reported the same statistics. Retry the request.' },
};
