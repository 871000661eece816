/** Limits reads of sessions by cookies that belong to no session, in memory: each would cost a statement of the database. */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { createNetworkLimit } from './network-limit.ts';

export interface SessionLimit {
  /** Reads the session of a token. Throws Problem rate_limited (429) instead when a network has sent too many tokens without a session. */
  read<Session>(token: string, address: string, read: (token: string) => Promise<Session | null>): Promise<Session | null>;
}

/** Unknown tokens per network and minute: enough for an office whose sessions a new router does not know yet. */
const unknownPerMinute = { max: 300, windowMs: 60_000 };

/** Local to the process. The token of a session that was read before is not limited. */
export function createSessionLimit(limits = unknownPerMinute): SessionLimit {
  const unknown = createNetworkLimit(limits);
  const known = new LRUCache<string, true>({ max: 10_000 });
  return {
    async read(token, address, read) {
      const key = createHash('sha256').update(token).digest('base64');
      if (!known.has(key)) unknown.check(address);
      const session = await read(token);
      if (session === null) known.delete(key);
      else known.set(key, true);
      return session;
    },
  };
}
