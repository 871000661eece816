/** Counts the decisions of admission. */
import { countQuota } from '../../platform/telemetry/metrics.ts';
import type { Admission } from './admission.ts';

export const countDecisions = (admission: Admission): Admission => ({
  ...admission,
  async admit(caller, request) {
    const outcome = await admission.admit(caller, request);
    const decision =
      outcome.kind === 'REJECTED' ? outcome.problem.code : outcome.quota?.usage.local === true ? 'local' : 'admitted';
    countQuota({ decision });
    return outcome;
  },
});
