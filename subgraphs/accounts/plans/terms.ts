/** The terms that apply to a key: its current plan, with the account's contract in place of the plan's numbers. */
import { Problem } from '../../../schema/errors.ts';
import type { PlanLimits } from '../generated/resolvers.ts';

/** Numbers that a contract can override; null: the plan's number applies. */
export interface Terms {
  readonly burstPerMinute: number | null;
  readonly perDay: number | null;
  readonly perMonth: number | null;
  readonly webhooks: number | null;
  readonly streams: number | null;
  readonly priceAmountMinor: number | null;
  readonly currency: string | null;
}

/** The numbers of a plan, all of which are set. */
export type PlanTerms = { readonly [Name in keyof Terms]: NonNullable<Terms[Name]> };

export interface PlanVersion {
  readonly planCode: string;
  readonly planVersion: number;
}

/** The plan of a key and its scheduled plan change, which may be due but not applied yet. */
export interface PlanAssignment extends PlanVersion {
  readonly nextPlanCode: string | null;
  readonly nextPlanVersion: number | null;
  readonly nextPlanAt: string | null;
}

/** Column values without a scheduled plan change. */
export const noPlanChange = { nextPlanCode: null, nextPlanVersion: null, nextPlanAt: null } as const;

export interface ScheduledPlanChange extends PlanVersion {
  readonly at: string;
}

/** The scheduled plan change of a key; null if there is none. */
export function scheduledPlanChange({ nextPlanCode, nextPlanVersion, nextPlanAt }: PlanAssignment): ScheduledPlanChange | null {
  if (nextPlanCode === null || nextPlanVersion === null || nextPlanAt === null) return null;
  return { planCode: nextPlanCode, planVersion: nextPlanVersion, at: nextPlanAt };
}

/** The plan that applies now, as routers apply it, and the plan change that is still scheduled. */
export function planStateOf(key: PlanAssignment): {
  readonly current: PlanVersion;
  readonly scheduled: ScheduledPlanChange | null;
} {
  const change = scheduledPlanChange(key);
  const isDue = change !== null && Date.parse(change.at) <= Date.now();
  return isDue ? { current: change, scheduled: null } : { current: key, scheduled: change };
}

/** The limits of an account's keys on a plan. */
export function limitsOf(plan: PlanTerms, contract: Terms | null | undefined): PlanLimits {
  return {
    burstPerMinute: contract?.burstPerMinute ?? plan.burstPerMinute,
    perDay: contract?.perDay ?? plan.perDay,
    perMonth: contract?.perMonth ?? plan.perMonth,
  };
}

interface Priced {
  readonly terms: PlanTerms;
  readonly contract: Terms | null | undefined;
}

function priceOf({ terms, contract }: Priced): { readonly amountMinor: number; readonly currency: string } {
  if (contract && contract.priceAmountMinor !== null && contract.currency !== null)
    return { amountMinor: contract.priceAmountMinor, currency: contract.currency };
  return { amountMinor: terms.priceAmountMinor, currency: terms.currency };
}

/** Whether the target plan costs less than the current plan. Throws Problem conflict (409) if their currencies differ. */
export function costsLess(target: Priced, current: Priced): boolean {
  const [from, to] = [priceOf(current), priceOf(target)];
  if (from.currency !== to.currency) {
    const detail = `The prices are in ${from.currency} and ${to.currency} and cannot be compared. Set \`when\` to NOW or PERIOD_END.`;
    throw new Problem('conflict', detail);
  }
  return to.amountMinor < from.amountMinor;
}
