/** The quota windows of a pricing plan: when each ends, how long it is, and which of them reject a request. */
import type { Charge, Limits, Usage } from './store.ts';

export type WindowName = 'burst' | 'day' | 'month';

export const sameLimits = (left: Limits, right: Limits): boolean =>
  left === right ||
  (left.burstPerMinute === right.burstPerMinute && left.perDay === right.perDay && left.perMonth === right.perMonth);

const dayMs = 86_400_000;

/** First millisecond after the day YYYY-MM-DD (UTC). */
function dayEndsMs(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) + dayMs;
}

/** First millisecond after the month that starts at YYYY-MM-01 (UTC). */
function monthEndsMs(month: string): number {
  return Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 1);
}

/** The real length of the month in seconds: 28 to 31 days. */
export function monthSeconds(month: string): number {
  return (monthEndsMs(month) - Date.parse(`${month}T00:00:00Z`)) / 1000;
}

/** Milliseconds of the store's clock until the window admits requests again. */
export function resetMs(window: WindowName, usage: Usage): number {
  if (window === 'burst') return usage.burstWaitMs;
  return (window === 'day' ? dayEndsMs(usage.day) : monthEndsMs(usage.month)) - usage.clockMs;
}

/** The windows that reject a request in this state, shortest first. */
export function exceededWindows(usage: Usage, limits: Limits, charge: Charge, cost: number): WindowName[] {
  const windows: WindowName[] = [];
  if (charge !== 'MORE' && usage.burstLeft < 1) windows.push('burst');
  if (charge === 'COUNTED' || charge === 'MORE') {
    if (usage.dayUsed + cost > limits.perDay) windows.push('day');
    if (usage.monthUsed + cost > limits.perMonth) windows.push('month');
  }
  return windows;
}
