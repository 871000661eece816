/** Constraint violations of the accounts area that the caller can fix. */
import type { Constraints } from '../../platform/database/constraint.ts';

/** The detail for an email address that has a user. */
export const userExists = 'A user with this email address already exists.';

export const accountConstraints: Constraints = {
  plan_pkey: { code: 'conflict', detail: 'A plan with this code already exists. Change it instead.' },
  plan_active: { code: 'conflict', detail: 'A plan with this code already exists. Change it instead.' },
  registered_document_once: { code: 'conflict', detail: 'Another request registered this document at the same time.' },
  report_once: { code: 'conflict', detail: 'Your account already has an open report about this resource.' },
  administrator_email: { code: 'conflict', detail: 'An administrator with this email address already exists or is invited.' },
  administrator_oidc: { code: 'conflict', detail: 'This identity is bound to another administrator.' },
  portal_user_email: { code: 'conflict', detail: userExists },
  portal_user_oidc: { code: 'conflict', detail: 'This identity is bound to another user.' },
  passkey_credential: { code: 'conflict', detail: 'This passkey is already registered.' },
  account_member_once: { code: 'conflict', detail: 'This user is already a member of the account.' },
  account_invitation_open: { code: 'conflict', detail: 'Another request invited this email address at the same time.' },
  plan_request_once: { code: 'conflict', detail: 'The account already has an open request for another plan.' },
  verification_request_once: { code: 'conflict', detail: 'There is already an open verification request for this organization.' },
};
