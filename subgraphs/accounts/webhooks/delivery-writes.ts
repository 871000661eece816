/** Deliveries that an account requests: tests, retries and replays. */
import { randomUUID } from 'node:crypto';
import { rejectInvalid } from '../../../schema/errors.ts';
import { webhookChannel } from '../../../schema/feed.ts';
import { sql, type Queryable, type Sql } from '../../../platform/database/database.ts';
import type { TransitionArguments } from '../../../platform/writes/lifecycle.ts';
import { lockOwned } from '../../../platform/writes/resource.ts';
import { Problem } from '../../../schema/errors.ts';
import type { WriteTransaction } from '../../../platform/writes/write.ts';
import { replaysOf, type AreaServices, type Context } from '../../runtime/subgraph.ts';
import type { MutationReplayWebhookEventsArgs, MutationRetryWebhookDeliveryArgs } from '../generated/resolvers.ts';
import { webhookDeliveries, type WebhookDeliveryRow } from './delivery-rows.ts';
import { matchesEndpoint } from './event-match.ts';
import type { WebhookReads } from './reads.ts';
import { webhookEndpointResource, type WebhookEndpointRow } from './rows.ts';
import { examinedMax, periodViolations, requireEnabled, requireReplayable, typeViolations, type ReplayCount } from './rules.ts';

/** Wakes up the sender at the commit. */
const wakeSender = (transaction: Queryable) =>
  transaction.query(sql`/* webhookDeliveries.wake */ select pg_notify(${webhookChannel}, '')`);

/** Notes in the history what was requested; the endpoint itself does not change. */
const note = (transaction: WriteTransaction, action: string, row: WebhookEndpointRow): void =>
  transaction.record({ action, event: null, resourceType: webhookEndpointResource.type, before: row, after: row });

const eventsOf = (endpointId: string, { since, until, types }: MutationReplayWebhookEventsArgs['input']): Sql =>
  sql`from event e join webhook_endpoint w on w.id = ${endpointId} and ${matchesEndpoint}
    where e.at >= ${since}::timestamptz and e.at < coalesce(${until ?? null}::timestamptz, 'infinity')
      and (${types ? [...types] : null}::text[] is null or e.type = any(${types ? [...types] : null}::text[]))`;

/** Writes over the area's database. */
export function createDeliveryWrites({ writer }: AreaServices, reads: WebhookReads) {
  const replayable = replaysOf(reads.byId);

  async function lockEnabled(transaction: WriteTransaction, context: Context, id: string): Promise<WebhookEndpointRow> {
    const row = await lockOwned(transaction, webhookEndpointResource, context.viewer, id);
    requireEnabled(row);
    return row;
  }

  return {
    /** Throws Problem not_found (404) or conflict (409: disabled). */
    test(context: Context, { id, idempotencyKey }: TransitionArguments): Promise<WebhookEndpointRow> {
      const work = async (transaction: WriteTransaction): Promise<WebhookEndpointRow> => {
        const row = await lockEnabled(transaction, context, id);
        await transaction.query(sql`/* webhookDeliveries.insertTest */
          insert into webhook_delivery (endpoint_id, event_id, type, resource_id) values (${id}, ${randomUUID()}, 'webhook.test', ${id})`);
        note(transaction, 'test', row);
        await wakeSender(transaction);
        return row;
      };
      return writer.write(context, work, replayable(context, 'testWebhookEndpoint', idempotencyKey, { id }));
    },
    /** Throws Problem not_found (404), conflict (409: disabled, or too many events) or validation_failed (422). */
    replay(context: Context, { id, input, idempotencyKey }: MutationReplayWebhookEventsArgs): Promise<WebhookEndpointRow> {
      rejectInvalid([...periodViolations(input.since, input.until), ...typeViolations(input.types)]);
      const work = async (transaction: WriteTransaction): Promise<WebhookEndpointRow> => {
        const row = await lockEnabled(transaction, context, id);
        const events = eventsOf(id, input);
        // of the events that the account may not know of, only a number is noticed that the sequences of the feed show as well
        const [count] = await transaction.query<ReplayCount>(sql`/* webhookDeliveries.countReplay */
          select count(*)::int as examined, count(*) filter (where is_known)::int as known from (
            select e.was_public or e.account_id = w.account_id or e.audience @> array[w.account_id] as is_known ${events}
            limit ${examinedMax + 1}
          ) e`);
        requireReplayable(count ?? { examined: 0, known: 0 });
        await transaction.query(sql`/* webhookDeliveries.insertReplay */
          insert into webhook_delivery (endpoint_id, event_id, type, resource_id, is_replay)
          select w.id, e.id, e.type, e.resource_id, true ${events} order by e.sequence`);
        note(transaction, 'replay', row);
        await wakeSender(transaction);
        return row;
      };
      return writer.write(context, work, replayable(context, 'replayWebhookEvents', idempotencyKey, { id, input }));
    },
    /** Throws Problem not_found (404) or conflict (409: disabled). */
    retry(context: Context, { endpointId, id, idempotencyKey }: MutationRetryWebhookDeliveryArgs): Promise<WebhookDeliveryRow> {
      const work = async (transaction: WriteTransaction): Promise<WebhookDeliveryRow> => {
        note(transaction, 'retry', await lockEnabled(transaction, context, endpointId));
        const [delivery] = await transaction.query<WebhookDeliveryRow>(sql`/* webhookDeliveries.retry */
          update webhook_delivery set status = 'PENDING', next_attempt_at = now()
          where id = ${id} and endpoint_id = ${endpointId} and attempts > 0 returning ${webhookDeliveries.columns}`);
        if (!delivery) throw new Problem('not_found', `There is no delivery with the ID ${id}.`);
        await wakeSender(transaction);
        return delivery;
      };
      context.notes.minor = true;
      const reload = (found: string) => reads.delivery(context, endpointId, found);
      return writer.write(context, work, {
        operation: 'retryWebhookDelivery',
        key: idempotencyKey,
        input: { endpointId, id },
        reload,
      });
    },
  };
}
