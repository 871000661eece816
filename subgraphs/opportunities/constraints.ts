/** Database constraints of the opportunities area, with the errors they are reported as. */
import type { Constraints } from '../../platform/database/constraint.ts';

export const opportunityConstraints: Constraints = {
  opportunity_openings: { code: 'openings_exhausted', detail: 'This opportunity does not have enough remaining openings.' },
  application_once: { code: 'conflict', detail: 'The athlete has already applied to this opportunity.' },
  application_opportunity_id_fkey: { code: 'in_use', detail: 'This opportunity has applications and cannot be deleted.' },
};
