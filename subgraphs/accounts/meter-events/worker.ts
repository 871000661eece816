/** The worker of meter events: one process at a time reports usage to Stripe once an hour, and repeats what failed. */
import type { OpenWorker } from '../../../platform/events/worker.ts';
import type { StripeSettings } from '../../../schema/billing.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { createMeterReporter } from './reporter.ts';

const everyMsDefault = 3_600_000;

/** Describes the worker; that of the leader is active. It runs in its own loop: a slow response of Stripe delays nothing else. */
export const meterWorker =
  ({ database }: Pick<AreaServices, 'database'>, settings: StripeSettings): OpenWorker =>
  ({ leadership, outgoing, log, maintenanceMs: everyMs = everyMsDefault }) => {
    const ended = new AbortController();
    const { signal } = ended;
    const reporter = createMeterReporter({ database, outgoing, settings, log, isActive: leadership.isHeld, signal });
    let running: Promise<void> = Promise.resolve();
    let reportAtMs = -Infinity;

    /** One run at a time. A run that the end of the worker interrupts is repeated by another process. */
    function run(work: () => Promise<void>): Promise<void> {
      running = running
        .catch(() => undefined)
        .then(work)
        .catch((error: unknown) => {
          if (!signal.aborted) throw error;
        });
      return running;
    }

    async function pass(): Promise<number> {
      if (everyMs === Infinity) return Infinity;
      if (performance.now() < reportAtMs) await run(reporter.sendDue);
      else {
        await run(reporter.report);
        reportAtMs = performance.now() + everyMs;
      }
      return Infinity;
    }

    // a leader that lost its lease may have ended a report early
    const onElected = (): void => void (reportAtMs = -Infinity);
    const loop = leadership.run({ name: 'meter events', channels: [], pass, onElected });
    return {
      drain: () => Promise.resolve(),
      async maintain() {
        await leadership.acquire();
        await run(reporter.report);
      },
      async close() {
        ended.abort();
        await loop.close();
        await running.catch(() => undefined);
      },
    };
  };
