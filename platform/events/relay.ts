/** The relay: gives committed events gap-free positions and delivers them in order to consumers, effectively exactly once. */
import type { Logger } from 'pino';
import { createDelivery, type DeliveryOptions } from './delivery.ts';
import { createLease, leaseIntervalMs } from './lease.ts';
import { createListener } from './listener.ts';
import { catchUpSteps, maintenanceSteps, runAll, runStep, type MaintenanceStep } from './maintenance.ts';
import { outboxChannel } from './outbox.ts';
import { createPause } from './pause.ts';

export interface Relay {
  /** Resolves when all events committed before the call are consumed. */
  drain(): Promise<void>;
  /** Runs all periodic steps now. */
  maintain(): Promise<void>;
  close(): Promise<void>;
}

export interface RelayOptions extends DeliveryOptions {
  /** Connects as talent_relay, not through a pooler: LISTEN needs a direct connection. */
  readonly url: string;
  /** Longest pause between two passes; default: 5 s, and 200 ms while notifications do not arrive. */
  readonly pollMs?: number;
  /** Interval of maintenance steps; default: one hour. Infinity: only on request. */
  readonly maintenanceMs?: number | undefined;
  /** Interval of catch-up steps; default: 10 s. Infinity: only on request. */
  readonly catchUpMs?: number | undefined;
}

const retryMs = 1_000;
/** Commits notify the relay. The poll finds those whose process ended before its notification. */
const idlePollMs = 5_000;
const unnotifiedPollMs = 200;
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

/** Starts a relay. Of all relays on a database, the one that holds the lease is active; the others are on standby. */
export function createRelay(options: RelayOptions): Relay {
  const { log, database, areas, pollMs } = options;
  const [leaseArea] = areas;
  const lease = leaseArea === undefined ? null : createLease({ database, table: `${leaseArea}.relay_lease`, name: 'relay', log });
  let closed = false;
  let wasActive = false;
  const pause = createPause();
  const listener = createListener(options.url, { name: 'relay listener', channels: [outboxChannel] }, pause.wakeUp);
  const delivery = createDelivery(options);
  const recurringSteps = [
    { name: 'retry dead letters', run: () => delivery.retryDeadLetters().then(() => false) },
    ...catchUpSteps(options),
  ].map((step) => recurring(options.catchUpMs ?? catchUpMs, step, log));
  recurringSteps.push(...maintenanceSteps(options).map((step) => recurring(options.maintenanceMs ?? maintenanceMs, step, log)));

  async function isActive(): Promise<boolean> {
    if (lease === null || lease.isHeld()) return true;
    wasActive = false;
    return lease.acquire();
  }

  /** Without notifications the relay polls more often. */
  async function listen(): Promise<number> {
    await listener.connect().catch((error: unknown) => log.warn({ err: error }, 'relay does not receive notifications'));
    return pollMs ?? (listener.isConnected() ? idlePollMs : unnotifiedPollMs);
  }

  /** One pass of the loop. Returns the pause before the next one. */
  async function pass(): Promise<number> {
    if (!(await isActive())) return leaseIntervalMs;
    if (!wasActive) delivery.forget();
    wasActive = true;
    const waitMs = await listen();
    await delivery.nextRound();
    let more = false;
    for (const runNext of recurringSteps) more = (await runNext()) || more;
    return more ? 0 : Math.max(0, Math.min(waitMs, delivery.nextAttemptMs() - Date.now()));
  }

  async function loop(): Promise<void> {
    while (!closed) {
      const waitMs = await pass().catch((error: unknown) => {
        log.warn({ err: error }, 'retrying relay');
        return retryMs;
      });
      // `close` ends the pause, also one that has not started
      await pause.wait(waitMs);
    }
  }
  const ended = loop();

  return {
    drain: () => delivery.retryNow(),
    async maintain() {
      await delivery.retryDeadLetters();
      await runAll(catchUpSteps(options), log);
      await runAll(maintenanceSteps(options), log);
    },
    async close() {
      closed = true;
      pause.wakeUp();
      await ended;
      await lease?.release();
      await listener.close();
    },
  };
}
