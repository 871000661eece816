/** Schedules events of the feed for the endpoints that may receive them, after the position of this dispatcher. */
import { sql, type Database } from '../../../platform/database/database.ts';
import { matchesEndpoint } from './event-match.ts';

const batchSize = 500;

/**
 * Schedules the next events: the deliveries and the position in one statement. Sequences become visible in their order, so no event is missed
 * (docs/decisions/0080-event-feed.md). Returns whether there may be more.
 */
export async function dispatchEvents(database: Database): Promise<boolean> {
  const [row] = await database.query<{ events: number }>(sql`/* webhooks.dispatch */
    with place as materialized (select sequence from webhook_position for update),
    batch as materialized (
      select * from event where sequence > (select sequence from place) order by sequence limit ${batchSize}
    ), scheduled as (
      insert into webhook_delivery (endpoint_id, event_id, type, resource_id)
      select w.id, e.id, e.type, e.resource_id
      from batch e join webhook_endpoint w on w.status = 'ENABLED' and ${matchesEndpoint}
      join account a on a.id = w.account_id and a.status = 'ACTIVE'
      order by e.sequence
    ), moved as (
      update webhook_position set sequence = last.sequence
      from (select max(sequence) as sequence from batch) last where last.sequence is not null
    )
    select count(*)::int as events from batch`);
  return row?.events === batchSize;
}
