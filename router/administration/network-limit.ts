/** Limits requests per network in memory, before a body is read: the limits in the database cost more than rejecting here. */
import { LRUCache } from 'lru-cache';
import { Problem } from '../../schema/errors.ts';
import { addressNetwork } from '../admission/quota/subject.ts';

export interface NetworkLimit {
  /** Counts a request. Throws Problem rate_limited (429, `retryAfterSeconds`) above the limit of the network (IPv4 address, /64 of IPv6). */
  check(address: string): void;
  /** Takes back one request that `check` counted. */
  release(address: string): void;
}

interface Window {
  count: number;
  readonly endsAt: number;
}

/** Local to the process: the limit multiplies by the number of routers. */
export function createNetworkLimit({ max, windowMs }: { readonly max: number; readonly windowMs: number }): NetworkLimit {
  const windows = new LRUCache<string, Window>({ max: 10_000 });
  return {
    check(address) {
      const network = addressNetwork(address);
      const known = windows.get(network);
      const now = performance.now();
      const window = known !== undefined && known.endsAt > now ? known : { count: 0, endsAt: now + windowMs };
      windows.set(network, window);
      if (window.count >= max) {
        const retryAfterSeconds = Math.max(1, Math.ceil((window.endsAt - now) / 1000));
        throw new Problem('rate_limited', `Too many requests from your network. Retry in ${retryAfterSeconds} s.`, {
          retryAfterSeconds,
        });
      }
      window.count += 1;
    },
    release(address) {
      const window = windows.get(addressNetwork(address));
      if (window !== undefined && window.count > 0) window.count -= 1;
    },
  };
}
