/** Callers of a load gate: a credential is one after it was accepted. Before, requests with it count for their address. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** Credentials that are remembered. */
const credentialsMax = 10_000;

export interface KnownCallers {
  /** The caller of a request. `credential` is as sent and not verified; null without one. */
  callerOf(credential: string | null, address: string): string;
  /** Remembers an accepted credential. Several credentials of one `identity`, such as a session, are one caller. */
  accept(credential: string, identity?: string): void;
}

const hashOf = (credential: string): string => createHash('sha256').update(credential).digest('base64');

export function createKnownCallers(): KnownCallers {
  const known = new LRUCache<string, string>({ max: credentialsMax });
  return {
    callerOf: (credential, address) => (credential === null ? undefined : known.get(hashOf(credential))) ?? address,
    accept(credential, identity) {
      const hash = hashOf(credential);
      known.set(hash, identity ?? hash);
    },
  };
}
