/** The relay: gives committed events gap-free positions and delivers them in order to consumers, effectively exactly once. */
import type pg from 'pg';
import type { Logger } from 'pino';
import { createDelivery, type DeliveryOptions } from './delivery.ts';
import { connectLeader } from './leader.ts';
import { catchUpSteps, maintenanceSteps, runAll, runStep, type MaintenanceStep } from './maintenance.ts';

export interface Relay {
  /** Resolves when all events committed before the call are consumed. */
  drain(): Promise<void>;
  /** Runs all periodic steps now. */
  maintain(): Promise<void>;
  close(): Promise<void>;
}

export interface RelayOptions extends DeliveryOptions {
  /** Connects as talent_relay, not through a pooler: LISTEN and session locks need a direct connection. */
  readonly url: string;
  readonly pollMs?: number;
  /** Interval of maintenance steps; default: one hour. Infinity: only on request. */
  readonly maintenanceMs?: number | undefined;
  /** Interval of catch-up steps; default: 10 s. Infinity: only on request. */
  readonly catchUpMs?: number | undefined;
}

const retryMs = 1_000;
const maintenanceMs = 3_600_000;
const catchUpMs = 10_000;

/** Runs a step once per interval, or again if it has more to do. Each call returns whether there is more to do. */
function recurring(everyMs: number, step: MaintenanceStep, log: Logger): () => Promise<boolean> {
  let at = everyMs === Infinity ? Infinity : 0;
  let more = false;
  return async () => {
    if (!more && Date.now() < at) return false;
    if (!more) at = Date.now() + everyMs;
    more = await runStep(step, log);
    return more;
  };
}

/** A pause that can be ended early. */
function createPause() {
  let wakeUp: () => void = () => undefined;
  return {
    wakeUp: (): void => wakeUp(),
    wait: (milliseconds: number): Promise<void> =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        wakeUp = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
  };
}

/** Starts a relay. Of all relays on a database, the one that holds the lock is active; the others are on standby. */
export function createRelay(options: RelayOptions): Relay {
  const { log } = options;
  let closed = false;
  let session: pg.Client | null = null;
  const pause = createPause();
  const delivery = createDelivery(options);
  const recurringSteps = [
    ...catchUpSteps(options).map((step) => recurring(options.catchUpMs ?? catchUpMs, step, log)),
    ...maintenanceSteps(options).map((step) => recurring(options.maintenanceMs ?? maintenanceMs, step, log)),
  ];

  const isLeader = (): boolean => session !== null;

  function onLost(client: pg.Client): void {
    // a session without the leader lock must not wake up the loop: it would retry without a pause
    if (session !== client) return;
    session = null;
    pause.wakeUp();
  }

  /** One pass of the loop. Returns the pause before the next one. */
  async function pass(): Promise<number> {
    session ??= await connectLeader(options.url, { onNotification: pause.wakeUp, onLost });
    if (!isLeader()) return retryMs;
    await delivery.nextRound();
    let more = false;
    for (const runNext of recurringSteps) more = (await runNext()) || more;
    // the session may have been lost during the pass
    if (!isLeader()) return retryMs;
    return more ? 0 : (options.pollMs ?? 200);
  }

  async function loop(): Promise<void> {
    while (!closed) {
      const waitMs = await pass().catch((error: unknown) => {
        log.warn({ err: error }, 'relay database unavailable');
        return retryMs;
      });
      await pause.wait(waitMs);
    }
  }
  const ended = loop();

  return {
    drain: () => delivery.retryNow(),
    async maintain() {
      await runAll(catchUpSteps(options), log);
      await runAll(maintenanceSteps(options), log);
    },
    async close() {
      closed = true;
      pause.wakeUp();
      await ended;
      await session?.end();
    },
  };
}
