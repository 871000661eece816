/** The worker of webhooks: one process at a time schedules the events of the feed for endpoints and sends the deliveries that are due. */
import type { OpenWorker } from '../../../platform/events/worker.ts';
import { feedChannel, webhookChannel } from '../../../schema/feed.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { createDisabling } from './disabling.ts';
import { dispatchEvents } from './dispatcher.ts';
import { loadDue, untilNextRetryMs } from './due-deliveries.ts';
import { createSender } from './sender.ts';

/** Interval of the comparison with the plans of accounts. */
const plansEveryMs = 60_000;
/** Shortest pause before attempts that are due, and longest while deliveries are in memory. */
const retryPassMs = 100;
const lanePassMs = 1_000;
/** Rounds of scheduling between two loads. */
const roundsMax = 10;

/** A step that runs at most once per interval, and again after it failed. */
function every(intervalMs: number, step: () => Promise<void>) {
  let atMs = -Infinity;
  return async (): Promise<void> => {
    if (performance.now() - atMs < intervalMs) return;
    await step();
    atMs = performance.now();
  };
}

/** Describes the worker; that of the leader is active. Throws Error without secrets. */
export const webhookWorker =
  (services: AreaServices): OpenWorker =>
  ({ leadership, outgoing, log }) => {
    const { database, secrets } = services;
    if (!secrets) throw new Error('The worker of webhooks requires `secrets`.');
    const disabling = createDisabling(services);
    // without deliveries in the database, more room is no reason for a pass
    let hasMore = false;
    const onRoom = (): void => {
      if (hasMore || draining > 0) loop.wakeUp();
    };
    const sender = createSender({ services, secrets, outgoing, disabling, log, isActive: leadership.isHeld, onRoom });
    const checkPlans = every(plansEveryMs, disabling.disableExcess);
    let closed = false;
    let draining = 0;

    async function schedule(): Promise<boolean> {
      for (let round = 0; round < roundsMax; round += 1) if (!(await dispatchEvents(database))) return false;
      return true;
    }

    async function loadNow(): Promise<number> {
      const due = await loadDue(database, sender.lanes.known(), sender.lanes.full());
      hasMore = due.length > 0;
      sender.add(due);
      return due.length;
    }
    let loading: Promise<number> = Promise.resolve(0);
    /** One load at a time: what a concurrent one has read could be sent and recorded before it is added. */
    const load = (): Promise<number> => (loading = loading.catch(() => 0).then(loadNow));

    /** Returns the pause before the next pass. */
    async function pass(): Promise<number> {
      const more = await schedule();
      await load();
      await checkPlans();
      if (more) return 0;
      const nextMs = (await untilNextRetryMs(database)) ?? Infinity;
      // deliveries in memory may wait for a pause of their lane
      return Math.min(Math.max(nextMs, retryPassMs), sender.lanes.isEmpty() ? Infinity : lanePassMs);
    }

    const channels = [feedChannel, webhookChannel];
    const loop = leadership.run({ name: 'webhooks', channels, pass, onElected: sender.clear });

    return {
      async drain() {
        draining += 1;
        try {
          await leadership.acquire();
          await disabling.disableExcess();
          while (!closed) {
            await leadership.acquire();
            const more = await schedule();
            if ((await load()) === 0 && !more && sender.lanes.isEmpty()) break;
            await new Promise((resolve) => setTimeout(resolve, 5));
          }
        } finally {
          draining -= 1;
        }
      },
      maintain: () => Promise.resolve(),
      async close() {
        closed = true;
        await loop.close();
        await sender.close();
      },
    };
  };
