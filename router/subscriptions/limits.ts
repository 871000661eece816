/** The limits of connections with subscriptions (docs/limits.md). */
export const limits = {
  /** Bytes that wait for a client that does not read, before it is disconnected. */
  bufferedBytes: 256 * 1024,
  /** Interval of heartbeats; a WebSocket that has not responded to the last one is closed. */
  heartbeatMs: 15_000,
  /** Time for `connection_init`. */
  initMs: 5_000,
  /** Time after which a WebSocket without subscriptions is closed. */
  idleMs: 60_000,
  /** Subscriptions of one WebSocket. */
  subscriptionsPerConnection: 100,
  /** Bytes of a message of the client. */
  messageBytes: 256 * 1024,
} as const;
