/** Rate limit headers: RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers, structured fields of RFC 9651) and X-RateLimit-*. */
import type { Limits, Usage } from './store.ts';
import { monthSeconds, resetMs, type WindowName } from './windows.ts';

interface Window {
  readonly name: WindowName;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until the window resets, rounded up: after that wait the window never rejects again. */
  readonly resetSeconds: number;
}

/** Milliseconds as whole seconds for a header, rounded up, at least 1. */
export function headerSeconds(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1000));
}

function windowOf(name: WindowName, limit: number, remaining: number, usage: Usage): Window {
  return { name, limit, remaining: Math.max(0, remaining), resetSeconds: headerSeconds(resetMs(name, usage)) };
}

/**
 * The headers of a response, lower-case names. Times are seconds from now, also in X-RateLimit-Reset: no synchronized clocks needed.
 * X-RateLimit-* describe the day or the month, whichever has the smaller share left, or the burst when it rejected the request.
 */
export function rateHeaders(limits: Limits, usage: Usage, rejectedBy: readonly WindowName[] = []): Record<string, string> {
  const { burstPerMinute, perDay, perMonth } = limits;
  const day = windowOf('day', perDay, perDay - usage.dayUsed, usage);
  const month = windowOf('month', perMonth, perMonth - usage.monthUsed, usage);
  const calendar = [day, month];
  const reported = rejectedBy.includes('burst')
    ? [windowOf('burst', burstPerMinute, usage.burstLeft, usage), ...calendar]
    : calendar;
  const scarcest = reported.reduce((least, window) =>
    window.remaining / window.limit < least.remaining / least.limit ? window : least,
  );
  return {
    'ratelimit-policy': `"burst";q=${burstPerMinute};w=60, "day";q=${perDay};w=86400, "month";q=${perMonth};w=${monthSeconds(usage.month)}`,
    ratelimit: reported.map(({ name, remaining, resetSeconds }) => `"${name}";r=${remaining};t=${resetSeconds}`).join(', '),
    'x-ratelimit-limit': String(scarcest.limit),
    'x-ratelimit-remaining': String(scarcest.remaining),
    'x-ratelimit-reset': String(scarcest.resetSeconds),
  };
}
