/** Rules about plans that need no database. */
import { Problem, type Violation } from '../../../schema/errors.ts';
import { isScope, scopes as scopeTable } from '../../../schema/scopes.ts';

/** The violation of a plan code that does not exist. */
export const unknownPlanViolation = (code: string): Violation => ({
  pointer: '/plan',
  code: 'unknown_plan',
  detail: `There is no plan with the code "${code}".`,
});

/** The violation of a retention that the request log does not have; null without one. */
export const requestLogViolation = (days: number | null | undefined): Violation | null =>
  days === null || days === undefined || days === 7 || days === 30
    ? null
    : { pointer: '/requestLogDays', code: 'out_of_range', detail: '`requestLogDays` must be 7 or 30.' };

/** Throws Problem write_not_in_plan (403) if a scope requires write access that the plan does not include (docs/api-conventions.md). */
export function requireScopesInPlan(scopes: readonly string[], plan: { readonly code: string; readonly writes: boolean }): void {
  const writeScopes = plan.writes ? [] : scopes.filter((scope) => isScope(scope) && scopeTable[scope].write);
  if (writeScopes.length === 0) return;
  throw new Problem(
    'write_not_in_plan',
    `The plan "${plan.code}" does not include write access, so its keys cannot have the scopes ${writeScopes.join(', ')}.`,
  );
}
