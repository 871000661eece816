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
  'athlete.merged',
  'athlete.status_changed',
  'competition.status_changed',
  'consent.withdrawn',
  'membership.status_changed',
  'opportunity.status_changed',
  'organization.status_changed',
  'replay.status_changed',
  'transfer.status_changed',
]);

const canHide = ({ type }: RelayedEvent): boolean => type.endsWith('.deleted') || hidingTypes.has(type);

/** The resource of an event, and the athlete of a consent. */
const resourcesOf = ({ resourceId, data }: RelayedEvent): string[] =>
  typeof data['athleteId'] === 'string' ? [resourceId, data['athleteId']] : [resourceId];

async function removeTexts(transaction: Queryable, ids: readonly string[]): Promise<void> {
  await transaction.query(sql`/* webhookExcerpts.lock */ select pg_advisory_xact_lock(${excerptsLock})`);
  // an attempt that has not ended stores no text, because it began before this time
  await transaction.query(sql`/* webhookExcerpts.note */ insert into webhook_removal (resource_id, at)
    select id, clock_timestamp() from unnest(${[...ids]}::uuid[]) as r(id)
    on conflict (resource_id) do update set at = excluded.at`);
  await transaction.query(sql`/* webhookExcerpts.remove */ update webhook_attempt set request = null, response = null
    where request is not null and mentions && ${[...ids]}::uuid[]`);
}

/** One consumer per area. */
export const excerptRemovals = (database: Database): readonly Consumer[] =>
  sources.map((source) => ({
    name: `webhook-texts-${source}`,
    source,
    database,
    async apply(events, transaction) {
      const ids = [...new Set(events.filter(canHide).flatMap(resourcesOf))];
      if (ids.length > 0) await removeTexts(transaction, ids);
    },
  }));
