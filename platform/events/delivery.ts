/** Delivery of events: gives committed events their positions and passes them to consumers in batches. */
import type { Logger } from 'pino';
import type { Area } from '../../schema/areas.ts';
import type { Graph } from '../../schema/entry-point.ts';
import { join, raw, sql, type Database, type Queryable } from '../database/database.ts';
import type { Consumer, RelayedEvent } from './consumer.ts';

export interface DeliveryOptions {
  readonly database: Database;
  readonly areas: readonly Area[];
  readonly consumers: readonly Consumer[];
  /** The graph with the rights of the system. */
  readonly graph: Graph;
  readonly log: Logger;
}

const batchSize = 500;
const retryMs = 1_000;
const retryMaxMs = 60_000;

/** Gives positions to newly committed events, per resource in the order of its versions. Returns the number of events. */
async function stamp(database: Queryable, area: Area): Promise<number> {
  const outbox = raw(`${area}.outbox`);
  const rows = await database.query(sql`/* relay.stamp */
    with last as (select coalesce(max(position), 0) as position from ${outbox}),
    oldest as (select id, version, resource_id from ${outbox} where position is null order by id limit 5000),
    fresh as (select id, version, min(id::text) over (partition by resource_id) as first from oldest),
    numbered as (select id, row_number() over (order by first, version, id) as number from fresh)
    update ${outbox} o set position = last.position + n.number from numbered n, last where o.id = n.id and o.position is null returning o.id`);
  return rows.length;
}

async function unstamped(database: Queryable, areas: readonly Area[]): Promise<Area[]> {
  const parts = areas.map(
    (area) => sql`select ${area} as area where exists (select from ${raw(`${area}.outbox`)} where position is null)`,
  );
  const rows = await database.query<{ area: Area }>(sql`/* relay.unstamped */ ${join(parts, ' union all ')}`);
  return rows.map((row) => row.area);
}

function readEvents(database: Queryable, area: Area, after: number): Promise<RelayedEvent[]> {
  return database.query<RelayedEvent>(sql`/* relay.read */
    select id, type, resource_type as "resourceType", resource_id as "resourceId", version, account_id as "accountId", data, at, position
    from ${raw(`${area}.outbox`)} where position > ${after} order by position limit ${batchSize}`);
}

/** Delivers one batch to a consumer. Returns the number of events. */
async function advance(relay: Queryable, consumer: Consumer, graph: Graph): Promise<number> {
  const [place] = await consumer.database.query<{ position: number }>(
    sql`/* relay.position */ select position from inbox where source = ${consumer.name}`,
  );
  const done = place?.position ?? 0;
  const events = await readEvents(relay, consumer.source, done);
  const last = events.at(-1);
  if (!last) return 0;
  await consumer.database.transaction(async (transaction) => {
    // A concurrent relay finds the position already changed and skips the batch: the effect happens once, even with two leaders.
    const moved = await transaction.query(sql`/* relay.advance */
      insert into inbox (source, position, event_id) values (${consumer.name}, ${last.position}, ${last.id})
      on conflict (source) do update set position = excluded.position, event_id = excluded.event_id, updated_at = now()
      where inbox.position = ${done} returning 1 as moved`);
    if (moved.length > 0) await consumer.apply(events, transaction, graph);
  });
  return events.length;
}

/** Delivers events to consumers in rounds; a failed consumer waits before its next attempt. */
export function createDelivery({ database, areas, consumers, graph, log }: DeliveryOptions) {
  /** Failed consumers: number of consecutive failures and time of the next attempt. */
  const retries = new Map<Consumer, { readonly failures: number; readonly until: number }>();
  let running: Promise<void> = Promise.resolve();

  async function deliver(consumer: Consumer): Promise<void> {
    try {
      while ((await advance(database, consumer, graph)) === batchSize);
      retries.delete(consumer);
    } catch (error) {
      const failures = (retries.get(consumer)?.failures ?? 0) + 1;
      const waitMs = Math.min(retryMaxMs, retryMs * 2 ** (failures - 1));
      retries.set(consumer, { failures, until: Date.now() + waitMs });
      log.warn({ err: error, consumer: consumer.name, waitMs }, 'retrying projection');
    }
  }

  async function round(): Promise<void> {
    for (const area of await unstamped(database, areas)) while ((await stamp(database, area)) > 0);
    const now = Date.now();
    await Promise.all(consumers.filter((consumer) => (retries.get(consumer)?.until ?? 0) <= now).map(deliver));
  }

  /** Runs the next round. Rounds must not overlap: they would deliver the same events and wait for each other's transaction. */
  function nextRound(): Promise<void> {
    running = running.catch(() => undefined).then(round);
    return running;
  }

  return {
    nextRound,
    /** Runs the next round with all consumers, including failed ones. */
    retryNow(): Promise<void> {
      retries.clear();
      return nextRound();
    },
  };
}
