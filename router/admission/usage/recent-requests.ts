/** The last requests of each key until they are flushed: what was asked, never with which values. */
import type { Area } from '../../../schema/areas.ts';

/** One request, when it was answered. */
export interface RecentRequest {
  /** Milliseconds since 1970, by the store's clock. */
  readonly at: number;
  /** The `operationId` of REST, or the name that a client gave an operation of GraphQL. */
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
  /** Place of the oldest, which makes room, once no further ones are kept. */
  oldest: number;
}

export interface RecentRequests {
  add(key: string, request: RecentRequest): void;
  /** Hands over what is kept of the keys that wait longest; the others stay for the next call. */
  drain(): RecentRequestsOfKey[];
}

/** Of one key at most; of all together, where each key has one of its own beyond it; different keys at most: some 5 MB. */
const keptMax = { ofKey: 20, inAll: 20_000, keys: 10_000 };

/** Keys told of in one flush: each is a row that is read and written whole, and a flood is to cost what the rollups cost. */
const keysOfFlush = 200;

export function createRecentRequests(): RecentRequests {
  const rings = new Map<string, Ring>();
  let kept = 0;

  function ringOf(key: string): Ring | undefined {
    let ring = rings.get(key);
    if (ring === undefined && rings.size < keptMax.keys) {
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
      if (requests.length === 0 || (requests.length < keptMax.ofKey && ring.oldest === 0 && kept < keptMax.inAll)) {
        requests.push(request);
        kept += 1;
      } else {
        requests[ring.oldest] = request;
        ring.oldest = (ring.oldest + 1) % requests.length;
      }
    },
    drain() {
      const taken: RecentRequestsOfKey[] = [];
      for (const [key, { requests }] of rings) {
        if (taken.length === keysOfFlush) break;
        taken.push({ key, requests });
        rings.delete(key);
        kept -= requests.length;
      }
      return taken;
    },
  };
}
