/** The relay: gives committed events gap-free positions and delivers them in order to consumers, effectively exactly once. */
import pg from 'pg';
import type { Logger } from 'pino';
import type { Area } from '../../schema/areas.ts';
import type { Graph } from '../../schema/entry-point.ts';
import type { EventType } from '../../schema/events.ts';
import { join, raw, sql, type Database, type Queryable } from '../database/database.ts';
import { outboxChannel } from './outbox.ts';
import { catchUpSteps, runAll, runStep, maintenanceSteps, type MaintenanceStep } from './maintenance.ts';

/** An event of an outbox: IDs only. */
export interface RelayedEvent {
  readonly id: string;
  readonly type: EventType;
  readonly resourceType: string;
  readonly resourceId: string;
  readonly version: number;
  readonly accountId: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly at: string;
  readonly position: number;
}

/** Distinct IDs of the resources of one type that the events refer to. */
export function idsOf(events: readonly RelayedEvent[], resourceType: string): string[] {
  return [...new Set(events.filter((event) => event.resourceType === resourceType).map((event) => event.resourceId))];
}

/** A projection of one area from the events of another. */
export interface Consumer {
  /** Unique within the consuming area: the name of the position in its inbox. */
  readonly name: string;
  /** The area that publishes the events. */
  readonly source: Area;
  /** Database of the consuming area. */
  readonly database: Database;
  /** Applies events in the transaction that also stores their position. Reads the current state of resources through the graph. */
  apply(events: readonly RelayedEvent[], transaction: Queryable, graph: Graph): Promise<void>;
  /**
   * Refreshes what depends on the current day; called every hour. Returns whether there is more to do.
   * @param consumed the position that every consumer of an area's events has reached
   */
  refresh?(graph: Graph, consumed: (area: Area) => Promise<number>): Promise<boolean>;
  /** Processes work that is due without an event; called every few seconds, so it must be cheap without work. Returns whether there is more to do. */
  catchUp?(graph: Graph): Promise<boolean>;
}

export interface Relay {
  /** Resolves when all events committed before the call are consumed. */
  drain(): Promise<void>;
  /** Runs all periodic steps now. */
  maintain(): Promise<void>;
  close(): Promise<void>;
}

export interface RelayOptions {
  /** Connects as talent_relay, not through a pooler: LISTEN and session locks need a direct connection. */
  readonly url: string;
  readonly database: Database;
  readonly areas: readonly Area[];
  readonly consumers: readonly Consumer[];
  /** The graph with the rights of the system. */
  readonly graph: Graph;
  readonly log: Logger;
  readonly pollMs?: number;
  /** Interval of maintenance steps; default: one hour. Infinity: only on request. */
  readonly maintenanceMs?: number | undefined;
  /** Interval of catch-up steps; default: 10 s. Infinity: only on request. */
  readonly catchUpMs?: number | undefined;
}

const batchSize = 500;
const retryMs = 1_000;
const retryMaxMs = 60_000;
const maintenanceMs = 3_600_000;
const catchUpMs = 10_000;
const leaderLock = 7_105_114_101;

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

/** Runs a step once per interval, or again if it has more to do. Each call returns whether there is more to do. */
function recurring(everyMs: number, step: MaintenanceStep, log: Logger): () => Promise<boolean> {
  let at = everyMs === Infinity ? Infinity : 0;
  let more = false;
  return async () => {
    if (!more && Date.now() < at) return false;
    if (!more) at = Date.now() + everyMs;
    more = await runStep(step, log);
    return more;
  };
}

/** Starts a relay. Of all relays on a database, the one that holds the lock is active; the others are on standby. */
export function createRelay(options: RelayOptions): Relay {
  const { database, areas, consumers, graph, log } = options;
  let closed = false;
  let session: pg.Client | null = null;
  let wakeUp: () => void = () => undefined;
  let running: Promise<void> = Promise.resolve();
  const recurringSteps = [
    ...catchUpSteps(options).map((step) => recurring(options.catchUpMs ?? catchUpMs, step, log)),
    ...maintenanceSteps(options).map((step) => recurring(options.maintenanceMs ?? maintenanceMs, step, log)),
  ];
  /** Failed consumers: number of consecutive failures and time of the next attempt. */
  const retries = new Map<Consumer, { readonly failures: number; readonly until: number }>();

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

  /** Rounds must not overlap: they would deliver the same events and wait for each other's transaction. */
  function nextRound(): Promise<void> {
    running = running.catch(() => undefined).then(round);
    return running;
  }

  /** A session with the leader lock, or null if another relay is the leader. */
  async function connectLeader(): Promise<pg.Client | null> {
    const client = new pg.Client({ connectionString: options.url, application_name: 'relay', keepAlive: true });
    const lost = (): void => {
      // a session without the leader lock must not wake up the loop: it would retry without a pause
      if (session !== client) return;
      session = null;
      wakeUp();
    };
    client.on('error', lost);
    client.on('end', lost);
    client.on('notification', () => wakeUp());
    await client.connect();
    const { rows } = await client.query<{ leader: boolean }>('select pg_try_advisory_lock($1) as leader', [leaderLock]);
    if (rows[0]?.leader !== true) {
      await client.end();
      return null;
    }
    await client.query(`listen ${outboxChannel}`);
    return client;
  }

  function pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async function loop(): Promise<void> {
    while (!closed) {
      try {
        session ??= await connectLeader();
        let more = false;
        if (session) {
          await nextRound();
          for (const runNext of recurringSteps) more = (await runNext()) || more;
        }
        await pause(session ? (more ? 0 : (options.pollMs ?? 200)) : retryMs);
      } catch (error) {
        log.warn({ err: error }, 'relay database unavailable');
        await pause(retryMs);
      }
    }
  }
  const ended = loop();

  return {
    async drain() {
      retries.clear();
      await nextRound();
    },
    async maintain() {
      await runAll(catchUpSteps(options), log);
      await runAll(maintenanceSteps(options), log);
    },
    async close() {
      closed = true;
      wakeUp();
      await ended;
      await session?.end();
    },
  };
}
