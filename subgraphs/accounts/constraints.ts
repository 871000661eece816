/** Constraint violations of the accounts area that the caller can fix. */
import type { Constraints } from '../../platform/database/constraint.ts';

export const accountConstraints: Constraints = {
  plan_pkey: { code: 'conflict', detail: 'A plan with this code already exists. Change it instead.' },
  plan_active: { code: 'conflict', detail: 'A plan with this code already exists. Change it instead.' },
  registered_document_once: { code: 'conflict', detail: 'Another request registered this document at the same time.' },
  report_once: { code: 'conflict', detail: 'Your account already has an open report about this resource.' },
  administrator_email: { code: 'conflict', detail: 'An administrator with this email address already exists or is invited.' },
  administrator_oidc: { code: 'conflict', detail: 'This identity is bound to another administrator.' },
};
