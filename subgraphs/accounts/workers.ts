/** The workers of the accounts area: webhooks, and meter events if the operator set a Stripe account. */
import type { OpenWorker } from '../../platform/events/worker.ts';
import type { AreaServices } from '../runtime/subgraph.ts';
import { meterWorker } from './meter-events/worker.ts';
import { webhookWorker } from './webhooks/worker.ts';

export function accountWorkers(services: AreaServices): readonly OpenWorker[] {
  const { stripe } = services;
  return [webhookWorker(services), ...(stripe === null ? [] : [meterWorker(services, stripe)])];
}
