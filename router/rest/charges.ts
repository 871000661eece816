/** How requests count against a quota, by root field (docs/api-conventions.md). */
import type { AdmissionRequest } from '../admission/admission.ts';

const charges: Readonly<Record<string, NonNullable<AdmissionRequest['charge']>>> = {
  me: 'BURST_ONLY',
  usage: 'BURST_ONLY',
  usageStatements: 'BURST_ONLY',
  usageStatement: 'BURST_ONLY',
  platformStatus: 'BURST_ONLY',
  incidents: 'BURST_ONLY',
  incident: 'BURST_ONLY',
  plans: 'COUNTED_NEVER_REJECTED',
  plan: 'COUNTED_NEVER_REJECTED',
};

/** The charge of a registered operation with a cost in units. */
export function chargeOf(rootField: string, cost: number): AdmissionRequest {
  const charge = charges[rootField] ?? 'COUNTED';
  return charge === 'COUNTED' ? { charge, cost } : { charge };
}
