/** Who tries keys is stopped: so many failed checks a minute from one network, then nothing of it is looked up or hashed. */
import { LRUCache } from 'lru-cache';
import { Problem } from '../../schema/errors.ts';
import { addressNetwork } from './quota/subject.ts';

const failuresMax = 20;
const windowMs = 60_000;

/** A 429 that no window of a plan asked for. */
export class TooManyFailedAttempts extends Problem {
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    const who = 'Your network has sent too many API keys that are not valid';
    super('rate_limited', `${who}. Retry in ${retryAfterSeconds} s.`);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export interface FailedAttempts {
  /** @throws TooManyGuesses for a network (IPv4 address, /64 of IPv6) that failed too often within the minute. */
  assertBelowLimit(address: string): void;
  record(address: string): void;
}

/** Local to the process: an attacker gets as many minutes' worth as there are routers, and every key has 256 bits. */
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
