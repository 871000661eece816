/** When a failed meter event is sent again. */
import { retryAfterMs } from '../webhooks/retry-schedule.ts';

const firstMs = 2_000;
const longestMs = 3_600_000;
const jitter = 0.1;

/**
 * The pause in milliseconds: 2 s, doubled with every failure up to an hour. A later time of `Retry-After` applies instead.
 * @param failures failed attempts, at least one
 */
export function retryPauseMs(failures: number, retryAfter: string | null, random = Math.random()): number {
  const pauseMs = Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 20));
  return Math.round(Math.max(pauseMs * (1 + jitter * (2 * random - 1)), retryAfterMs(retryAfter)));
}
