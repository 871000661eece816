/** What becomes of a request when its answer is told: units are given back where the fault was ours, and it is recorded, once. */
import type { Area } from '../../schema/areas.ts';
import type { Viewer } from '../../schema/viewer.ts';
import type { Counted, Take, Takes } from './takes.ts';
import type { UsageCollector } from './usage/collector.ts';

/** Who asks, and whom it counts against. */
export interface Holder extends Counted {
  readonly viewer: Viewer;
}

/** What the client was told. */
export interface Outcome {
  /** HTTP status of the answer. */
  readonly status: number;
  /** Area of the root field; none and several are null. */
  readonly area?: Area | null;
  /** The `operationId` of REST, or the name that a client gave an operation of GraphQL; null: none is known. */
  readonly operation?: string | null;
  /** How long the answer took, where another process knows it better. */
  readonly durationMs?: number | undefined;
}

/** A request until its answer is told; admission notes here what it charges. */
export interface OpenRequest {
  /** Null until it is known. */
  holder: Holder | null;
  readonly address: string;
  readonly requestId: string;
  /** When it came, by `performance.now()`. */
  readonly beganMs: number;
  /** 0 for the further cost of a request that was admitted before. */
  readonly requests: 0 | 1;
  units: number;
  /** The last charge. */
  last: Take | null;
}

const refunded = new Set([500, 502, 503]);

/** Makes the `settle` of requests; the second call of one does nothing. */
export function createSettlements(takes: Takes, clockMs: () => number, collector: Pick<UsageCollector, 'record'> | null) {
  function record(
    { holder, address, requestId, requests, last }: OpenRequest,
    { status, area = null, operation = null }: Outcome,
    durationMs: number,
    units: number,
  ): void {
    collector?.record({
      asker: holder,
      address,
      requestId,
      requests,
      units,
      operation,
      durationMs,
      // what a network refused says nothing of the one within it; what is owed is not in the counters yet
      usage: last === null || last.network !== null || last.usage.local ? null : last.usage,
      aroundUsage: last?.aroundUsage?.local ? null : (last?.aroundUsage ?? null),
      clockMs: last?.usage.clockMs ?? clockMs(),
      status,
      area,
    });
  }

  return (request: OpenRequest): ((outcome: Outcome) => void) => {
    let settled = false;
    return (outcome) => {
      if (settled) return;
      settled = true;
      const { holder, units, last } = request;
      const durationMs = outcome.durationMs ?? Math.round(performance.now() - request.beganMs);
      if (holder === null || last === null || units === 0 || !refunded.has(outcome.status))
        record(request, outcome, durationMs, units);
      else void takes.refund(holder, last, units).then((given) => record(request, outcome, durationMs, units - given));
    };
  };
}
