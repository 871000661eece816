/** Applies the requests of administrators to retry dead letters: the relay marks the dead letters, because an area writes only its own rows. */
import { sql } from '../database/database.ts';
import { appliesEvents, type ApplyingConsumer, type Consumer, type RelayedEvent } from './consumer.ts';

/** The consumer of the requests. It belongs to accounts, where administrators request retries. */
export const retryRequestConsumer = { name: 'dead-letter-retries', source: 'accounts' } as const;

export interface RetryRequests {
  /** Absent without consumers in accounts. */
  readonly consumer: ApplyingConsumer | null;
  /** The consumers whose retries were requested. The delivery removes those that it handles. */
  readonly requested: Set<Consumer>;
}

interface RetryRequest {
  readonly area: unknown;
  readonly consumer: unknown;
  /** Null: all dead letters of the consumer. */
  readonly eventIds: readonly string[] | null;
}

function requestOf({ data }: RelayedEvent): RetryRequest {
  const { area, consumer, eventIds } = data;
  const ids: readonly unknown[] | null = Array.isArray(eventIds) ? eventIds : null;
  return { area, consumer, eventIds: ids && ids.filter((id) => typeof id === 'string') };
}

async function markForRetry({ name, database }: ApplyingConsumer, eventIds: readonly string[] | null): Promise<void> {
  await database.query(sql`/* deadLetters.requestRetry */ update dead_letter set retry = true
    where consumer = ${name} and not retry and (${eventIds === null} or event_id = any(${[...(eventIds ?? [])]}::uuid[]))`);
}

/** Creates the consumer of retry requests for these consumers. */
export function createRetryRequests(consumers: readonly Consumer[]): RetryRequests {
  const database = consumers.find(({ area }) => area === retryRequestConsumer.source)?.database;
  const requested = new Set<Consumer>();
  const applying = consumers.filter(appliesEvents);

  async function apply(events: readonly RelayedEvent[]): Promise<void> {
    for (const event of events) {
      if (event.type !== 'dead_letter_retry.requested') continue;
      const { area, consumer: name, eventIds } = requestOf(event);
      const consumer = applying.find((each) => each.area === area && each.name === name);
      if (consumer === undefined) continue;
      await markForRetry(consumer, eventIds);
      requested.add(consumer);
    }
  }

  return {
    consumer: database ? { ...retryRequestConsumer, area: retryRequestConsumer.source, database, apply } : null,
    requested,
  };
}
