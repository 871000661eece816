/** The requests of keys until they are flushed to the request log. */
import type { RequestLine } from '../../../schema/entry-point.ts';
import type { KnownKey } from '../key-check.ts';
import type { MeteredRequest } from './metered-request.ts';

/** A request of a key that exists. The metered request itself: nothing is copied per request. */
export type KeyedRequest = MeteredRequest & { readonly line: RequestLine };

/** Whether a request is of a key that exists, also of a rejected one. */
export function isKeyed(request: MeteredRequest): request is KeyedRequest {
  const { requester, rejectedKey, line } = request;
  return Boolean(line && (rejectedKey ?? requester?.viewer.keyId));
}

/** The key of a request. */
export function keyOf({ requester, rejectedKey }: KeyedRequest): KnownKey {
  if (rejectedKey) return rejectedKey;
  const { keyId = null, accountId = null } = requester?.viewer ?? {};
  if (keyId === null || accountId === null) throw new Error('The request has no key');
  return { keyId, accountId };
}

export interface RequestLog {
  /** Adds a request; the oldest one is dropped once the log is full. */
  add(request: KeyedRequest): void;
  /** Returns and removes all requests, oldest first. */
  drain(): KeyedRequest[];
  /** Requests dropped since the last call. */
  drainLostCount(): number;
}

export function createRequestLog(max: number): RequestLog {
  let requests: KeyedRequest[] = [];
  /** Index of the oldest request, which is replaced once the log is full. */
  let oldest = 0;
  let lost = 0;
  return {
    add(request) {
      if (requests.length < max) {
        requests.push(request);
        return;
      }
      requests[oldest] = request;
      oldest = (oldest + 1) % max;
      lost += 1;
    },
    drain() {
      const drained = oldest === 0 ? requests : [...requests.slice(oldest), ...requests.slice(0, oldest)];
      requests = [];
      oldest = 0;
      return drained;
    },
    drainLostCount() {
      const before = lost;
      lost = 0;
      return before;
    },
  };
}
