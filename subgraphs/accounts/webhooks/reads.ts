/** Reads of webhook endpoints, their deliveries and attempts. An account reads its own; administrators read all. */
import { sql, type Sql } from '../../../platform/database/database.ts';
import { inOrder } from '../../../platform/database/table.ts';
import { readPage, sortBy } from '../../../platform/lists/page.ts';
import { requireAccount, resourceNotFound } from '../../../platform/writes/resource.ts';
import { hasFullAccess, owns, type Viewer } from '../../../schema/viewer.ts';
import type { AreaServices, BatchRead, Context } from '../../runtime/subgraph.ts';
import type {
  QueryWebhookDeliveriesArgs,
  QueryWebhookEndpointsArgs,
  WebhookDeliveryFilter,
  WebhookEndpointFilter,
} from '../generated/resolvers.ts';
import {
  webhookAttempts,
  webhookDeliveries,
  type WebhookAttemptRow,
  type WebhookDeliveryPage,
  type WebhookDeliveryRow,
} from './delivery-rows.ts';
import { webhookEndpoints, type WebhookEndpointPage, type WebhookEndpointRow, type WebhookHealthRow } from './rows.ts';

/** Attempts of a delivery that are returned: more than the automatic ones. */
const attemptsMax = 50;

function conditionsOf(viewer: Viewer, { ids, status, failing, accountId }: WebhookEndpointFilter): Sql[] {
  const where = hasFullAccess(viewer) ? [] : [sql`webhook_endpoint.account_id = ${requireAccount(viewer)}`];
  if (ids) where.push(sql`webhook_endpoint.id = any(${[...ids]}::uuid[])`);
  if (status) where.push(sql`webhook_endpoint.status = ${status}`);
  if (accountId) where.push(sql`webhook_endpoint.account_id = ${accountId}`);
  if (failing !== null && failing !== undefined)
    where.push(sql`${failing} = exists (select from webhook_health h
      where h.endpoint_id = webhook_endpoint.id and h.failing_since is not null)`);
  return where;
}

function deliveryConditions(endpointId: string, { status, type, since }: WebhookDeliveryFilter): Sql[] {
  // before its first attempt a delivery may be of an event that the account cannot read
  const where = [sql`webhook_delivery.endpoint_id = ${endpointId}`, sql`webhook_delivery.attempts > 0`];
  if (status) where.push(sql`webhook_delivery.status = ${status}`);
  if (type) where.push(sql`webhook_delivery.type = any(${[...type]})`);
  if (since) where.push(sql`webhook_delivery.created_at >= ${since}::timestamptz`);
  return where;
}

/** Reads over the area's database. Deliveries can show data of minors, so responses must not be cached (`notes.minor`). */
export function createWebhookReads({ database, cursors }: AreaServices) {
  const byId: BatchRead<string, WebhookEndpointRow | null> = async (ids, { viewer }) => {
    const rows = await database.query<WebhookEndpointRow>(
      sql`/* webhookEndpoints.byIds */ select ${webhookEndpoints.columns} from webhook_endpoint where id = any(${[...ids]}::uuid[])`,
      'PAGE',
    );
    const visible = rows.filter((row) => owns(viewer, row.accountId) || hasFullAccess(viewer));
    return inOrder(ids, visible, ({ id }) => id);
  };

  const healthOf: BatchRead<string, WebhookHealthRow | null> = async (ids) =>
    inOrder(
      ids,
      await database.query<WebhookHealthRow>(sql`/* webhookHealth.ofEndpoints */
        select endpoint_id as "endpointId", failing_since as "failingSince", last_success_at as "lastSuccessAt"
        from webhook_health where endpoint_id = any(${[...ids]}::uuid[])`),
      ({ endpointId }) => endpointId,
    );

  const attemptsOf: BatchRead<string, WebhookAttemptRow[]> = async (ids) => {
    const rows = await database.query<WebhookAttemptRow>(sql`/* webhookAttempts.ofDeliveries */
      select a.* from unnest(${[...ids]}::uuid[]) as d(id) cross join lateral (
        select ${webhookAttempts.columns} from webhook_attempt where delivery_id = d.id order by number desc limit ${attemptsMax}
      ) a order by a.number`);
    const byDelivery = Map.groupBy(rows, ({ deliveryId }) => deliveryId);
    return ids.map((id) => byDelivery.get(id) ?? []);
  };

  return {
    byId,
    healthOf,
    attemptsOf,
    list({ viewer }: Context, { first, after, filter }: QueryWebhookEndpointsArgs): Promise<WebhookEndpointPage> {
      const list = {
        name: 'webhookEndpoints.list',
        columns: webhookEndpoints.columns,
        from: sql`webhook_endpoint`,
        id: sql`webhook_endpoint.id`,
        where: conditionsOf(viewer, filter ?? {}),
        sort: sortBy(webhookEndpoints, 'createdAt', 'timestamptz', 'desc'),
        filter: [filter ?? {}],
      };
      return readPage(database, cursors, list, { first: first ?? 20, after });
    },
    /** Throws Problem not_found (404) unless the endpoint is visible to the viewer. */
    async deliveries(context: Context, { endpointId, first, after, filter }: QueryWebhookDeliveriesArgs) {
      context.notes.minor = true;
      if ((await context.load(byId, endpointId)) === null) throw resourceNotFound('webhook_endpoint', endpointId);
      const list = {
        name: 'webhookDeliveries.list',
        columns: webhookDeliveries.columns,
        from: sql`webhook_delivery`,
        id: sql`webhook_delivery.id`,
        where: deliveryConditions(endpointId, filter ?? {}),
        sort: sortBy(webhookDeliveries, 'createdAt', 'timestamptz', 'desc'),
        filter: [endpointId, filter ?? {}],
      };
      const page: Promise<WebhookDeliveryPage> = readPage(database, cursors, list, { first: first ?? 20, after });
      return page;
    },
    /** A delivery of an endpoint; null unless both are visible to the viewer. */
    async delivery(context: Context, endpointId: string, id: string): Promise<WebhookDeliveryRow | null> {
      context.notes.minor = true;
      if ((await context.load(byId, endpointId)) === null) return null;
      const [row] = await database.query<WebhookDeliveryRow>(sql`/* webhookDeliveries.byId */
        select ${webhookDeliveries.columns} from webhook_delivery where id = ${id} and endpoint_id = ${endpointId} and attempts > 0`);
      return row ?? null;
    },
  };
}

export type WebhookReads = ReturnType<typeof createWebhookReads>;
