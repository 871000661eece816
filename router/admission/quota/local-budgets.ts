/** Local budgets: what one router admits of each subject and UTC day by itself, while the quota store is away. */
import { isLineage } from './subject.ts';
import type { Charge, Limits, Subject, AcquireResult } from './store.ts';

interface Spent {
  units: number;
  /** When the burst will be full again, in milliseconds since 1970. */
  burstFullAt: number;
}

const minuteMs = 60_000;
/** Subjects of one day; an address that comes after them is refused, or a flood of addresses would fill the memory. Keys are as many as were issued. */
const subjectsMax = 100_000;

/** A hundredth of the day, at least 1. */
export const budgetOf = ({ perDay }: Limits): number => Math.max(1, Math.floor(perDay / 100));

export interface LocalBudgets {
  /**
   * As QuotaStore.take, by this process's memory; `usage` shows the budget as what is left of day and month.
   * Null when the budget is used up, or there are too many addresses.
   */
  acquire(subject: Subject, limits: Limits, charge: Charge, cost: number, clockMs: number): AcquireResult | null;
  /** Gives units back to a budget of today. */
  release(subject: Subject, units: number): void;
}

export function createLocalBudgets(): LocalBudgets {
  const spending = new Map<Subject, Spent>();
  let spentOn = '';

  function spentBy(subject: Subject, day: string): Spent | null {
    if (day !== spentOn) {
      spending.clear();
      spentOn = day;
    }
    let spent = spending.get(subject);
    if (spent !== undefined) return spent;
    if (spending.size >= subjectsMax && !isLineage(subject)) return null;
    spending.set(subject, (spent = { units: 0, burstFullAt: 0 }));
    return spent;
  }

  return {
    acquire(subject, limits, charge, cost, clockMs) {
      const day = new Date(clockMs).toISOString().slice(0, 10);
      const spent = spentBy(subject, day);
      const units = charge === 'BURST_ONLY' ? 0 : cost;
      const budget = budgetOf(limits);
      const refusable = charge === 'COUNTED' || charge === 'MORE';
      if (spent === null || (refusable && spent.units + units > budget)) return null;
      const perRequestMs = minuteMs / limits.burstPerMinute;
      let backlogMs = Math.max(0, spent.burstFullAt - clockMs);
      // a little more, so that what is computed does not fall short by what floating point loses
      let burstLeft = Math.floor((minuteMs - backlogMs) / perRequestMs + 1e-6);
      const acquired = charge === 'MORE' || burstLeft >= 1;
      if (acquired) {
        spent.units += units;
        if (charge !== 'MORE') {
          backlogMs += perRequestMs;
          burstLeft -= 1;
          spent.burstFullAt = clockMs + backlogMs;
        }
      }
      const left = Math.max(0, budget - spent.units);
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
      const spent = spending.get(subject);
      if (spent) spent.units = Math.max(0, spent.units - units);
    },
  };
}
