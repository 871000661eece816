/** Database constraints of the scouting area, with the errors they are reported as. */
import type { Constraints } from '../../platform/database/constraint.ts';

export const scoutingConstraints: Constraints = {
  shortlist_entry_once: { code: 'conflict', detail: 'The athlete is already on this shortlist.' },
  contact_request_one: { code: 'conflict', detail: 'There is already an open contact request to the owner of this athlete.' },
};
