/** Violated constraints of the accounts area that are the caller's to mend. */
import type { Constraints } from '../../platform/database/constraint.ts';

export const accountConstraints: Constraints = {
  plan_pkey: { code: 'conflict', detail: 'There is a plan with this code. Change it instead.' },
  plan_active: { code: 'conflict', detail: 'There is a plan with this code. Change it instead.' },
  report_once: { code: 'conflict', detail: 'Your account reported this already, and moderators have not decided yet.' },
  administrator_email: { code: 'conflict', detail: 'Somebody with this address administers already, or is invited.' },
  administrator_oidc: { code: 'conflict', detail: 'This identity belongs to another administrator.' },
};
