/** Settles a request once its response is sent: refunds platform errors, releases what a 304 was charged, and records the usage. */
import type { Area } from '../../schema/areas.ts';
import type { RequestLine } from '../../schema/entry-point.ts';
import type { ReportedError } from '../../schema/reported-error.ts';
import { noteRequest } from '../../platform/telemetry/request-scope.ts';
import { ANONYMOUS, type Viewer } from '../../schema/viewer.ts';
import type { QuotaHolder, Acquisition, Acquisitions } from './acquisitions.ts';
import type { KnownKey } from './key-check.ts';
import type { Usage } from './quota/store.ts';
import type { UsageCollector } from './usage/collector.ts';

/** The viewer of a request, and whose quota it uses. */
export interface RequestHolder extends QuotaHolder {
  readonly viewer: Viewer;
  /** Whether the key runs only registered documents over GraphQL; absent for addresses. */
  readonly registeredDocumentsOnly?: boolean;
}

/** The response that the client received. */
export interface Outcome {
  /** HTTP status. */
  readonly status: number;
  /** Area of the root field; null for none or several. */
  readonly area?: Area | null;
  /** The REST `operationId`, or the client's name of a GraphQL operation; null when unknown. */
  readonly operation?: string | null;
  /** Duration measured by another process. */
  readonly durationMs?: number | undefined;
  /** The error of the response; absent or null without one. */
  readonly error?: ReportedError | null | undefined;
  /** The SHA-256 of a GraphQL document in hex; absent or null for other requests. */
  readonly document?: string | null | undefined;
}

/** A request until its response is sent; admission updates it with each charge. */
export interface PendingRequest {
  /** Null until the key is checked. */
  holder: RequestHolder | null;
  /** The rejected key, if it exists. */
  rejectedKey: KnownKey | null;
  readonly address: string;
  readonly requestId: string;
  readonly line: RequestLine | null;
  /** `performance.now()` at the start. */
  readonly startedMs: number;
  /** 0 for the additional cost of a request that was admitted before. */
  readonly requests: 0 | 1;
  /** The units that the request costs as far as it is known. */
  units: number;
  /** The last charge, without units that are being released. */
  last: Acquisition | null;
  /** The releases that are not written yet. */
  releasing: Promise<void> | null;
}

const refunded = new Set([500, 502, 503]);

/** A caller who has the response does not pay for learning that it is current. */
export const isFree = (status: number, viewer: Viewer): boolean => status === 304 && viewer !== ANONYMOUS;

/** The acquisition as if it had cost fewer units. */
export function without(acquisition: Acquisition, units: number): Acquisition {
  const { usage, outerUsage } = acquisition;
  const lower = (from: Usage): Usage => ({ ...from, dayUsed: from.dayUsed - units, monthUsed: from.monthUsed - units });
  return { ...acquisition, usage: lower(usage), outerUsage: outerUsage && lower(outerUsage) };
}

/** Releases all but `units` of what a pending request was charged. */
export function releaseUnused(acquisitions: Acquisitions, pending: PendingRequest, units: number): void {
  const { holder, last } = pending;
  const unused = pending.units - units;
  if (holder === null || last === null || unused <= 0) return;
  pending.units = units;
  noteRequest({ cost: units });
  pending.last = without(last, unused);
  const release = acquisitions.release(holder, last, unused).then((released) => {
    pending.units += unused - released;
  });
  pending.releasing = Promise.all([pending.releasing, release]).then(() => undefined);
}

/** The windows after the last charge; null for a window that is not known. */
function countedUsage(last: Acquisition | null): { readonly usage: Usage | null; readonly outerUsage: Usage | null } {
  if (last === null) return { usage: null, outerUsage: null };
  const { usage, outerUsage, network } = last;
  // a rejection by the outer network does not say what the holder has used; local grants are not in the counters yet
  return { usage: network !== null || usage.local ? null : usage, outerUsage: outerUsage?.local ? null : outerUsage };
}

/** Creates the `settle` function of requests; a second call has no effect. */
export function createSettlements(
  acquisitions: Acquisitions,
  clockMs: () => number,
  collector: Pick<UsageCollector, 'record'> | null,
) {
  function record(
    { holder, rejectedKey, address, requestId, line, requests, last }: PendingRequest,
    { status, area = null, operation = null, error = null, document = null }: Outcome,
    durationMs: number,
    units: number,
  ): void {
    collector?.record({
      requester: holder,
      rejectedKey,
      address,
      requestId,
      line,
      requests,
      units,
      operation,
      durationMs,
      ...countedUsage(last),
      clockMs: last?.usage.clockMs ?? clockMs(),
      status,
      area,
      error,
      document,
    });
  }

  function finish(request: PendingRequest, outcome: Outcome, durationMs: number): void {
    const { holder, units, last } = request;
    if (holder === null || last === null || units === 0 || !refunded.has(outcome.status))
      record(request, outcome, durationMs, units);
    else void acquisitions.refund(holder, last, units).then((given) => record(request, outcome, durationMs, units - given));
  }

  return (request: PendingRequest): ((outcome: Outcome) => void) => {
    let settled = false;
    return (outcome) => {
      if (settled) return;
      settled = true;
      const durationMs = outcome.durationMs ?? Math.round(performance.now() - request.startedMs);
      if (request.holder !== null && isFree(outcome.status, request.holder.viewer)) releaseUnused(acquisitions, request, 0);
      if (request.releasing === null) finish(request, outcome, durationMs);
      else void request.releasing.then(() => finish(request, outcome, durationMs));
    };
  };
}
