/** Limits failed key checks per network and minute. Above the limit, keys are neither looked up nor hashed. */
import { LRUCache } from 'lru-cache';
import { Problem } from '../../schema/errors.ts';
import { addressNetwork } from './quota/subject.ts';

const failuresMax = 20;
const windowMs = 60_000;

/** A 429 that is independent of the quota windows. */
export class TooManyFailedAttempts extends Problem {
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    super('rate_limited', `Too many invalid API keys were sent from your network. Retry in ${retryAfterSeconds} s.`);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export interface FailedAttempts {
  /** Throws TooManyFailedAttempts for a network (IPv4 address, /64 of IPv6) with too many failures within the minute. */
  assertBelowLimit(address: string): void;
  record(address: string): void;
}

/** Local to the process: the limit multiplies by the number of routers, which is harmless with 256-bit keys. */
export function createFailedAttempts(): FailedAttempts {
  const minutes = new LRUCache<string, { failures: number; readonly endsAt: number }>({ max: 10_000 });
  return {
    assertBelowLimit(address) {
      const minute = minutes.size > 0 ? minutes.peek(addressNetwork(address)) : undefined;
      const leftMs = (minute?.endsAt ?? 0) - performance.now();
      if (minute && minute.failures >= failuresMax && leftMs > 0) throw new TooManyFailedAttempts(Math.ceil(leftMs / 1000));
    },
    record(address) {
      const network = addressNetwork(address);
      const minute = minutes.get(network);
      if (minute && minute.endsAt > performance.now()) minute.failures += 1;
      else minutes.set(network, { failures: 1, endsAt: performance.now() + windowMs });
    },
  };
}
