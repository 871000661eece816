/** Protects the callers of one area from it, and the area from its callers: deadlines, a circuit breaker and a concurrency limit. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Logger } from 'pino';
import { checkDeadlinesEvery } from '../../platform/deadline.ts';
import { observe } from '../../platform/telemetry/metrics.ts';
import { isOutage, Problem } from '../../schema/errors.ts';
import { isSubgraphResponse, operationTimeouts, unavailableArea } from '../../schema/subgraph-client.ts';
import type { SubgraphClient, SubgraphRequest, SubgraphResponse } from '../../schema/subgraph-client.ts';
import { ANONYMOUS } from '../../schema/viewer.ts';
import { createAdaptiveLimit } from './adaptive-limit.ts';
import { createCircuit, trialMs, type CircuitAdmission, type CircuitState } from './circuit.ts';

export interface ProtectionOptions {
  readonly area: string;
  readonly log: Logger;
  /** Time limit of a query; default: that of an operation, whose deadline can be earlier. */
  readonly timeoutMs?: number;
}

/** One call, from its admission to its response or rejection. */
interface Call {
  readonly request: SubgraphRequest;
  readonly admission: CircuitAdmission;
  readonly mutation: boolean;
  readonly admittedMs: number;
  /** When the caller receives upstream_timeout. */
  readonly deadlineMs: number;
  /** When the area may stop: a trial that takes longer than its caller waits still closes the circuit. */
  readonly areaDeadlineMs: number;
  /** When it was sent to the area; 0 while it waits. */
  sentMs: number;
  isSettled: boolean;
  readonly resolve: (response: SubgraphResponse) => void;
  readonly reject: (error: unknown) => void;
}

/** Deadlines are checked at this interval: one timer for all calls of an area. */
const sweepMs = 100;
/** Calls that wait for a place; the next one is rejected as overloaded. */
const waitingMax = 1_000;
const waitMs = 2_000;
/** An area is stalled when it has returned nothing for this time although at least `stalledMin` calls have waited as long. */
const stallMs = 3_000;
const stalledMin = 5;
const probeEveryMs = 1_000;

const probe: SubgraphRequest = {
  query: '{__typename}',
  variables: {},
  operationName: null,
  viewer: ANONYMOUS,
  requestId: 'circuit-probe',
  signal: undefined,
};

const clock = (): number => performance.now();

const circuitState = {
  name: 'platform_circuit_state',
  help: 'State of the circuit of an area: 0 closed, 1 half open, 2 open.',
  labelNames: ['area'],
  // an area of the platform and those of sandboxes
  combine: Math.max,
};
const stateValues = { CLOSED: 0, HALF_OPEN: 1, OPEN: 2 } as const satisfies Record<CircuitState, number>;

/** Whether the error is a failure of the area. A rejection, such as a validation error, is not. */
const isOwnFailure = (error: unknown): boolean => !(error instanceof Problem) || isOutage(error);

/**
 * `query` throws, in addition to what the client throws: upstream_unavailable while the circuit is open, upstream_timeout after the
 * earlier of both deadlines, overloaded when too many calls wait. A call that an area makes for another one is not queued, so that
 * areas that query each other cannot block each other.
 */
export function protectSubgraph(
  client: SubgraphClient,
  { area, log, timeoutMs = operationTimeouts.queryMs }: ProtectionOptions,
): SubgraphClient {
  const limit = createAdaptiveLimit(clock);
  const sent = new Set<Call>();
  /** With the function that restores the context of its caller: a call is sent by the one that frees its place. */
  const waiting = new Map<Call, ReturnType<typeof AsyncLocalStorage.snapshot>>();
  let sweeper: NodeJS.Timeout | undefined;
  let lastResponseMs = clock();
  let openedMs = 0;
  let nextProbeMs = 0;

  const unobserve = observe(circuitState, () => [[{ area }, stateValues[circuit.state()]]]);
  const circuit = createCircuit({
    clock,
    onChange(state, reason) {
      if (state === 'OPEN') {
        log.warn({ area, reason }, 'circuit opened');
        if (openedMs === 0) openedMs = clock();
        nextProbeMs = clock() + probeEveryMs;
        for (const call of waiting.keys()) settle(call, () => call.reject(unavailableArea(area)));
      } else if (state === 'HALF_OPEN') log.info({ area, reason }, 'circuit half open');
      else {
        log.info({ area, reason, openMs: Math.round(clock() - openedMs) }, 'circuit closed');
        openedMs = 0;
      }
    },
  });

  const timeout = ({ admittedMs }: Call): Problem =>
    new Problem('upstream_timeout', `The area ${area} did not respond within ${Math.round(clock() - admittedMs)} ms.`);

  /** Ends a call for its caller, once. A waiting call that was never sent is withdrawn. */
  function settle(call: Call, deliver: () => void): void {
    if (call.isSettled) return;
    call.isSettled = true;
    sent.delete(call);
    if (waiting.delete(call)) circuit.withdrawn(call.admission);
    deliver();
    sendNext();
  }

  function failCall(call: Call, error: unknown): void {
    const wasSettled = call.isSettled;
    settle(call, () => call.reject(error));
    if (call.request.signal?.aborted === true || !isOwnFailure(error)) circuit.withdrawn(call.admission);
    else if (!wasSettled) circuit.failed(call.admission);
  }

  function completeCall(call: Call, response: SubgraphResponse): void {
    lastResponseMs = clock();
    if (call.isSettled && call.admission === 'CALL') return;
    if (!isSubgraphResponse(response)) {
      failCall(call, unavailableArea(area));
      return;
    }
    limit.record(lastResponseMs - call.sentMs, sent.size);
    circuit.succeeded(call.admission);
    settle(call, () => call.resolve(response));
  }

  function send(call: Call): void {
    call.sentMs = clock();
    sent.add(call);
    client.query({ ...call.request, deadlineMs: call.areaDeadlineMs }).then(
      (response) => completeCall(call, response),
      (error: unknown) => failCall(call, error),
    );
  }

  function sendNext(): void {
    if (waiting.size === 0 || circuit.state() === 'OPEN') return;
    for (const [call, inContext] of waiting) {
      if (sent.size >= limit.current()) return;
      if (call.request.signal?.aborted === true) settle(call, () => call.reject(unavailableArea(area)));
      else {
        waiting.delete(call);
        inContext(() => send(call));
      }
    }
  }

  function sendProbe(): void {
    nextProbeMs = clock() + probeEveryMs;
    client.query({ ...probe, deadlineMs: nextProbeMs }).then(
      (response) => isSubgraphResponse(response) && circuit.probed(),
      () => undefined,
    );
  }

  /** The area returns nothing: its callers receive an error now, not after the deadline of each. */
  function openIfStalled(now: number): void {
    if (circuit.state() !== 'CLOSED' || now - lastResponseMs < stallMs) return;
    if ([...sent].filter(({ sentMs }) => now - sentMs >= stallMs).length < stalledMin) return;
    circuit.open(`no response for ${Math.round(now - lastResponseMs)} ms`);
    // the outcome of a mutation is unknown: its caller waits for it
    for (const call of sent) if (!call.mutation) settle(call, () => call.reject(unavailableArea(area)));
  }

  function sweep(): void {
    const now = clock();
    for (const call of sent) if (now >= call.deadlineMs) failCall(call, timeout(call));
    for (const call of waiting.keys()) {
      if (now >= call.deadlineMs || now - call.admittedMs >= waitMs)
        settle(call, () => call.reject(new Problem('overloaded', `The area ${area} is overloaded. Retry the request.`)));
    }
    openIfStalled(now);
    if (circuit.state() === 'OPEN' && now >= nextProbeMs) sendProbe();
    if (sent.size === 0 && waiting.size === 0 && circuit.state() !== 'OPEN') {
      clearInterval(sweeper);
      sweeper = undefined;
    }
  }

  return {
    query: (request) =>
      new Promise((resolve, reject) => {
        const now = clock();
        if (request.deadlineMs !== undefined && request.deadlineMs <= now)
          throw new Problem('upstream_timeout', `The request took too long before the area ${area} was queried.`);
        const isQueued = request.isNested !== true && sent.size >= limit.current();
        if (isQueued && waiting.size >= waitingMax)
          throw new Problem('overloaded', `The area ${area} is overloaded. Retry the request.`);
        const admission = circuit.admit();
        if (admission === 'REJECTED') throw unavailableArea(area);
        const mutation = request.query.startsWith('mutation');
        const limitMs = mutation ? operationTimeouts.mutationMs : timeoutMs;
        const areaDeadlineMs = Math.min(now + limitMs, request.deadlineMs ?? Infinity);
        // the outcome of a mutation is worth waiting for
        const deadlineMs = admission === 'TRIAL' && !mutation ? Math.min(now + trialMs, areaDeadlineMs) : areaDeadlineMs;
        const call: Call = {
          request,
          admission,
          mutation,
          admittedMs: now,
          deadlineMs,
          areaDeadlineMs,
          sentMs: 0,
          isSettled: false,
          resolve,
          reject,
        };
        sweeper ??= checkDeadlinesEvery(sweepMs, sweep);
        if (isQueued) waiting.set(call, AsyncLocalStorage.snapshot());
        else send(call);
      }),
    async close() {
      unobserve();
      clearInterval(sweeper);
      await client.close?.();
    },
  };
}
