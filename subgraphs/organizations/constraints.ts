/** Error responses for violated constraints that a caller can resolve. */
import type { Constraints } from '../../platform/database/constraint.ts';

export const organizationConstraints = {
  membership_one_permanent: {
    code: 'conflict',
    detail: 'The athlete already has a permanent membership in this sport at that time. End or transfer it first.',
  },
  membership_one_proposal: { code: 'conflict', detail: 'The same membership has already been proposed and awaits a response.' },
  membership_check: { code: 'validation_failed', detail: 'A membership cannot end before it starts.' },
  transfer_one: { code: 'conflict', detail: 'This transfer of the athlete already exists, or awaits a response.' },
  transfer_from_organization_id_fkey: { code: 'in_use', detail: 'This organization has transfers.' },
  transfer_to_organization_id_fkey: { code: 'in_use', detail: 'This organization has transfers.' },
  transfer_from_team_id_fkey: { code: 'in_use', detail: 'This team has transfers.' },
  transfer_to_team_id_fkey: { code: 'in_use', detail: 'This team has transfers.' },
  team_organization_id_fkey: { code: 'in_use', detail: 'This organization has teams.' },
  membership_organization_id_fkey: { code: 'in_use', detail: 'This organization has memberships.' },
  membership_team_id_fkey: { code: 'in_use', detail: 'This team has memberships.' },
  organization_parent_organization_id_fkey: { code: 'in_use', detail: 'This organization is the parent of another one.' },
} as const satisfies Constraints;
