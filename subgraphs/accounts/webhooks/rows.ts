/** The tables of webhook endpoints and their secrets. */
import { table } from '../../../platform/database/table.ts';
import type { Page } from '../../../platform/lists/page.ts';
import type { Resource, ResourceRow } from '../../../platform/writes/resource.ts';
import type { Area, Sport, WebhookDisabledReason, WebhookEndpointStatus } from '../generated/resolvers.ts';

export interface WebhookEndpointRow extends ResourceRow {
  readonly url: string;
  readonly description: string | null;
  /** Filters; an empty list selects all. */
  readonly types: readonly string[];
  readonly areas: Area[];
  readonly sports: Sport[];
  readonly competitionIds: string[];
  readonly organizationIds: string[];
  readonly scopes: readonly string[];
  readonly status: WebhookEndpointStatus;
  readonly disabledReason: WebhookDisabledReason | null;
  readonly disabledAt: string | null;
}

/** A webhook endpoint in a response; with its secret after it was created or rotated. */
export interface WebhookEndpointNode extends WebhookEndpointRow {
  readonly secret?: string | null;
}

export type WebhookEndpointPage = Page<WebhookEndpointRow>;

export interface WebhookSecretRow {
  readonly endpointId: string;
  readonly prefix: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
}

/** The success of an endpoint, which changes without a new version. */
export interface WebhookHealthRow {
  readonly endpointId: string;
  readonly failingSince: string | null;
  readonly lastSuccessAt: string | null;
}

export const webhookEndpoints = table<WebhookEndpointRow>('webhook_endpoint', {
  id: 'plain',
  accountId: 'plain',
  version: 'plain',
  createdAt: 'plain',
  updatedAt: 'plain',
  url: 'plain',
  description: 'plain',
  types: 'plain',
  areas: 'plain',
  sports: 'plain',
  competitionIds: 'plain',
  organizationIds: 'plain',
  scopes: 'plain',
  status: 'plain',
  disabledReason: 'plain',
  disabledAt: 'plain',
});

export const webhookEndpointResource: Resource<WebhookEndpointRow> = {
  type: 'webhook_endpoint',
  table: webhookEndpoints,
  created: 'webhook_endpoint.created',
  updated: 'webhook_endpoint.updated',
  deleted: 'webhook_endpoint.deleted',
  required: ['url'],
  isPublic: () => false,
  hasRegistryIds: false,
};
