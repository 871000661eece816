/** What a relay knows about a consumer, and what follows from its failures. */
import { isTemporary, isTimeout } from './dead-letters.ts';
import { batchSize } from './outbox-reads.ts';

const retryMs = 1_000;
const retryMaxMs = 60_000;
/** Attempts of a whole batch before its resources are applied one by one. */
const attemptsMax = 3;
/** Attempts of a single event that times out: about ten minutes, so that an outage of a dependency causes no dead letters. */
const timeoutsMax = 12;

/** What this process knows about a consumer. */
export interface Progress {
  /** The position in its inbox; null until it is read, and after another relay changed it. */
  position: number | null;
  hasDeadLetters: boolean;
  /** Consecutive failures, and those among them that another attempt does not cure. */
  failures: number;
  permanentFailures: number;
  /** Events of the next batch, and of the last one. After a timeout a batch is half as large. */
  size: number;
  read: number;
  /** Consecutive timeouts of a single event. */
  timeouts: number;
  /** Time of the next attempt. */
  untilMs: number;
}

export const newProgress = (): Progress => ({
  position: null,
  hasDeadLetters: false,
  failures: 0,
  permanentFailures: 0,
  size: batchSize,
  read: 0,
  timeouts: 0,
  untilMs: -Infinity,
});

/** Notes the failure of a consumer. Returns the wait until its next attempt. */
export function waitAfter(progress: Progress, error: unknown): number {
  progress.position = null;
  progress.failures += 1;
  if (!isTemporary(error)) progress.permanentFailures += 1;
  if (isTimeout(error)) {
    if (progress.read > 1) {
      progress.size = Math.floor(progress.read / 2);
      return retryMs;
    }
    progress.timeouts += 1;
  }
  return Math.min(retryMaxMs, retryMs * 2 ** (progress.failures - 1));
}

/** Notes that a batch was applied. */
export function noteSuccess(progress: Progress): void {
  progress.failures = 0;
  progress.permanentFailures = 0;
  progress.timeouts = 0;
  progress.size = Math.min(batchSize, 2 * progress.size);
}

/** Whether the next batch is applied resource by resource, and whether a resource that times out becomes a dead letter. */
export function modeOf({ permanentFailures, timeouts }: Progress): { readonly isSeparate: boolean; readonly timesOut: boolean } {
  const timesOut = timeouts >= timeoutsMax;
  return { isSeparate: timesOut || permanentFailures >= attemptsMax, timesOut };
}
