/** The worker of the accounts area: webhooks, and meter events if the operator set a Stripe account. */
import type { OpenWorker } from '../../platform/events/worker.ts';
import type { AreaServices } from '../runtime/subgraph.ts';
import { meterWorker } from './meter-events/worker.ts';
import { webhookWorker } from './webhooks/worker.ts';

/** Describes the workers as one. */
export function accountWorkers(services: AreaServices): OpenWorker {
  const { stripe } = services;
  const all = [webhookWorker(services), ...(stripe === null ? [] : [meterWorker(services, stripe)])];
  return (options) => {
    const workers = all.map((open) => open(options));
    return {
      drain: async () => void (await Promise.all(workers.map((worker) => worker.drain()))),
      maintain: async () => void (await Promise.all(workers.map((worker) => worker.maintain()))),
      close: async () => void (await Promise.all(workers.map((worker) => worker.close()))),
    };
  };
}
