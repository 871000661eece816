/** Violated constraints of the scouting area that are the caller's to mend. */
import type { Constraints } from '../../platform/database/constraint.ts';

export const scoutingConstraints: Constraints = {
  shortlist_entry_once: { code: 'conflict', detail: 'The athlete is on this shortlist already.' },
  contact_request_one: { code: 'conflict', detail: 'The owner of this athlete was asked already, and has not answered yet.' },
};
