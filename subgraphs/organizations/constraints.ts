/** Violated constraints of the organizations area that are the caller's to mend. */
import type { Constraints } from '../../platform/database/constraint.ts';

export const organizationConstraints: Constraints = {
  membership_one_permanent: {
    code: 'conflict',
    detail: 'The athlete already has a permanent membership in this sport at that time. End or transfer it first.',
  },
  membership_one_proposal: { code: 'conflict', detail: 'The same membership is proposed already, and waits for an answer.' },
  membership_check: { code: 'validation_failed', detail: 'A membership cannot end before it starts.' },
  team_organization_id_fkey: { code: 'in_use', detail: 'Teams refer to this organization.' },
  membership_organization_id_fkey: { code: 'in_use', detail: 'Memberships refer to this organization.' },
  membership_team_id_fkey: { code: 'in_use', detail: 'Memberships refer to this team.' },
  organization_parent_organization_id_fkey: { code: 'in_use', detail: 'Another organization is part of this one.' },
};
