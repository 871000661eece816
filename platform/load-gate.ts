/**
 * Sheds load of one process: a concurrency limit that follows the utilization of the event loop, and a bounded queue that is fair between callers.
 * The queue follows B. Maurer, "Fail at Scale", ACM Queue 13(8): once requests wait long, the newest request of a caller starts first, because its
 * client still waits for it. A wait is the signal, not a queue that stays filled: callers that keep many connections busy fill it without overload.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Logger } from 'pino';

/** A request that wants to start. */
export interface GateRequest {
  /** Callers share the process equally: a key, or the address of callers without one. */
  readonly caller: string;
  /** Called once, maybe later, when the request may start. It must not throw. */
  readonly start: () => void;
  /** Called once instead of `start` when the process is overloaded. It must not throw. */
  readonly reject: () => void;
  /** Whether a started request has been served: it is not counted any longer. */
  readonly isServed?: () => boolean;
  /** Whether a started request waits for its client: it is not counted meanwhile. */
  readonly isIdle?: () => boolean;
}

export interface LoadGate {
  /** Starts, queues or rejects a request. The returned function ends it, in each of these states. */
  enter(request: GateRequest): () => void;
  /** Requests that run, that wait for their clients, and that wait for their turn. */
  state(): { readonly running: number; readonly idling: number; readonly waiting: number; readonly limit: number };
}

export interface LoadGateOptions {
  readonly log: Pick<Logger, 'warn'>;
  /** Requests that always run at the same time; default: 16. */
  readonly limitMin?: number;
  /** Requests that run at the same time before anything was measured; default: 32. */
  readonly limitStart?: number;
  /** Waiting requests of all callers; default: 1,024. */
  readonly waitingMax?: number;
  /** Longest wait; default: 2 s. While a request has waited half of it, the process is overloaded. */
  readonly waitMs?: number;
}

interface Waiting {
  readonly request: GateRequest;
  /** Starts it in its asynchronous context: that of the request that frees a place has another log line and trace. */
  readonly inContext: ReturnType<typeof AsyncLocalStorage.snapshot>;
  readonly sinceMs: number;
}

const limitMax = 10_000;
const tickMs = 20;
/**
 * Utilization of the event loop (its time outside of the poll phase). Above `busy`, fewer requests would keep the loop as busy, with shorter
 * response times. Below `idle`, more requests can run: those in progress wait for an area, a database, or a processor that others use.
 */
const busy = 0.98;
const idle = 0.95;
/** Per tick. */
const growth = 1.1;
const decay = 0.93;
const logEveryMs = 1_000;

export function createLoadGate({
  log,
  limitMin = 16,
  limitStart = 32,
  waitingMax = 1_024,
  waitMs = 2_000,
}: LoadGateOptions): LoadGate {
  const running = new Set<GateRequest>();
  /** Started requests that wait for their clients. */
  const idling = new Set<GateRequest>();
  /** By caller, in the order in which callers are served next. */
  const queues = new Map<string, Waiting[]>();
  let waiting = 0;
  let limit = limitStart;
  let isLimited = false;
  let isOverloaded = false;
  let lastTick = performance.eventLoopUtilization();
  let timer: NodeJS.Timeout | undefined;
  let rejected = 0;
  let loggedMs = -Infinity;

  function begin(request: GateRequest): void {
    running.add(request);
    request.start();
  }

  function reject({ request, inContext }: Waiting): void {
    rejected += 1;
    inContext(() => request.reject());
  }

  /** The next request: callers take turns. */
  function takeNext(): Waiting | undefined {
    const [first] = queues;
    if (first === undefined) return undefined;
    const [caller, queue] = first;
    const next = isOverloaded ? queue.pop() : queue.shift();
    waiting -= 1;
    queues.delete(caller);
    if (queue.length > 0) queues.set(caller, queue);
    return next;
  }

  function startWaiting(): void {
    while (waiting > 0 && running.size < Math.floor(limit)) {
      const next = takeNext();
      next?.inContext(begin, next.request);
    }
  }

  function remove(caller: string, queue: Waiting[], index: number): Waiting | undefined {
    const [removed] = queue.splice(index, 1);
    waiting -= 1;
    if (queue.length === 0) queues.delete(caller);
    return removed;
  }

  function rejectExpired(now: number): void {
    isOverloaded = false;
    for (const [caller, queue] of queues) {
      for (let [oldest] = queue; oldest !== undefined && now - oldest.sinceMs > waitMs; [oldest] = queue) {
        const expired = remove(caller, queue, 0);
        if (expired !== undefined) reject(expired);
      }
      const [oldest] = queue;
      if (oldest !== undefined && now - oldest.sinceMs > waitMs / 2) isOverloaded = true;
    }
  }

  function adapt(): void {
    const { utilization } = performance.eventLoopUtilization(lastTick);
    lastTick = performance.eventLoopUtilization();
    if (utilization > busy) limit = Math.max(limitMin, limit * decay);
    else if (isLimited && utilization < idle) limit = Math.min(limitMax, limit * growth + 1);
    isLimited = waiting > 0;
  }

  function report(now: number): void {
    if (rejected === 0 || now - loggedMs < logEveryMs) return;
    log.warn({ rejected, running: running.size, waiting, limit: Math.floor(limit) }, 'overloaded: rejecting requests');
    rejected = 0;
    loggedMs = now;
  }

  /** Moves requests that wait for their clients out of the count, and those whose clients sent the rest into it. */
  function countIdle(): void {
    for (const request of running) {
      if (request.isServed?.() === true) running.delete(request);
      else if (request.isIdle?.() === true && running.delete(request)) idling.add(request);
    }
    for (const request of idling) if (request.isIdle?.() !== true && idling.delete(request)) running.add(request);
  }

  function tick(): void {
    const now = performance.now();
    adapt();
    countIdle();
    rejectExpired(now);
    startWaiting();
    report(now);
    if (running.size > 0 || idling.size > 0 || waiting > 0 || rejected > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  function watch(): void {
    if (timer !== undefined) return;
    lastTick = performance.eventLoopUtilization();
    timer = setInterval(tick, tickMs).unref();
  }

  /** Removes a request of the caller with the most: the one that would start last. */
  function rejectOne(): void {
    let [longest] = queues;
    for (const entry of queues) if (longest === undefined || entry[1].length > longest[1].length) longest = entry;
    if (longest === undefined) return;
    const dropped = remove(longest[0], longest[1], isOverloaded ? 0 : longest[1].length - 1);
    if (dropped !== undefined) reject(dropped);
  }

  function wait(request: GateRequest): void {
    isLimited = true;
    const { caller } = request;
    const own = queues.get(caller) ?? [];
    queues.set(caller, own);
    own.push({ request, inContext: AsyncLocalStorage.snapshot(), sinceMs: performance.now() });
    waiting += 1;
    if (waiting > waitingMax) rejectOne();
  }

  function leave(request: GateRequest): void {
    if (idling.delete(request)) return;
    if (running.delete(request)) return startWaiting();
    const queue = queues.get(request.caller) ?? [];
    const index = queue.findIndex((entry) => entry.request === request);
    if (index >= 0) remove(request.caller, queue, index);
  }

  return {
    enter(request) {
      watch();
      if (waiting === 0 && running.size < Math.floor(limit)) begin(request);
      else wait(request);
      return () => leave(request);
    },
    state: () => ({ running: running.size, idling: idling.size, waiting, limit: Math.floor(limit) }),
  };
}
