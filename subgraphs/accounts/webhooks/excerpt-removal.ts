/** Removes the stored texts of attempts when the visibility of a resource changes. */
import type { EventType } from '../../../schema/events.ts';
import { sql, type Database, type Queryable } from '../../../platform/database/database.ts';
import type { Consumer, RelayedEvent } from '../../../platform/events/consumer.ts';
import type { Area } from '../../../schema/areas.ts';
import { excerptsLock } from './recorder.ts';

/** Areas whose resources are in the bodies of deliveries. */
const sources: readonly Area[] = ['athletes', 'competitions', 'opportunities', 'organizations'];

/** Changes after which a resource, or a part of it, can be hidden from accounts that could read it; also all deletions. */
const hidingTypes: ReadonlySet<EventType> = new Set([
  'application.status_changed',
  'athlete.merged',
  'athlete.status_changed',
  'athlete.updated',
  'competition.status_changed',
  'consent.withdrawn',
  'membership.status_changed',
  'opportunity.status_changed',
  'organization.status_changed',
  'replay.status_changed',
  'transfer.status_changed',
]);

const canHide = ({ type }: RelayedEvent): boolean => type.endsWith('.deleted') || hidingTypes.has(type);

/** The resource of an event, and the athlete of a consent or an application. */
const resourcesOf = ({ resourceId, data }: RelayedEvent): string[] =>
  typeof data['athleteId'] === 'string' ? [resourceId, data['athleteId']] : [resourceId];

/** @param changes the last change of each resource; its own deliveries were rendered after it, and keep their texts */
async function removeTexts(transaction: Queryable, changes: ReadonlyMap<string, string>): Promise<void> {
  const [ids, eventIds] = [[...changes.keys()], [...changes.values()]];
  await transaction.query(sql`/* webhookTexts.lock */ select pg_advisory_xact_lock(${excerptsLock})`);
  // an attempt that has not ended stores no text, because it began before this time
  await transaction.query(sql`/* webhookTexts.note */ insert into webhook_removal (resource_id, event_id, at)
    select id, event_id, clock_timestamp() from unnest(${ids}::uuid[], ${eventIds}::uuid[]) as r(id, event_id)
    on conflict (resource_id) do update set event_id = excluded.event_id, at = excluded.at`);
  await transaction.query(sql`/* webhookTexts.remove */ update webhook_attempt a set request = null, response = null
    from webhook_delivery d
    where a.request is not null and a.mentions && ${ids}::uuid[] and d.id = a.delivery_id
      and exists (select from unnest(${ids}::uuid[], ${eventIds}::uuid[]) as r(id, event_id)
        where r.id = any(a.mentions) and r.event_id <> d.event_id)`);
}

/** One consumer per area. */
export const excerptRemovals = (database: Database): readonly Consumer[] =>
  sources.map((source) => ({
    name: `webhook-texts-${source}`,
    source,
    database,
    async apply(events, transaction) {
      const hiding = events.filter(canHide);
      const changes = new Map(hiding.flatMap((event) => resourcesOf(event).map((id) => [id, event.id] as const)));
      if (changes.size > 0) await removeTexts(transaction, changes);
    },
  }));
