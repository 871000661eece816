/** Local budgets: what one router admits per subject and UTC day while the quota store is down. */
import { isLineage } from './subject.ts';
import type { Charge, Limits, Subject, AcquireResult } from './store.ts';

interface Spending {
  units: number;
  /** Time at which the burst is full again, in milliseconds since 1970. */
  burstFullAt: number;
}

const minuteMs = 60_000;
/** Addresses tracked per day; further ones are rejected, to bound the memory. Keys are bounded by their number. */
const subjectsMax = 100_000;

/** 1 % of the day's limit, at least 1. */
const budgetOf = ({ perDay }: Limits): number => Math.max(1, Math.floor(perDay / 100));

export interface LocalBudgets {
  /**
   * Like QuotaStore.acquire, from process memory; `usage` reports the budget as what is left of day and month.
   * Null when the budget is exhausted, or too many addresses are tracked.
   */
  acquire(subject: Subject, limits: Limits, charge: Charge, cost: number, clockMs: number): AcquireResult | null;
  /** Returns units to today's budget. */
  release(subject: Subject, units: number): void;
}

export function createLocalBudgets(): LocalBudgets {
  const spendings = new Map<Subject, Spending>();
  let spendingDay = '';

  function spendingOf(subject: Subject, day: string): Spending | null {
    if (day !== spendingDay) {
      spendings.clear();
      spendingDay = day;
    }
    let spending = spendings.get(subject);
    if (spending !== undefined) return spending;
    if (spendings.size >= subjectsMax && !isLineage(subject)) return null;
    spendings.set(subject, (spending = { units: 0, burstFullAt: 0 }));
    return spending;
  }

  return {
    acquire(subject, limits, charge, cost, clockMs) {
      const day = new Date(clockMs).toISOString().slice(0, 10);
      const spending = spendingOf(subject, day);
      const units = charge === 'BURST_ONLY' ? 0 : cost;
      const budget = budgetOf(limits);
      const limited = charge === 'COUNTED' || charge === 'MORE';
      if (spending === null || (limited && spending.units + units > budget)) return null;
      const perRequestMs = minuteMs / limits.burstPerMinute;
      let backlogMs = Math.max(0, spending.burstFullAt - clockMs);
      // the epsilon absorbs floating-point loss
      let burstLeft = Math.floor((minuteMs - backlogMs) / perRequestMs + 1e-6);
      const acquired = charge === 'MORE' || burstLeft >= 1;
      if (acquired) {
        spending.units += units;
        if (charge !== 'MORE') {
          backlogMs += perRequestMs;
          burstLeft -= 1;
          spending.burstFullAt = clockMs + backlogMs;
        }
      }
      const left = Math.max(0, budget - spending.units);
      const burstWaitMs = burstLeft >= 1 ? 0 : backlogMs - minuteMs + perRequestMs;
      return {
        acquired,
        usage: {
          day,
          dayUsed: Math.max(0, limits.perDay - left),
          month: `${day.slice(0, 7)}-01`,
          monthUsed: Math.max(0, limits.perMonth - left),
          burstLeft,
          burstWaitMs,
          clockMs,
          local: true,
        },
      };
    },
    release(subject, units) {
      const spending = spendings.get(subject);
      if (spending) spending.units = Math.max(0, spending.units - units);
    },
  };
}
