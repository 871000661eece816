/** Callers of a load gate: a credential is one after it was accepted. Before, requests with it count for their address. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** Credentials that are remembered. */
const credentialsMax = 10_000;

/** The caller of one request. */
export interface KnownCaller {
  readonly caller: string;
  /** Remembers the accepted credential. Several credentials of one `identity`, such as a session, are one caller. */
  accept(identity?: string): void;
}

/** Returns the caller of a request. `credential` is as sent and not verified; null without one. */
export type CallerOf = (credential: string | null, address: string) => KnownCaller;

export function createKnownCallers(): CallerOf {
  const known = new LRUCache<string, string>({ max: credentialsMax });
  return (credential, address) => {
    if (credential === null) return { caller: address, accept: () => undefined };
    const hash = createHash('sha256').update(credential).digest('base64');
    return { caller: known.get(hash) ?? address, accept: (identity) => void known.set(hash, identity ?? hash) };
  };
}
