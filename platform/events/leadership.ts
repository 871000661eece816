/** Leader election: of all processes with a database, one runs the loops of the relay and of workers. The others are on standby. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Area } from '../../schema/areas.ts';
import { startLoop, type Loop, type LoopOptions } from './leader-loop.ts';
import { createLease, leaseMs } from './lease.ts';
import { createPause } from './pause.ts';
import { createSession, type SessionOptions } from './session.ts';

/** A third of the lease: two renewals can fail. */
const renewalMs = 1_200;
/** Interval of the attempts of a standby, and after a failure. */
const attemptMs = 1_000;
const acquirePauseMs = 100;

export interface Leadership {
  /** Whether this process is the leader. */
  isHeld(): boolean;
  /**
   * Waits until this process is the leader. Throws Error while the database is unavailable, and if another process stays the leader for
   * longer than a lease.
   */
  acquire(): Promise<void>;
  /** Runs a loop while this process is the leader. */
  run(options: LoopOptions): Loop;
  /** Gives the leadership up. The caller has closed the loops. */
  close(): Promise<void>;
}

export interface LeadershipOptions extends Pick<SessionOptions, 'url' | 'onStatement'> {
  /** The areas of the database. The lease is in the table `relay_lease` of the first one. */
  readonly areas: readonly Area[];
  readonly log: Logger;
}

/** Takes part in the election. One session renews the lease and receives the notifications of all loops. */
export function createLeadership({ url, areas: [area], log, onStatement }: LeadershipOptions): Leadership {
  if (area === undefined) throw new Error('The election of a leader requires an area.');
  const session = createSession({ url, name: 'leader', onStatement });
  const wakeUps: (() => void)[] = [];
  let term = 0;
  const lease = createLease({
    session,
    table: `${area}.relay_lease`,
    log,
    onAcquired() {
      log.info({ area }, 'leader elected');
      term += 1;
      for (const wakeUp of wakeUps) wakeUp();
    },
  });
  const pause = createPause();
  let closed = false;

  async function takePart(): Promise<void> {
    while (!closed) {
      const isHeld = await lease.acquire().catch((error: unknown) => {
        log.warn({ err: error }, 'lease not renewed');
        return false;
      });
      await pause.wait(isHeld ? renewalMs : attemptMs);
    }
  }
  const ended = takePart();

  return {
    isHeld: lease.isHeld,
    async acquire() {
      const deadlineMs = performance.now() + 2 * leaseMs;
      while (!lease.isHeld() && !(await lease.acquire())) {
        if (performance.now() > deadlineMs) throw new Error('Another process is the leader.');
        await sleep(acquirePauseMs);
      }
    },
    run({ channels, ...options }) {
      const loop = startLoop(options, { isHeld: lease.isHeld, term: () => term, log });
      wakeUps.push(loop.wakeUp);
      for (const channel of channels) session.listen(channel, loop.wakeUp);
      return loop;
    },
    async close() {
      closed = true;
      pause.wakeUp();
      await ended;
      await lease.release();
      await session.close();
    },
  };
}
