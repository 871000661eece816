/** Pauses before a sandbox opens again: after a failure, where each further failure of an account doubles the pause, and after an opening. */
import { LRUCache } from 'lru-cache';
import { Problem } from '../../schema/errors.ts';

const pauseMinMs = 1_000;
const pauseMaxMs = 30_000;

interface Failure {
  /** Openings that failed one after the other. */
  readonly count: number;
  readonly untilMs: number;
}

export interface OpeningPauses {
  /** Throws Problem upstream_unavailable (503, `retryAfterSeconds`) during the pause of an account. */
  requireNone(accountId: string): void;
  failed(accountId: string): void;
  succeeded(accountId: string): void;
}

export function createOpeningPauses(clock: () => number = () => performance.now()): OpeningPauses {
  const failures = new LRUCache<string, Failure>({ max: 10_000 });
  return {
    requireNone(accountId) {
      const leftMs = (failures.get(accountId)?.untilMs ?? 0) - clock();
      if (leftMs <= 0) return;
      const retryAfterSeconds = Math.ceil(leftMs / 1_000);
      throw new Problem('upstream_unavailable', `The test data is unavailable. Retry in ${retryAfterSeconds} s.`, {
        retryAfterSeconds,
      });
    },
    failed(accountId) {
      const count = (failures.get(accountId)?.count ?? 0) + 1;
      failures.set(accountId, { count, untilMs: clock() + Math.min(pauseMinMs * 2 ** (count - 1), pauseMaxMs) });
    },
    succeeded: (accountId) => void failures.delete(accountId),
  };
}

/** Why test data cannot be deleted yet: an opening takes about a second of CPU time. */
export function openedRecently(openedMs: number, reopenMs: number): Problem {
  const waitSeconds = Math.max(1, Math.ceil((openedMs + reopenMs - performance.now()) / 1_000));
  const pauseSeconds = Math.ceil(reopenMs / 1_000);
  const detail = `The test data was created or opened less than ${pauseSeconds} s ago. Retry in ${waitSeconds} s.`;
  return new Problem('conflict', detail);
}
