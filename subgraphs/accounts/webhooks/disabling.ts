/** Disables webhook endpoints on behalf of the platform, and notifies their accounts with an event. */
import { Problem } from '../../../schema/errors.ts';
import { SYSTEM } from '../../../schema/viewer.ts';
import { changeRow, lockRow } from '../../../platform/writes/resource.ts';
import type { AreaServices } from '../../runtime/subgraph.ts';
import type { WebhookDisabledReason } from '../generated/resolvers.ts';
import { findExcessEndpoints } from './endpoint-use.ts';
import { webhookEndpointResource } from './rows.ts';

/** Endpoints are disabled by the worker. */
export function createDisabling({ database, writer }: Pick<AreaServices, 'database' | 'writer'>) {
  /** Has no effect on an endpoint that is disabled or deleted. */
  async function disable(id: string, disabledReason: WebhookDisabledReason): Promise<void> {
    try {
      await writer.write({ viewer: SYSTEM, notes: {} }, async (transaction) => {
        const before = await lockRow(transaction, webhookEndpointResource, id);
        if (before.status === 'DISABLED') return before;
        const values = { status: 'DISABLED', disabledReason, disabledAt: new Date().toISOString() } as const;
        const change = { action: 'disable', event: 'webhook_endpoint.disabled', data: { disabledReason } } as const;
        return changeRow(transaction, webhookEndpointResource, before, values, change);
      });
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'not_found')) throw error;
    }
  }

  return {
    disable,
    /** Disables the endpoints that the plans of their accounts do not include any more, the newest first. */
    async disableExcess(): Promise<void> {
      for (const id of await findExcessEndpoints(database)) await disable(id, 'PLAN');
    },
  };
}

export type Disabling = ReturnType<typeof createDisabling>;
