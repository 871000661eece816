/** Caches for up to a second that a subject's windows are exhausted, so that a flood of rejected requests never reaches the store. */
import { LRUCache } from 'lru-cache';
import type { Charge, Limits, Subject, Usage } from './store.ts';
import { exceededWindows, resetMs, sameLimits } from './windows.ts';

const lifeMs = 1000;

interface Denial {
  readonly limits: Limits;
  readonly usage: Usage;
  readonly sentAt: number;
  readonly until: number;
}

export interface Denials {
  /** Caches a state in which not even a request of cost 1 fits. `sentAt` is performance.now() when the store was called. */
  remember(subject: Subject, limits: Limits, usage: Usage, sentAt: number): void;
  /** The cached state, advanced to now, when it rejects this request; otherwise null. */
  find(subject: Subject, limits: Limits, charge: Charge, cost: number): Usage | null;
  forget(subject: Subject): void;
}

export function createDenials(): Denials {
  const denials = new LRUCache<Subject, Denial>({ max: 10_000 });
  return {
    remember(subject, limits, usage, sentAt) {
      const windows = exceededWindows(usage, limits, 'COUNTED', 1);
      if (windows.length === 0) return;
      // The store reads its clock after `sentAt`, so this reset is never later than the real one.
      const until = sentAt + Math.min(lifeMs, ...windows.map((window) => resetMs(window, usage)));
      denials.set(subject, { limits, usage, sentAt, until });
    },
    find(subject, limits, charge, cost) {
      const denial = denials.get(subject);
      if (denial === undefined) return null;
      const now = performance.now();
      // Other limits: the pricing plan has changed, and an upgrade applies at once.
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
