/** How requests count against a quota, by the root field they ask for (api.md section 5 "What counts"). */
import type { AdmissionRequest } from './admission/admit.ts';

const charges: Readonly<Record<string, NonNullable<AdmissionRequest['charge']>>> = {
  me: 'BURST_ONLY',
  usage: 'BURST_ONLY',
  usageStatements: 'BURST_ONLY',
  usageStatement: 'BURST_ONLY',
  plans: 'COUNTED_NEVER_REFUSED',
  plan: 'COUNTED_NEVER_REFUSED',
};

/** The charge of a registered operation that costs so many units. */
export function chargeOf(rootField: string, cost: number): AdmissionRequest {
  const charge = charges[rootField] ?? 'COUNTED';
  return charge === 'COUNTED' ? { charge, cost } : { charge };
}
