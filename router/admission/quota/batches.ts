/**
 * Batching for quota stores: one statement in flight per router and server of the store; what waits meanwhile goes with the next one.
 * Waiting requests of cost 1 of a subject are summed into one entry and granted first come first; a higher cost is an entry of its own.
 */
import { createDenials } from './denials.ts';
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

/** What a store is told to do for an entry: accounts.quota_take says what each is. */
export function chargeOf({ charge, want, waiting }: Entry): string {
  const names: Record<Charge, string> = {
    COUNTED: want === waiting.length ? 'EACH' : 'TOGETHER',
    BURST_ONLY: 'BURST_ONLY',
    COUNTED_NEVER_REJECTED: 'NEVER_REFUSED',
    MORE: 'MORE',
  };
  return names[charge];
}

/** What the store granted an entry, and the state afterwards. */
export interface EntryResult {
  readonly acquired: number;
  readonly usage: Usage;
}

export interface BatchOptions {
  /** Runs one statement; answers in the order of the entries, each of which may fail by itself. */
  readonly send: (entries: readonly Entry[]) => Promise<readonly PromiseSettledResult<EntryResult>[]>;
  /** Which server of the store holds a subject: entries of one never wait for another. */
  readonly serverOf: (subject: Subject) => string;
  readonly onError: (fault: unknown) => void;
}

const entriesMax = 500;
/** Longer than the store may take for any statement: a connection that hangs must not hold requests back. */
const deadlineMs = 2000;

function joins(entry: Entry | undefined, limits: Limits, charge: Charge, cost: number): entry is Entry {
  if (entry === undefined || cost !== 1 || charge === 'MORE' || entry.charge !== charge) return false;
  // An entry of a higher cost has one request and wants more.
  if (entry.want !== entry.waiting.length) return false;
  const own = entry.limits;
  return (
    own === limits ||
    (own.burstPerMinute === limits.burstPerMinute && own.perDay === limits.perDay && own.perMonth === limits.perMonth)
  );
}

/** The state as the request saw it that `behind` later ones of its entry were granted after. */
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

/** Throws Error when the work takes longer; it goes on. */
export async function withinDeadline<Result>(work: Promise<Result>, timeoutMs = deadlineMs): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`The quota store did not answer within ${timeoutMs} ms.`)), timeoutMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** The taking half of a store: `take`, `forget` (a subject got units back) and `clockMs`. */
export function createBatches(options: BatchOptions): Pick<QuotaStore, 'acquire' | 'clockMs' | 'close'> & {
  forget(subject: Subject): void;
} {
  const denials = createDenials();
  const newest = new Map<Subject, Entry>();
  const lanes = new Map<string, Lane>();
  let clockAheadMs = 0;

  function answer(entry: Entry, { acquired, usage }: EntryResult, sentAt: number): void {
    const requests = entry.want === entry.waiting.length ? acquired : Math.min(acquired, 1);
    entry.waiting.forEach((waiter, index) => {
      if (index < requests) waiter.resolve({ acquired: true, usage: before(usage, entry.charge, requests - 1 - index) });
      else waiter.resolve({ acquired: false, usage });
    });
    if (requests < entry.waiting.length) denials.remember(entry.subject, entry.limits, usage, sentAt);
  }

  /** Perhaps they were counted: never repeated, or one request could cost two. What waits for the same server need not try. */
  function fail(entries: readonly Entry[], reason: unknown, lane: Lane): void {
    options.onError(reason);
    const fault = reason instanceof QuotaStoreError ? reason : new QuotaStoreError('SERVER', reason);
    const failing = fault.about === 'SERVER' ? [...entries, ...lane.queue.splice(0)] : entries;
    for (const entry of failing) {
      if (newest.get(entry.subject) === entry) newest.delete(entry.subject);
      for (const waiter of entry.waiting) waiter.reject(fault);
    }
  }

  async function run(lane: Lane): Promise<void> {
    while (lane.queue.length > 0) {
      // All requests that the sockets hold now go together.
      await new Promise(setImmediate);
      const entries = lane.queue.slice(0, entriesMax);
      lane.queue = lane.queue.slice(entriesMax);
      for (const entry of entries) if (newest.get(entry.subject) === entry) newest.delete(entry.subject);
      const sentAt = performance.now();
      try {
        const grants = await withinDeadline(options.send(entries));
        entries.forEach((entry, index) => {
          const grant = grants[index];
          if (grant?.status !== 'fulfilled') return fail([entry], grant?.reason, lane);
          clockAheadMs = grant.value.usage.clockMs - Date.now();
          answer(entry, grant.value, sentAt);
        });
      } catch (fault) {
        fail(entries, fault, lane);
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
