/** Violated constraints of the opportunities area that are the caller's to mend. */
import type { Constraints } from '../../platform/constraint.ts';

export const opportunityConstraints: Constraints = {
  opportunity_openings: { code: 'openings_exhausted', detail: 'There are not as many openings left.' },
};
