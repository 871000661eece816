/** The rows of a plan, with descriptive ids. */
import type { Draft, Plan } from '../../examples/import/plan.ts';

const ids = { of: (kind: string, value: string) => `${kind} ${value}` };

/** Rows of one kind by external id, and those rejected as place and reasons. */
export function rowsOf(plan: Plan, kind: string) {
  const drafts = plan.steps.filter((step) => step.kind === kind).flatMap((step) => step.drafts);
  const rows = drafts.filter((draft): draft is Draft => 'members' in draft);
  return {
    byKey: Object.fromEntries(rows.map((row) => [row.externalId.value, row.members(ids)])),
    rejected: drafts.filter((draft) => 'reasons' in draft).map(({ place, reasons }) => [place, reasons]),
  };
}
