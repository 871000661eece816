/** Keeps the embedded PostgreSQL available: restarts it after a crash, and when a full disk has space again. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Lease } from './lease.ts';

export interface SupervisionOptions {
  /** The lease of the running server. */
  readonly lease: Lease;
  /** Starts or adopts the server and returns the new lease. Throws when it does not start. */
  readonly restart: (signal: AbortSignal) => Promise<Lease>;
  readonly log: Logger;
}

export interface Supervision {
  /** Time since the first failed restart in ms; 0 while the server runs, or while its first restart is in progress. */
  failingMs(): number;
  /** Ends the supervision. Resolves with the current lease; null while there is no server. */
  stop(): Promise<Lease | null>;
}

const pauseMs = { first: 100, max: 5_000 } as const;

/** A lost connection of the lease means that the server ended, or that its sessions were ended: the lease is opened again. */
export function supervise({ lease: first, restart, log }: SupervisionOptions): Supervision {
  const stopping = new AbortController();
  const stopped = new Promise<void>((resolve) => stopping.signal.addEventListener('abort', () => resolve(), { once: true }));
  const isStopping = (): boolean => stopping.signal.aborted;
  let failedAtMs: number | null = null;

  async function recover(): Promise<Lease | null> {
    log.error('embedded PostgreSQL connection lost');
    const lostAtMs = performance.now();
    for (let pause: number = pauseMs.first; !isStopping(); pause = Math.min(2 * pause, pauseMs.max)) {
      try {
        const lease = await restart(stopping.signal);
        failedAtMs = null;
        log.info({ durationMs: Math.round(performance.now() - lostAtMs) }, 'embedded PostgreSQL recovered');
        return lease;
      } catch (err) {
        if (isStopping()) break;
        failedAtMs ??= performance.now();
        log.error({ err, retryMs: pause }, 'embedded PostgreSQL not restarted');
      }
      await Promise.race([sleep(pause, undefined, { ref: false }), stopped]);
    }
    return null;
  }

  async function run(): Promise<Lease | null> {
    let lease: Lease | null = first;
    while (lease !== null) {
      await Promise.race([lease.lost, stopped]);
      if (isStopping()) break;
      lease = await recover();
    }
    return lease;
  }
  const running = run();

  return {
    failingMs: () => (failedAtMs === null ? 0 : performance.now() - failedAtMs),
    stop() {
      stopping.abort();
      return running;
    },
  };
}
