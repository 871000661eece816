/** The tables of deliveries and attempts, as accounts read them. */
import { sql } from '../../../platform/database/database.ts';
import { table } from '../../../platform/database/table.ts';
import type { Page } from '../../../platform/lists/page.ts';
import type { WebhookDeliveryStatus, WebhookError } from '../generated/resolvers.ts';

export interface WebhookDeliveryRow {
  readonly id: string;
  readonly endpointId: string;
  readonly createdAt: string;
  readonly eventId: string;
  readonly type: string;
  readonly resourceId: string;
  readonly isReplay: boolean;
  readonly status: WebhookDeliveryStatus;
  readonly attemptCount: number;
  readonly lastAttemptAt: string;
  readonly nextAttemptAt: string | null;
}

export type WebhookDeliveryPage = Page<WebhookDeliveryRow>;

export interface WebhookAttemptRow {
  readonly deliveryId: string;
  readonly number: number;
  readonly at: string;
  readonly status: number | null;
  readonly durationMs: number;
  readonly error: WebhookError | null;
  readonly detail: string | null;
  readonly request: string | null;
  readonly response: string | null;
  /** IDs in the texts, if they contain a resource. */
  readonly mentions: readonly string[];
  /** Read scopes with which the event was rendered. Null: unknown. */
  readonly scopes: readonly string[] | null;
}

export const webhookDeliveries = table<WebhookDeliveryRow>('webhook_delivery', {
  id: 'plain',
  endpointId: 'plain',
  createdAt: 'plain',
  eventId: 'plain',
  type: 'plain',
  resourceId: 'plain',
  isReplay: 'plain',
  status: 'plain',
  attemptCount: sql`webhook_delivery.attempts`,
  lastAttemptAt: 'plain',
  nextAttemptAt: 'plain',
});

export const webhookAttempts = table<WebhookAttemptRow>('webhook_attempt', {
  deliveryId: 'plain',
  number: 'plain',
  at: 'plain',
  status: 'plain',
  durationMs: 'plain',
  error: 'plain',
  detail: 'plain',
  request: 'plain',
  response: 'plain',
  mentions: 'plain',
  scopes: 'plain',
});
