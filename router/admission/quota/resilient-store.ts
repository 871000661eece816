/**
 * A quota store that always answers. While the store is down, it admits requests from a budget of this router: 1 % of the day per
 * subject, with the usual burst. The units become debts, posted once the store is up again. Servers of a store fail independently.
 */
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { Problem } from '../../../schema/errors.ts';
import { withinStoreDeadline } from './batches.ts';
import { createDebtLedger } from './debt-ledger.ts';
import { createLocalBudgets } from './local-budgets.ts';
import {
  QuotaStoreError,
  type AcquireResult,
  type Charge,
  type Debt,
  type Limits,
  type QuotaStore,
  type Subject,
} from './store.ts';

/** Results that a local budget granted carry `usage.local`. */
export interface ResilientStore extends QuotaStore {
  /**
   * Like QuotaStore.acquire, but never rejects with QuotaStoreError.
   * @throws Problem rate_limited when the local budget is exhausted.
   */
  acquire: QuotaStore['acquire'];
  /** True while the subject's server is down, or could not read the subject a moment ago: writes are rejected. */
  isUnavailable(subject: Subject): boolean;
  /** Requests admitted from local budgets since the start. */
  degraded(): number;
}

const retryMs = 1000;
/** Debts per statement. */
const postedMax = 500;

/** @param log receives `quota_degraded` at most once a second, with the requests admitted and rejected since the last entry. */
export function createResilientStore(store: QuotaStore, log: Pick<Logger, 'error'>): ResilientStore {
  /** Servers that are down, each with a subject to probe it. */
  const outages = new Map<string, Subject>();
  /** Subjects that a running server could not read. */
  const unreadable = new LRUCache<Subject, true>({ max: 10_000, ttl: retryMs });
  const ledger = createDebtLedger();
  const budgets = createLocalBudgets();
  let admitted = 0;
  let unlogged = { admitted: 0, rejected: 0 };
  let loggedAt = -Infinity;
  let timer: NodeJS.Timeout | null = null;
  let recovering: Promise<void> = Promise.resolve();

  function logDegraded(): void {
    if (performance.now() - loggedAt < retryMs || unlogged.admitted + unlogged.rejected === 0) return;
    log.error(unlogged, 'quota_degraded');
    loggedAt = performance.now();
    unlogged = { admitted: 0, rejected: 0 };
  }

  function acquireLocally(subject: Subject, limits: Limits, charge: Charge, cost: number): AcquireResult {
    scheduleRecovery();
    const result = budgets.acquire(subject, limits, charge, cost, store.clockMs());
    unlogged[result?.acquired === true ? 'admitted' : 'rejected'] += 1;
    logDegraded();
    if (result === null)
      throw new Problem(
        'rate_limited',
        'Request quotas are temporarily unavailable, and the reduced limit for this time is exhausted. Retry shortly.',
      );
    if (result.acquired) {
      admitted += 1;
      const { day, month } = result.usage;
      if (charge !== 'BURST_ONLY') ledger.add(store.serverOf(subject), { subject, day, month, units: cost });
    }
    return result;
  }

  /** A debt of no units: posting it shows whether the server is up again. */
  function probe(subject: Subject): Debt {
    const day = new Date(store.clockMs()).toISOString().slice(0, 10);
    return { id: randomUUID(), subject, day, month: `${day.slice(0, 7)}-01`, units: 0 };
  }

  /** Posts the debts to a server, or probes it when there are none. The server is up again once it has accepted everything. */
  async function post(server: string): Promise<void> {
    const subject = outages.get(server);
    const pending = ledger.startPosting(server);
    const debts = pending.length === 0 && subject !== undefined ? [probe(subject)] : pending;
    const left: Debt[] = [];
    try {
      for (let from = 0; from < debts.length; from += postedMax) {
        left.push(...(await withinStoreDeadline(store.postDebts(debts.slice(from, from + postedMax)))));
        ledger.keepPosting(server, [...left, ...debts.slice(from + postedMax)]);
      }
      outages.delete(server);
      ledger.finishPosting(server);
    } catch (err) {
      log.error({ err, server }, 'quota store still unavailable');
    }
  }

  async function recover(): Promise<void> {
    logDegraded();
    await Promise.all([...new Set([...outages.keys(), ...ledger.servers()])].map(post));
    if (outages.size > 0 || ledger.servers().length > 0) scheduleRecovery();
  }

  function scheduleRecovery(): void {
    timer ??= setTimeout(() => {
      timer = null;
      // serialized: a concurrent run would post or drop the debts of the first one
      recovering = recovering.then(recover);
    }, retryMs).unref();
  }

  const isUnavailable = (subject: Subject): boolean =>
    (outages.size > 0 && outages.has(store.serverOf(subject))) || (unreadable.size > 0 && unreadable.has(subject));

  return {
    ...store,
    async acquire(subject, limits, charge, cost) {
      if (isUnavailable(subject)) return acquireLocally(subject, limits, charge, cost);
      try {
        return await store.acquire(subject, limits, charge, cost);
      } catch (error) {
        if (!(error instanceof QuotaStoreError)) throw error;
        if (error.about === 'SERVER') outages.set(store.serverOf(subject), subject);
        else unreadable.set(subject, true);
        return acquireLocally(subject, limits, charge, cost);
      }
    },
    refund(subject, at, units, cap) {
      if (at.local !== true || !ledger.cancel(store.serverOf(subject), subject, at.day, units))
        return store.refund(subject, at, units, cap);
      budgets.release(subject, units);
      return Promise.resolve(units);
    },
    isUnavailable,
    degraded: () => admitted,
    async close() {
      if (timer !== null) clearTimeout(timer);
      await recovering;
      // the last run may have scheduled another one
      if (timer !== null) clearTimeout(timer);
      await Promise.all(ledger.servers().map(post));
      const lost = ledger.unpostedUnits();
      if (lost > 0) log.error({ units: lost }, 'quota debts lost: store unavailable');
      logDegraded();
      await store.close();
    },
  };
}
