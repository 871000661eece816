/** The workers of the accounts area: webhooks, versions of the platform, and meter events if the operator set a Stripe account. */
import type { OpenWorker } from '../../platform/events/worker.ts';
import type { AreaServices } from '../runtime/subgraph.ts';
import { deploymentWorker } from './deployments/worker.ts';
import { meterWorker } from './meter-events/worker.ts';
import { webhookWorker } from './webhooks/worker.ts';

export function accountWorkers(services: AreaServices): readonly OpenWorker[] {
  const { mode, stripe } = services;
  return [
    webhookWorker(services),
    // a sandbox has no request log
    ...(mode === 'LIVE' ? [deploymentWorker(services)] : []),
    ...(stripe === null ? [] : [meterWorker(services, stripe)]),
  ];
}
