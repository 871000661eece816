/** What counts for a key: the plan it holds in this moment, and the numbers of its account's contract in place of the plan's. */
import { Problem } from '../../../schema/errors.ts';
import type { PlanLimits } from '../resolvers.generated.ts';

/** Numbers that a contract may override; null: the plan's. */
export interface Terms {
  readonly burstPerMinute: number | null;
  readonly perDay: number | null;
  readonly perMonth: number | null;
  readonly webhooks: number | null;
  readonly streams: number | null;
  readonly priceAmountMinor: number | null;
  readonly currency: string | null;
}

/** The numbers of a plan: none is missing. */
export type PlanTerms = { readonly [Name in keyof Terms]: NonNullable<Terms[Name]> };

export interface HeldPlan {
  readonly planCode: string;
  readonly planVersion: number;
}

/** A key with the move that is to come, or has come and is not written down yet. */
export interface Movable extends HeldPlan {
  readonly nextPlanCode: string | null;
  readonly nextPlanVersion: number | null;
  readonly nextPlanAt: string | null;
}

/** No move is to come. */
export const noMove = { nextPlanCode: null, nextPlanVersion: null, nextPlanAt: null } as const;

/** The move that a key is to make, as the plan it then holds and the moment; null: none. */
export function moveOf({ nextPlanCode, nextPlanVersion, nextPlanAt }: Movable): (HeldPlan & { readonly at: string }) | null {
  if (nextPlanCode === null || nextPlanVersion === null || nextPlanAt === null) return null;
  return { planCode: nextPlanCode, planVersion: nextPlanVersion, at: nextPlanAt };
}

/** What a key shows: the plan that counts now, as routers see it, and the move that is still to come. */
export function standing(key: Movable): { readonly held: HeldPlan; readonly next: ReturnType<typeof moveOf> } {
  const next = moveOf(key);
  const made = next !== null && Date.parse(next.at) <= Date.now();
  return made ? { held: next, next: null } : { held: key, next };
}

/** The limits that count for an account on a plan. */
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

/** Whether the price of what one has is above that of what one moves to. Throws Problem conflict (409) where prices cannot be compared. */
export function costsLess(target: Priced, held: Priced): boolean {
  const [now, then] = [priceOf(held), priceOf(target)];
  if (now.currency !== then.currency)
    throw new Problem('conflict', `The prices are in ${now.currency} and ${then.currency}: say NOW or PERIOD_END.`);
  return then.amountMinor < now.amountMinor;
}
