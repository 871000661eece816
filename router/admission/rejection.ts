/** Rejections of admission: the problem and the headers that belong to it. */
import { errors, Problem } from '../../schema/errors.ts';
import { memberRefusal, memberScopes } from '../../schema/member-roles.ts';
import { roleRefusal } from '../../schema/roles.ts';
import { scopes, type Scope } from '../../schema/scopes.ts';
import type { Viewer } from '../../schema/viewer.ts';
import { headerSeconds, rateHeaders } from './quota/headers.ts';
import type { Charge } from './quota/store.ts';
import { resetMs, exceededWindows } from './quota/windows.ts';
import type { Outcome } from './settlement.ts';
import type { Acquisition } from './acquisitions.ts';

export interface Rejection {
  readonly kind: 'REJECTED';
  readonly problem: Problem;
  /** Lower-case names: WWW-Authenticate on 401, Retry-After and the rate limit headers where they apply. */
  readonly headers: Readonly<Record<string, string>>;
  /** True when the request carried a valid key. */
  readonly authenticated: boolean;
}

/** A request that admission rejected. */
export interface RejectedRequest extends Rejection {
  /** Call once with the status sent to the client; records the usage. */
  settle(outcome: Outcome): void;
}

/** A rejection; a 401 names the authentication scheme (RFC 9110 section 11.6.1). */
export function reject(problem: Problem, authenticated: boolean, headers: Readonly<Record<string, string>> = {}): Rejection {
  const challenge = errors[problem.code].status === 401 ? { 'www-authenticate': 'Bearer' } : {};
  return { kind: 'REJECTED', problem, authenticated, headers: { ...headers, ...challenge } };
}

/** `rate_limited` when only the burst is exhausted, otherwise `quota_exceeded` with the violated windows. Nothing is charged. */
export function rejectByQuota(
  { plan, usage, network }: Acquisition,
  charge: Charge,
  cost: number,
  authenticated: boolean,
): Rejection {
  const windows = exceededWindows(usage, plan, charge, cost);
  const waitMs = Math.max(0, ...windows.map((window) => resetMs(window, usage)));
  const retryAfter = headerSeconds(waitMs);
  const headers = { ...rateHeaders(plan, usage, windows), 'retry-after': String(retryAfter) };
  const resetAt = new Date(Math.round(usage.clockMs + waitMs)).toISOString();
  const shared = { 'violated-policies': windows, plan: plan.code, resetAt, ...(network !== null && { network }) };
  const limited = network === null ? `The "${plan.code}" plan allows` : `All addresses of the network ${network} together have`;
  const month = windows.includes('month');
  if (!month && !windows.includes('day')) {
    const detail = `${limited} ${plan.burstPerMinute} requests per minute. Retry in ${retryAfter} s.`;
    return reject(
      new Problem('rate_limited', detail, { ...shared, limit: plan.burstPerMinute, used: plan.burstPerMinute }),
      authenticated,
      headers,
    );
  }
  const limit = month ? plan.perMonth : plan.perDay;
  const used = month ? usage.monthUsed : usage.dayUsed;
  const rest = used < limit ? ` This request costs ${cost}, and ${limit - used} are left.` : '';
  const detail = `${limited} ${limit} requests per ${month ? 'month' : 'day'}.${rest} The quota resets at ${resetAt}.`;
  return reject(new Problem('quota_exceeded', detail, { ...shared, limit, used }), authenticated, headers);
}

/** Whether a viewer may write. NOT_IN_PLAN: the pricing plan has no write access. UNAVAILABLE: the quota store is down. */
export type WriteAccess = 'ALLOWED' | 'NOT_IN_PLAN' | 'UNAVAILABLE';

/** The access that an operation requires, as the SDL declares it (@authenticated, @requiresScopes). */
export interface AccessRequirement {
  readonly key: boolean;
  readonly scopes: readonly Scope[];
  /** Other sufficient sets; error messages name `scopes`. */
  readonly alternatives?: readonly (readonly Scope[])[];
}

/** Whether the role of a member has the scopes; true for other viewers. */
const hasRoleFor = ({ member }: Viewer, lacking: readonly Scope[]): boolean =>
  member === undefined || lacking.every((scope) => memberScopes(member.role, true).includes(scope));

/** The access that the viewer lacks, or null: api_key_missing, then write_not_in_plan, then insufficient_scope. */
export function missingAccess(required: AccessRequirement, viewer: Viewer, planWrites: boolean): Problem | null {
  const has = (scope: Scope): boolean => viewer.scopes.includes(scope);
  const other = required.alternatives?.some((set) => set.every(has)) === true;
  const lacking = other ? [] : required.scopes.filter((scope) => !has(scope));
  if (viewer.kind === 'ANONYMOUS') {
    return required.key || lacking.length > 0
      ? new Problem('api_key_missing', 'This operation requires an API key. Send it in the x-api-key header.')
      : null;
  }
  if (lacking.length === 0) return null;
  const isWrite = lacking.some((scope) => scopes[scope].write);
  // a member whose role lacks the scope needs another role, not another plan
  if (!planWrites && isWrite && hasRoleFor(viewer, lacking)) {
    return new Problem('write_not_in_plan', `The "${viewer.plan}" plan has no write access.`);
  }
  return new Problem('insufficient_scope', refusalOf(viewer, lacking), { requiredScopes: required.scopes });
}

function refusalOf({ kind, administrator, member }: Viewer, lacking: readonly Scope[]): string {
  if (kind === 'ADMINISTRATOR') return roleRefusal(administrator?.role, lacking);
  if (kind === 'MEMBER') return memberRefusal(member?.role, lacking);
  return `The API key lacks the scope${lacking.length === 1 ? '' : 's'} ${lacking.map((scope) => `\`${scope}\``).join(', ')}.`;
}
