/** When a failed attempt is repeated. */

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Pauses after the first, second, … failed attempt: about three days together. */
export const retryDelaysMs = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const;

const jitter = 0.1;
const retryAfterMaxMs = 24 * hour;

/** The pause of a `Retry-After` header, in seconds or as a date (RFC 9110 section 10.2.3), at most 24 h; 0 for an invalid one. */
export function retryAfterMs(retryAfter: string | null, now = Date.now()): number {
  if (retryAfter === null) return 0;
  const text = retryAfter.trim();
  const pauseMs = /^\d+$/.test(text) ? Number(text) * second : Date.parse(text) - now;
  return Number.isFinite(pauseMs) ? Math.min(Math.max(0, pauseMs), retryAfterMaxMs) : 0;
}

/**
 * The pause before the next attempt in milliseconds; null after the last one. A later time of `Retry-After` applies instead.
 * @param attempts failed attempts, at least one
 */
export function retryDelayMs(
  attempts: number,
  retryAfter: string | null,
  now = Date.now(),
  random = Math.random(),
): number | null {
  const delayMs = retryDelaysMs[attempts - 1];
  if (delayMs === undefined) return null;
  return Math.round(Math.max(delayMs * (1 + jitter * (2 * random - 1)), retryAfterMs(retryAfter, now)));
}
