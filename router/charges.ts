/** How requests count against a quota, by the root field they ask for (api.md section 5 "What counts"). */
import type { AdmissionRequest } from './admission/admit.ts';

const charges: Readonly<Record<string, NonNullable<AdmissionRequest['charge']>>> = {
  me: 'BURST_ONLY',
  usage: 'BURST_ONLY',
  plans: 'COUNTED_NEVER_REFUSED',
  plan: 'COUNTED_NEVER_REFUSED',
};

/** Items of a batch that count as one request. */
const itemsPerUnit = 10;
/** Entities of an answer that count as one request. */
const entitiesPerUnit = 100;

/** The charge of a registered operation: `entities` from its estimate, items from its variables. */
export function chargeOf(rootField: string, entities: number, variables: Readonly<Record<string, unknown>>): AdmissionRequest {
  const charge = charges[rootField] ?? 'COUNTED';
  if (charge !== 'COUNTED') return { charge };
  const items = variables['items'];
  const batch = Array.isArray(items) ? Math.ceil(items.length / itemsPerUnit) : 1;
  return { charge, cost: Math.max(1, batch, Math.ceil(entities / entitiesPerUnit)) };
}
