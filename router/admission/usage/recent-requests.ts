/** The last requests of each key until they are flushed: operation names, never argument values. */
import type { Area } from '../../../schema/areas.ts';

/** One settled request. */
export interface RecentRequest {
  /** Milliseconds since 1970, by the store's clock. */
  readonly at: number;
  /** The REST `operationId`, or the client's name of a GraphQL operation. */
  readonly operation: string | null;
  readonly area: Area | null;
  readonly status: number;
  readonly durationMs: number;
  readonly requestId: string;
}

export interface RecentRequestsOfKey {
  readonly key: string;
  readonly requests: readonly RecentRequest[];
}

interface Ring {
  readonly requests: RecentRequest[];
  /** Index of the oldest request, which is replaced once the ring is full. */
  oldest: number;
}

export interface RecentRequests {
  add(key: string, request: RecentRequest): void;
  /** Returns and removes the requests of the keys that have waited longest; the others wait for the next call. */
  drain(): RecentRequestsOfKey[];
}

/** Requests per key, requests in total (each key may hold one beyond that), and keys: about 5 MB. */
const maximum = { perKey: 20, total: 20_000, keys: 10_000 };

/** Keys per flush: each is a row that is read and written as a whole, and a flood must not cost more than the rollups. */
const keysPerFlush = 200;

export function createRecentRequests(): RecentRequests {
  const rings = new Map<string, Ring>();
  let kept = 0;

  function ringOf(key: string): Ring | undefined {
    let ring = rings.get(key);
    if (ring === undefined && rings.size < maximum.keys) {
      ring = { requests: [], oldest: 0 };
      rings.set(key, ring);
    }
    return ring;
  }

  return {
    add(key, request) {
      const ring = ringOf(key);
      if (ring === undefined) return;
      const { requests } = ring;
      if (requests.length === 0 || (requests.length < maximum.perKey && ring.oldest === 0 && kept < maximum.total)) {
        requests.push(request);
        kept += 1;
      } else {
        requests[ring.oldest] = request;
        ring.oldest = (ring.oldest + 1) % requests.length;
      }
    },
    drain() {
      const drained: RecentRequestsOfKey[] = [];
      for (const [key, { requests }] of rings) {
        if (drained.length === keysPerFlush) break;
        drained.push({ key, requests });
        rings.delete(key);
        kept -= requests.length;
      }
      return drained;
    },
  };
}
