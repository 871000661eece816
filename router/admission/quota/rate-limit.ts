/** The value of the root field `rateLimit`: the cost of an operation, and the quota after it was charged. */
import type { Limits, Usage } from './store.ts';
import { resetMs, type WindowName } from './windows.ts';

export interface RateLimitWindow {
  readonly limit: number;
  readonly used: number;
  readonly remaining: number;
  /** RFC 3339. */
  readonly resetAt: string;
}

/** A value of the type `RateLimit` (schema/router-fields.ts). */
export interface RateLimit extends RateLimitWindow {
  readonly cost: number;
  readonly points: number;
  readonly plan: string;
  readonly burst: RateLimitWindow;
  readonly day: RateLimitWindow;
  readonly month: RateLimitWindow;
}

/** The quota of a caller as of the last charge of a request. */
export interface QuotaState {
  readonly plan: Limits & { readonly code: string };
  readonly usage: Usage;
  /** Units that the request was charged. */
  readonly units: number;
}

function windowOf(name: WindowName, limit: number, left: number, usage: Usage): RateLimitWindow {
  const remaining = Math.max(0, left);
  const resetAt = new Date(Math.ceil(usage.clockMs + resetMs(name, usage))).toISOString();
  return { limit, used: limit - remaining, remaining, resetAt };
}

export function rateLimitOf({ plan, usage, units }: QuotaState, points: number): RateLimit {
  const day = windowOf('day', plan.perDay, plan.perDay - usage.dayUsed, usage);
  const month = windowOf('month', plan.perMonth, plan.perMonth - usage.monthUsed, usage);
  const scarcest = day.remaining / day.limit <= month.remaining / month.limit ? day : month;
  const burst = windowOf('burst', plan.burstPerMinute, usage.burstLeft, usage);
  return { ...scarcest, cost: units, points, plan: plan.code, burst, day, month };
}
