/**
 * Sheds load by priority: while the process is busy, callers of small pricing plans are rejected first, and those of large plans last.
 * The same idea as Envoy's overload manager (thresholds per action) and the criticality of requests in "Site Reliability Engineering",
 * chapter 21. The signal is the event loop delay, which each request waits at least once.
 */
import type { Logger } from 'pino';
import { Problem } from '../../schema/errors.ts';
import type { PricingPlan } from './pricing-plan.ts';

/** A class of callers, by the monthly quota of their plan: a plan or a contract with more requests has a higher priority. */
export interface PriorityClass {
  readonly name: string;
  /** The class has plans with fewer requests per month than this. */
  readonly belowPerMonth: number;
  /** Event loop delay above which the class is rejected. */
  readonly rejectedAboveMs: number;
  /** Sent as Retry-After: callers that are rejected first wait longest. */
  readonly retryAfterSeconds: number;
}

/** In the order of rejection. Above `overloadDelayMs` (wiring/public-server/public-server.ts) every request is rejected before its key is checked. */
export const priorityClasses: readonly PriorityClass[] = [
  { name: 'free', belowPerMonth: 100_000, rejectedAboveMs: 100, retryAfterSeconds: 10 },
  { name: 'starter', belowPerMonth: 1_000_000, rejectedAboveMs: 200, retryAfterSeconds: 5 },
  { name: 'pro', belowPerMonth: 10_000_000, rejectedAboveMs: 400, retryAfterSeconds: 3 },
  { name: 'enterprise', belowPerMonth: Infinity, rejectedAboveMs: 800, retryAfterSeconds: 2 },
];

/** A rejected class is admitted again when the delay falls below this share of its threshold, so that the state does not flap. */
const recoveryShare = 0.5;

export interface Shed {
  readonly problem: Problem;
  readonly retryAfterSeconds: number;
}

/** Returns the rejection of a caller with this plan, or null to admit it. */
export type Shedding = (plan: PricingPlan) => Shed | null;

/** `eventLoopDelayMs` returns the current delay in milliseconds. */
export function createShedding(eventLoopDelayMs: () => number, log: Pick<Logger, 'warn'>): Shedding {
  const rejected = new Set<PriorityClass>();

  function isRejected(priority: PriorityClass): boolean {
    const delayMs = eventLoopDelayMs();
    const before = rejected.has(priority);
    const now = delayMs > priority.rejectedAboveMs * (before ? recoveryShare : 1);
    if (now === before) return now;
    if (now) rejected.add(priority);
    else rejected.delete(priority);
    log.warn({ priority: priority.name, delayMs }, now ? 'overloaded: rejecting a priority' : 'admitting a priority again');
    return now;
  }

  return ({ code, perMonth }) => {
    const priority = priorityClasses.find(({ belowPerMonth }) => perMonth < belowPerMonth);
    if (priority === undefined || !isRejected(priority)) return null;
    const { retryAfterSeconds } = priority;
    const detail = `The server is busy and rejects requests of the "${code}" plan for now. Retry in ${retryAfterSeconds} s.`;
    return { problem: new Problem('overloaded', detail, { plan: code }), retryAfterSeconds };
  };
}
