/** Who tries keys is stopped: so many failed checks a minute from one network, then nothing of it is looked up or hashed. */
import { LRUCache } from 'lru-cache';
import { Problem } from '../../schema/errors.ts';
import { addressNetwork } from './quota/subject.ts';

const failuresMax = 20;
const windowMs = 60_000;

/** A 429 that no window of a plan asked for. */
export class TooManyGuesses extends Problem {
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number) {
    const who = 'Your network has sent too many API keys that are not valid';
    super('rate_limited', `${who}. Retry in ${retryAfterSeconds} s.`);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export interface Guesses {
  /** @throws TooManyGuesses for a network (IPv4 address, /64 of IPv6) that failed too often within the minute. */
  requireFew(address: string): void;
  failed(address: string): void;
}

/** Local to the process: an attacker gets as many minutes' worth as there are routers, and every key has 256 bits. */
export function createGuesses(): Guesses {
  const minutes = new LRUCache<string, { failures: number; readonly endsAt: number }>({ max: 10_000 });
  return {
    requireFew(address) {
      const minute = minutes.size > 0 ? minutes.peek(addressNetwork(address)) : undefined;
      const leftMs = (minute?.endsAt ?? 0) - performance.now();
      if (minute && minute.failures >= failuresMax && leftMs > 0) throw new TooManyGuesses(Math.ceil(leftMs / 1000));
    },
    failed(address) {
      const network = addressNetwork(address);
      const minute = minutes.get(network);
      if (minute && minute.endsAt > performance.now()) minute.failures += 1;
      else minutes.set(network, { failures: 1, endsAt: performance.now() + windowMs });
    },
  };
}
