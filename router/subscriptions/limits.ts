/** The limits of connections with subscriptions (docs/limits.md). */
import { bufferedBytesMax, heartbeatEveryMs } from '../streams/open-streams.ts';

export const limits = {
  bufferedBytes: bufferedBytesMax,
  /** A WebSocket that has not responded to the last heartbeat is closed. */
  heartbeatMs: heartbeatEveryMs,
  /** Time for `connection_init`. */
  initMs: 5_000,
  /** Time after which a WebSocket without subscriptions is closed. */
  idleMs: 60_000,
  /** Subscriptions of one WebSocket. */
  subscriptionsPerConnection: 100,
  /** Bytes of a message of the client. */
  messageBytes: 256 * 1024,
} as const;
