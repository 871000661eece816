/**
 * Batching for quota stores: one statement in flight per router and server; requests that arrive meanwhile join the next one.
 * Requests of cost 1 of a subject are summed into one entry and admitted in order; a higher cost is a separate entry.
 */
import { withinDeadline } from '../../../platform/deadline.ts';
import { createDenials } from './denials.ts';
import { sameLimits } from './windows.ts';
import {
  QuotaStoreError,
  type Charge,
  type Limits,
  type QuotaStore,
  type Subject,
  type AcquireResult,
  type Usage,
} from './store.ts';

/** One entry of a statement: `want` units for `waiting.length` requests (one request when the cost is above 1 or the charge is MORE). */
export interface Entry {
  readonly subject: Subject;
  readonly limits: Limits;
  readonly charge: Charge;
  want: number;
  readonly waiting: PromiseWithResolvers<AcquireResult>[];
}

/** The charge of an entry as the stores name it (accounts.quota_take). */
export function chargeOf({ charge, want, waiting }: Entry): string {
  const names: Record<Charge, string> = {
    COUNTED: want === waiting.length ? 'EACH' : 'TOGETHER',
    BURST_ONLY: 'BURST_ONLY',
    COUNTED_NEVER_REJECTED: 'NEVER_REFUSED',
    MORE: 'MORE',
  };
  return names[charge];
}

/** The units that an entry acquired, and the state afterwards. */
export interface EntryResult {
  readonly acquired: number;
  readonly usage: Usage;
}

export interface BatchOptions {
  /** Runs one statement; returns results in the order of the entries, each of which may fail separately. */
  readonly send: (entries: readonly Entry[]) => Promise<readonly PromiseSettledResult<EntryResult>[]>;
  /** The server of a subject: entries of one server never wait for another. */
  readonly serverOf: (subject: Subject) => string;
  readonly onError: (error: unknown) => void;
}

const entriesMax = 500;
/** Above every statement timeout of the stores: a hanging connection must not block requests. */
const deadlineMs = 2000;

function joins(entry: Entry | undefined, limits: Limits, charge: Charge, cost: number): entry is Entry {
  if (entry === undefined || cost !== 1 || charge === 'MORE' || entry.charge !== charge) return false;
  // an entry of a higher cost has one request and wants more
  if (entry.want !== entry.waiting.length) return false;
  return sameLimits(entry.limits, limits);
}

/** The state right after a request, when `behind` later requests of its entry were admitted after it. */
function before(usage: Usage, charge: Charge, behind: number): Usage {
  if (behind === 0) return usage;
  const uncounted = charge === 'BURST_ONLY' ? 0 : behind;
  return {
    ...usage,
    dayUsed: usage.dayUsed - uncounted,
    monthUsed: usage.monthUsed - uncounted,
    burstLeft: usage.burstLeft + behind,
    burstWaitMs: 0,
  };
}

/** Entries that wait for one server. */
interface Lane {
  queue: Entry[];
  running: Promise<void> | null;
}

/** Rejects with an Error after the timeout; the work itself continues. */
export const withinStoreDeadline = <Result>(work: Promise<Result>, timeoutMs = deadlineMs): Promise<Result> =>
  withinDeadline(work, timeoutMs, () => new Error(`Quota store timed out after ${timeoutMs} ms.`));

/** The acquiring half of a store: `acquire`, `forget` (after a refund) and `clockMs`. */
export function createBatches(options: BatchOptions): Pick<QuotaStore, 'acquire' | 'clockMs' | 'close'> & {
  forget(subject: Subject): void;
} {
  const denials = createDenials();
  const newest = new Map<Subject, Entry>();
  const lanes = new Map<string, Lane>();
  let clockAheadMs = 0;

  function resolveEntry(entry: Entry, { acquired, usage }: EntryResult, sentAt: number): void {
    const requests = entry.want === entry.waiting.length ? acquired : Math.min(acquired, 1);
    entry.waiting.forEach((waiter, index) => {
      if (index < requests) waiter.resolve({ acquired: true, usage: before(usage, entry.charge, requests - 1 - index) });
      else waiter.resolve({ acquired: false, usage });
    });
    if (requests < entry.waiting.length) denials.remember(entry.subject, entry.limits, usage, sentAt);
  }

  /** The entries may have been counted, so they are never repeated. Entries waiting for the same server fail with them. */
  function fail(entries: readonly Entry[], reason: unknown, lane: Lane): void {
    options.onError(reason);
    const error = reason instanceof QuotaStoreError ? reason : new QuotaStoreError('SERVER', reason);
    const failing = error.about === 'SERVER' ? [...entries, ...lane.queue.splice(0)] : entries;
    for (const entry of failing) {
      if (newest.get(entry.subject) === entry) newest.delete(entry.subject);
      for (const waiter of entry.waiting) waiter.reject(error);
    }
  }

  async function run(lane: Lane): Promise<void> {
    while (lane.queue.length > 0) {
      // collects all requests that the sockets hold now
      await new Promise(setImmediate);
      const entries = lane.queue.slice(0, entriesMax);
      lane.queue = lane.queue.slice(entriesMax);
      for (const entry of entries) if (newest.get(entry.subject) === entry) newest.delete(entry.subject);
      const sentAt = performance.now();
      try {
        const results = await withinStoreDeadline(options.send(entries));
        entries.forEach((entry, index) => {
          const result = results[index];
          if (result?.status !== 'fulfilled') return fail([entry], result?.reason, lane);
          clockAheadMs = result.value.usage.clockMs - Date.now();
          resolveEntry(entry, result.value, sentAt);
        });
      } catch (error) {
        fail(entries, error, lane);
      }
    }
    lane.running = null;
  }

  function laneOf(subject: Subject): Lane {
    const server = options.serverOf(subject);
    let lane = lanes.get(server);
    if (lane === undefined) lanes.set(server, (lane = { queue: [], running: null }));
    return lane;
  }

  return {
    acquire(subject, limits, charge, cost) {
      const denied = denials.find(subject, limits, charge, cost);
      if (denied !== null) return Promise.resolve({ acquired: false, usage: denied });
      let entry = newest.get(subject);
      const lane = laneOf(subject);
      if (joins(entry, limits, charge, cost)) {
        entry.want += 1;
      } else {
        entry = { subject, limits, charge, want: cost, waiting: [] };
        lane.queue.push(entry);
        newest.set(subject, entry);
      }
      const waiter = Promise.withResolvers<AcquireResult>();
      entry.waiting.push(waiter);
      lane.running ??= run(lane);
      return waiter.promise;
    },
    forget: (subject) => denials.forget(subject),
    clockMs: () => Date.now() + clockAheadMs,
    close: async () => {
      for (const { running } of lanes.values()) await running;
    },
  };
}
