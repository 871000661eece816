/** Refusals of admission: the problem and the headers that go with it. */
import { errors, Problem } from '../../schema/errors.ts';
import { roleRefusal } from '../../schema/roles.ts';
import { scopes, type Scope } from '../../schema/scopes.ts';
import type { Viewer } from '../../schema/viewer.ts';
import { headerSeconds, rateHeaders } from './quota/headers.ts';
import type { Charge } from './quota/store.ts';
import { resetMs, violated } from './quota/windows.ts';
import type { Outcome } from './settlement.ts';
import type { Take } from './takes.ts';

export interface Refusal {
  readonly kind: 'REFUSED';
  readonly problem: Problem;
  /** Lower-case names: WWW-Authenticate on 401, Retry-After and the rate limit headers where they apply. */
  readonly headers: Readonly<Record<string, string>>;
  /** True when a valid key was presented. */
  readonly keyed: boolean;
}

/** A request that admission refused. */
export interface Refused extends Refusal {
  /** To be called once with what the client was told: it is recorded. */
  settle(outcome: Outcome): void;
}

/** A refusal; a 401 says how to authenticate (RFC 9110 section 11.6.1). */
export function refuse(problem: Problem, keyed: boolean, headers: Readonly<Record<string, string>> = {}): Refusal {
  const challenge = errors[problem.code].status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  return { kind: 'REFUSED', problem, keyed, headers: { ...headers, ...challenge } };
}

/** Refusal by a window: `rate_limited` when only the burst is spent, otherwise `quota_exceeded` with what was violated. Not charged. */
export function refuseByWindow({ plan, usage, network }: Take, charge: Charge, cost: number, keyed: boolean): Refusal {
  const windows = violated(usage, plan, charge, cost);
  const waitMs = Math.max(0, ...windows.map((window) => resetMs(window, usage)));
  const retryAfter = headerSeconds(waitMs);
  const headers = { ...rateHeaders(plan, usage, windows), 'retry-after': String(retryAfter) };
  const resetAt = new Date(Math.round(usage.clockMs + waitMs)).toISOString();
  const shared = { 'violated-policies': windows, plan: plan.code, resetAt, ...(network !== null && { network }) };
  const who =
    network === null ? `The plan "${plan.code}" allows` : `All addresses of the network ${network} together are allowed`;
  const month = windows.includes('month');
  if (!month && !windows.includes('day')) {
    const detail = `${who} ${plan.burstPerMinute} requests per minute. Retry in ${retryAfter} s.`;
    return refuse(
      new Problem('rate_limited', detail, { ...shared, limit: plan.burstPerMinute, used: plan.burstPerMinute }),
      keyed,
      headers,
    );
  }
  const limit = month ? plan.perMonth : plan.perDay;
  const used = month ? usage.monthUsed : usage.dayUsed;
  const rest = used < limit ? `; this request costs ${cost} and ${limit - used} are left` : '';
  const detail = `${who} ${limit} requests per ${month ? 'month' : 'day'}${rest}. The quota resets at ${resetAt}.`;
  return refuse(new Problem('quota_exceeded', detail, { ...shared, limit, used }), keyed, headers);
}

/** Whether a viewer may write: NOT_IN_PLAN, his plan has no write access; AWAY, nobody may while the counters are away. */
export type Writes = 'ALLOWED' | 'NOT_IN_PLAN' | 'AWAY';

/** What an operation needs of its caller, as the SDL declares it (@authenticated, @requiresScopes). */
export interface Requirement {
  readonly key: boolean;
  readonly scopes: readonly Scope[];
  /** Other sets that would do as well; `scopes` is the one that is asked for. */
  readonly alternatives?: readonly (readonly Scope[])[];
}

/** Why the viewer may not, or null when he may: api_key_missing, then write_not_in_plan, then insufficient_scope. */
export function missing(required: Requirement, viewer: Viewer, planWrites: boolean): Problem | null {
  const has = (scope: Scope): boolean => viewer.scopes.includes(scope);
  const other = required.alternatives?.some((set) => set.every(has)) === true;
  const lacking = other ? [] : required.scopes.filter((scope) => !has(scope));
  if (viewer.kind === 'ANONYMOUS') {
    return required.key || lacking.length > 0 ? new Problem('api_key_missing', 'This operation needs an API key.') : null;
  }
  if (lacking.length === 0) return null;
  if (!planWrites && lacking.some((scope) => scopes[scope].write)) {
    return new Problem('write_not_in_plan', `The plan "${viewer.plan}" has no write access.`);
  }
  const detail =
    viewer.kind === 'ADMINISTRATOR'
      ? roleRefusal(viewer.administrator?.role, lacking)
      : `The API key lacks the scope ${lacking.join(', ')}.`;
  return new Problem('insufficient_scope', detail, { requiredScopes: required.scopes });
}
