/**
 * What is admitted while the quota store is away: reads, from a budget of this router of 1 % of the day for each subject, with the
 * burst as it is. It is owed, and posted when the store is there again. Servers of a store are away one by one.
 */
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { Problem } from '../../../schema/errors.ts';
import { withinDeadline } from './batches.ts';
import { createLocalBudgets } from './local-budgets.ts';
import {
  QuotaStoreError,
  type Charge,
  type Debt,
  type Limits,
  type QuotaStore,
  type Subject,
  type AcquireResult,
} from './store.ts';

/** A quota store that always answers: what it grants by itself says so (`usage.local`). */
export interface ResilientStore extends QuotaStore {
  /**
   * As QuotaStore.take, never QuotaFault.
   * @throws Problem rate_limited when the local budget is used up.
   */
  acquire: QuotaStore['acquire'];
  /** True while the server of the subject is away, or a moment ago could not tell of the subject: then nothing may be written. */
  isUnavailable(subject: Subject): boolean;
  /** Requests granted from local budgets since the start. */
  degraded(): number;
}

const retryMs = 1000;
const postedMax = 500;

type Owed = Omit<Debt, 'id' | 'units'> & { units: number };

/** @param log told `quota_degraded`, at most once a second, with what was admitted and refused since the last time. */
export function createResilientStore(store: QuotaStore, log: Pick<Logger, 'error'>): ResilientStore {
  /** Servers that are away, each with a subject to ask for. */
  const outages = new Map<string, Subject>();
  /** Subjects of which a server that is there could not tell. */
  const untold = new LRUCache<Subject, true>({ max: 10_000, ttl: retryMs });
  /** By server, then by subject and day. */
  const owed = new Map<string, Map<string, Owed>>();
  /** Debts under way, by server: they keep their ids until the store says that it has them. */
  const posting = new Map<string, readonly Debt[]>();
  const budgets = createLocalBudgets();
  let admitted = 0;
  let unlogged = { admitted: 0, refused: 0 };
  let toldAt = -Infinity;
  let timer: NodeJS.Timeout | null = null;
  let tending: Promise<void> = Promise.resolve();

  function tell(): void {
    if (performance.now() - toldAt < retryMs || unlogged.admitted + unlogged.refused === 0) return;
    log.error(unlogged, 'quota_degraded');
    toldAt = performance.now();
    unlogged = { admitted: 0, refused: 0 };
  }

  function owe(debt: Owed): void {
    const server = store.serverOf(debt.subject);
    let debts = owed.get(server);
    if (debts === undefined) owed.set(server, (debts = new Map<string, Owed>()));
    const name = `${debt.subject} ${debt.day}`;
    const waiting = debts.get(name);
    if (waiting === undefined) debts.set(name, { ...debt });
    else waiting.units += debt.units;
  }

  function local(subject: Subject, limits: Limits, charge: Charge, cost: number): AcquireResult {
    tendLater();
    const taken = budgets.acquire(subject, limits, charge, cost, store.clockMs());
    unlogged[taken?.acquired === true ? 'admitted' : 'refused'] += 1;
    tell();
    if (taken === null)
      throw new Problem(
        'rate_limited',
        'Quotas cannot be counted just now, and what is admitted meanwhile is used up. Retry shortly.',
      );
    if (taken.acquired) {
      admitted += 1;
      const { day, month } = taken.usage;
      if (charge !== 'BURST_ONLY') owe({ subject, day, month, units: cost });
    }
    return taken;
  }

  /** Posts what is owed to a server; nothing, for a server that is away and is owed nothing. It is there again when it took all. */
  async function post(server: string): Promise<void> {
    const fresh = [...(owed.get(server)?.values() ?? [])]
      .filter(({ units }) => units > 0)
      .map((debt) => ({ ...debt, id: randomUUID() }));
    owed.delete(server);
    let debts: readonly Debt[] = [...(posting.get(server) ?? []), ...fresh];
    posting.set(server, debts);
    const subject = outages.get(server);
    if (debts.length === 0 && subject !== undefined) {
      const day = new Date(store.clockMs()).toISOString().slice(0, 10);
      debts = [{ id: randomUUID(), subject, day, month: `${day.slice(0, 7)}-01`, units: 0 }];
    }
    const left: Debt[] = [];
    try {
      for (let from = 0; from < debts.length; from += postedMax) {
        left.push(...(await withinDeadline(store.postDebts(debts.slice(from, from + postedMax)))));
        posting.set(
          server,
          [...left, ...debts.slice(from + postedMax)].filter(({ units }) => units > 0),
        );
      }
      outages.delete(server);
      if (posting.get(server)?.length === 0) posting.delete(server);
    } catch (err) {
      log.error({ err, server }, 'quota store still unavailable');
    }
  }

  async function tend(): Promise<void> {
    tell();
    await Promise.all([...new Set([...outages.keys(), ...owed.keys(), ...posting.keys()])].map(post));
    if (outages.size + owed.size + posting.size > 0) tendLater();
  }

  function tendLater(): void {
    timer ??= setTimeout(() => {
      timer = null;
      // one after the other: what the first has posted the second would post, or forget, as its own
      tending = tending.then(tend);
    }, retryMs).unref();
  }

  const isAway = (subject: Subject): boolean =>
    (outages.size > 0 && outages.has(store.serverOf(subject))) || (untold.size > 0 && untold.has(subject));

  return {
    ...store,
    async acquire(subject, limits, charge, cost) {
      if (isAway(subject)) return local(subject, limits, charge, cost);
      try {
        return await store.acquire(subject, limits, charge, cost);
      } catch (fault) {
        if (!(fault instanceof QuotaStoreError)) throw fault;
        if (fault.about === 'SERVER') outages.set(store.serverOf(subject), subject);
        else untold.set(subject, true);
        return local(subject, limits, charge, cost);
      }
    },
    refund(subject, at, units, cap) {
      const debt = owed.get(store.serverOf(subject))?.get(`${subject} ${at.day}`);
      if (at.local !== true || debt === undefined || debt.units < units) return store.refund(subject, at, units, cap);
      debt.units -= units;
      budgets.release(subject, units);
      return Promise.resolve(units);
    },
    isUnavailable: isAway,
    degraded: () => admitted,
    async close() {
      if (timer !== null) clearTimeout(timer);
      await tending;
      // it may have wanted to go on
      if (timer !== null) clearTimeout(timer);
      await Promise.all([...new Set([...owed.keys(), ...posting.keys()])].map(post));
      const lost = [...posting.values()].flat().reduce((sum, { units }) => sum + units, 0);
      if (lost > 0) log.error({ units: lost }, 'quota debts lost: the store is away');
      tell();
      await store.close();
    },
  };
}
