/** Violated constraints of the opportunities area that are the caller's to mend. */
import type { Constraints } from '../../platform/database/constraint.ts';

export const opportunityConstraints: Constraints = {
  opportunity_openings: { code: 'openings_exhausted', detail: 'There are not as many openings left.' },
  application_once: { code: 'conflict', detail: 'The athlete has applied to this opportunity already.' },
  application_opportunity_id_fkey: { code: 'in_use', detail: 'There are applications to this opportunity.' },
};
