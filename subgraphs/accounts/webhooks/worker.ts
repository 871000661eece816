/** The worker of webhooks: one process at a time schedules the events of the feed for endpoints and sends the deliveries that are due. */
import type { Logger } from 'pino';
import { createLease, leaseIntervalMs } from '../../../platform/events/lease.ts';
import { createListener } from '../../../platform/events/listener.ts';
import { createPause } from '../../../platform/events/pause.ts';
import type { OpenWorker } from '../../../platform/events/worker.ts';
import { feedChannel, webhookChannel } from '../../../schema/feed.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import { createDisabling } from './disabling.ts';
import { dispatchEvents } from './dispatcher.ts';
import { loadDue, untilNextRetryMs } from './due-deliveries.ts';
import { createSender } from './sender.ts';

/** Notifications wake the worker up; the poll finds what a lost one announced. */
const idlePollMs = 10_000;
const unnotifiedPollMs = 1_000;
const retryMs = 1_000;
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

/** Describes the worker; the process that has the lease of all that run is active. Throws Error without secrets. */
export const webhookWorker =
  (services: AreaServices): OpenWorker =>
  ({ listenUrl, outgoing, log }) => {
    const { database, secrets } = services;
    if (!secrets) throw new Error('The worker of webhooks requires `secrets`.');
    const pause = createPause();
    const lease = createLease({ database, table: 'accounts.webhook_lease', name: 'webhook sender', log });
    const channels = [feedChannel, webhookChannel];
    const listener = createListener(listenUrl, { name: 'webhook listener', channels }, pause.wakeUp);
    const disabling = createDisabling(services);
    // without deliveries in the database, more room is no reason for a pass
    let hasMore = false;
    const onRoom = (): void => {
      if (hasMore || draining > 0) pause.wakeUp();
    };
    const sender = createSender({ services, secrets, outgoing, disabling, log, isActive: lease.isHeld, onRoom });
    const checkPlans = every(plansEveryMs, disabling.disableExcess);
    let closed = false;
    let draining = 0;

    async function schedule(): Promise<boolean> {
      for (let round = 0; round < roundsMax; round += 1) if (!(await dispatchEvents(database))) return false;
      return true;
    }

    async function load(): Promise<number> {
      const due = await loadDue(database, sender.lanes.known(), sender.lanes.full());
      hasMore = due.length > 0;
      sender.add(due);
      return due.length;
    }

    /** One pass of the loop. Returns the pause before the next one. */
    async function pass(): Promise<number> {
      if (!lease.isHeld()) {
        sender.clear();
        if (!(await lease.acquire())) return leaseIntervalMs;
      }
      const pollMs = await listenOrPoll(listener, log);
      const more = await schedule();
      await load();
      await checkPlans();
      if (more) return 0;
      const nextMs = (await untilNextRetryMs(database)) ?? Infinity;
      // deliveries in memory may wait for a pause of their lane
      return Math.min(pollMs, Math.max(nextMs, retryPassMs), sender.lanes.isEmpty() ? Infinity : lanePassMs);
    }

    async function loop(): Promise<void> {
      while (!closed) {
        const waitMs = await pass().catch((error: unknown) => {
          log.warn({ err: error }, 'retrying webhooks');
          return retryMs;
        });
        await pause.wait(waitMs);
      }
    }
    const ended = loop();

    return {
      async drain() {
        draining += 1;
        try {
          if (await lease.acquire()) await disabling.disableExcess();
          while (!closed && (await lease.acquire())) {
            const more = await schedule();
            if ((await load()) === 0 && !more && sender.lanes.isEmpty()) break;
            await new Promise((resolve) => setTimeout(resolve, 5));
          }
        } finally {
          draining -= 1;
        }
      },
      async close() {
        closed = true;
        pause.wakeUp();
        await ended;
        await sender.close();
        await lease.release();
        await listener.close();
      },
    };
  };

/** Without notifications the worker polls more often. */
async function listenOrPoll(listener: ReturnType<typeof createListener>, log: Logger): Promise<number> {
  await listener.connect().catch((error: unknown) => log.warn({ err: error }, 'webhook sender does not receive notifications'));
  return listener.isConnected() ? idlePollMs : unnotifiedPollMs;
}
