/** The relay: gives committed events gap-free positions and delivers them in order to consumers, effectively exactly once. */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { withRequest } from '../telemetry/tracing.ts';
import { createDelivery } from './delivery.ts';
import type { Leadership } from './leadership.ts';
import { catchUpSteps, maintenanceSteps, runAll, runStep, type MaintenanceOptions, type MaintenanceStep } from './maintenance.ts';
import { outboxChannel } from './outbox.ts';

export interface Relay {
  /** Resolves when all events committed before the call are consumed. */
  drain(): Promise<void>;
  /** Runs all periodic steps now. */
  maintain(): Promise<void>;
  close(): Promise<void>;
}

export interface RelayOptions extends MaintenanceOptions {
  readonly leadership: Leadership;
  /** Longest pause between two passes; default: 10 s. */
  readonly pollMs?: number | undefined;
  /** Interval of maintenance steps; default: one hour. Infinity: only on request. */
  readonly maintenanceMs?: number | undefined;
  /** Interval of catch-up steps; default: 10 s. Infinity: only on request. */
  readonly catchUpMs?: number | undefined;
}

const maintenanceMs = 3_600_000;
const catchUpMs = 10_000;

/** A step that runs once per interval, or again if it has more to do. Steps with the same interval and start run in the same passes. */
function recurring(everyMs: number, startedMs: number, step: MaintenanceStep, log: Logger) {
  let atMs = everyMs === Infinity ? Infinity : 0;
  return {
    /** Runs the step if it is due. */
    async run(): Promise<void> {
      const now = Date.now();
      if (now < atMs) return;
      const ids = { requestId: `relay-${randomUUID()}` };
      const hasMore = await withRequest({ name: step.name, kind: 'CONSUMER' }, ids, () => runStep(step, log));
      atMs = hasMore ? now : startedMs + (Math.floor((now - startedMs) / everyMs) + 1) * everyMs;
    },
    /** Time of the next run, in milliseconds since the epoch. */
    atMs: (): number => atMs,
  };
}

/** Starts a relay. Of all relays on a database, that of the leader is active; the others are on standby. */
export function createRelay(options: RelayOptions): Relay {
  const { log, leadership, pollMs } = options;
  const delivery = createDelivery(options);
  const startedMs = Date.now();
  const steps = [
    { name: 'retry dead letters', run: () => delivery.retryDeadLetters(false).then(() => false) },
    ...catchUpSteps(options),
  ].map((step) => recurring(options.catchUpMs ?? catchUpMs, startedMs, step, log));
  steps.push(...maintenanceSteps(options).map((step) => recurring(options.maintenanceMs ?? maintenanceMs, startedMs, step, log)));

  async function pass(): Promise<number> {
    await delivery.nextRound();
    for (const { run } of steps) await run();
    const nextMs = Math.min(delivery.nextAttemptMs(), ...steps.map(({ atMs }) => atMs()));
    return Math.max(0, nextMs - Date.now());
  }
  // after the end of another leader, the positions are read again
  const loop = leadership.run({ name: 'relay', channels: [outboxChannel], pass, onElected: delivery.forget, pollMs });

  return {
    drain: () => delivery.retryNow(),
    async maintain() {
      await delivery.retryDeadLetters(true);
      await runAll(catchUpSteps(options), log);
      await runAll(maintenanceSteps(options), log);
    },
    async close() {
      const settled = delivery.close();
      await loop.close();
      await settled;
    },
  };
}
