/** Violated constraints of the athletes area that are the caller's to mend. */
import type { Constraints } from '../../platform/database/constraint.ts';

export const athleteConstraints: Constraints = {
  statistics_one_row: { code: 'conflict', detail: 'The same statistics were reported at the same moment. Send them again.' },
};
