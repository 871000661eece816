/** Remembers for up to a second that a subject's windows are full, so that a flood of refused requests costs the store nothing. */
import { LRUCache } from 'lru-cache';
import type { Charge, Limits, Subject, Usage } from './store.ts';
import { resetMs, exceededWindows } from './windows.ts';

const lifeMs = 1000;

interface Denial {
  readonly limits: Limits;
  readonly usage: Usage;
  readonly sentAt: number;
  readonly until: number;
}

export interface Denials {
  /** Keeps a state in which not even a request of cost 1 fits. `sentAt`: when the store was asked (performance.now()). */
  remember(subject: Subject, limits: Limits, usage: Usage, sentAt: number): void;
  /** The remembered state, brought up to now, when it surely refuses this take; otherwise null. */
  find(subject: Subject, limits: Limits, charge: Charge, cost: number): Usage | null;
  forget(subject: Subject): void;
}

const sameLimits = (left: Limits, right: Limits): boolean =>
  left === right ||
  (left.burstPerMinute === right.burstPerMinute && left.perDay === right.perDay && left.perMonth === right.perMonth);

export function createDenials(): Denials {
  const denials = new LRUCache<Subject, Denial>({ max: 10_000 });
  return {
    remember(subject, limits, usage, sentAt) {
      const windows = exceededWindows(usage, limits, 'COUNTED', 1);
      if (windows.length === 0) return;
      // The store read its clock after it was asked, so a reset counted from the question is never later than the real one.
      const until = sentAt + Math.min(lifeMs, ...windows.map((window) => resetMs(window, usage)));
      denials.set(subject, { limits, usage, sentAt, until });
    },
    find(subject, limits, charge, cost) {
      const denial = denials.get(subject);
      if (denial === undefined) return null;
      const now = performance.now();
      // Other limits: the plan was changed, and an upgrade applies at once.
      if (now >= denial.until || !sameLimits(denial.limits, limits)) {
        denials.delete(subject);
        return null;
      }
      if (exceededWindows(denial.usage, limits, charge, cost).length === 0) return null;
      const elapsedMs = now - denial.sentAt;
      return {
        ...denial.usage,
        clockMs: denial.usage.clockMs + elapsedMs,
        burstWaitMs: Math.max(0, denial.usage.burstWaitMs - elapsedMs),
      };
    },
    forget: (subject) => void denials.delete(subject),
  };
}
