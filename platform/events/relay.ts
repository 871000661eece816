/** The relay: stamps committed events with a gap-free position, and hands them in order to consumers, exactly once in effect. */
import pg from 'pg';
import type { Logger } from 'pino';
import type { Area } from '../../schema/areas.ts';
import type { Graph } from '../../schema/entry-point.ts';
import type { EventType } from '../../schema/events.ts';
import { join, raw, sql, type Database, type Queryable } from '../database/database.ts';
import { outboxChannel } from './outbox.ts';
import { catchUpSteps, runAll, runStep, maintenanceSteps, type MaintenanceStep } from './maintenance.ts';

/** An event as the relay sees it: ids only. */
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

/** The resources of a type that events are about, each once. */
export function idsOf(events: readonly RelayedEvent[], resourceType: string): string[] {
  return [...new Set(events.filter((event) => event.resourceType === resourceType).map((event) => event.resourceId))];
}

/** A projection of one area over the events of another. */
export interface Consumer {
  /** Unique within the consuming area: it keeps its position in that area's inbox under this name. */
  readonly name: string;
  /** The area whose events it reads. */
  readonly source: Area;
  /** Database of the consuming area. */
  readonly database: Database;
  /** Writes the effect of events in the transaction that also records their position. It reads resources as they are now, through the graph. */
  apply(events: readonly RelayedEvent[], transaction: Queryable, graph: Graph): Promise<void>;
  /**
   * Brings up to date what depends on the day; called every hour. Returns whether there is more.
   * @param consumed how far every consumer of an area's events has come
   */
  refresh?(graph: Graph, consumed: (area: Area) => Promise<number>): Promise<boolean>;
  /** Takes a step of what is due by now, or was asked for without an event; called every few seconds, so it is cheap where there is nothing. Returns whether there is more. */
  catchUp?(graph: Graph): Promise<boolean>;
}

export interface Relay {
  /** Resolves when every event committed before the call was consumed. */
  drain(): Promise<void>;
  /** Does now what is otherwise done every few seconds, and every hour. */
  maintain(): Promise<void>;
  close(): Promise<void>;
}

export interface RelayOptions {
  /** Connects as talent_relay, directly (LISTEN and session locks do not pass a pooler). */
  readonly url: string;
  readonly database: Database;
  readonly areas: readonly Area[];
  readonly consumers: readonly Consumer[];
  /** The graph as the system viewer sees it. */
  readonly graph: Graph;
  readonly log: Logger;
  readonly pollMs?: number;
  /** How often what is old is pruned and what depends on the day is renewed; every hour when absent, Infinity for only when it is told to. */
  readonly maintenanceMs?: number | undefined;
  /** How often projections catch up with what is due; every 10 s when absent, Infinity for only when it is told to. */
  readonly catchUpMs?: number | undefined;
}

const batchSize = 500;
const retryMs = 1_000;
const retryMaxMs = 60_000;
const maintenanceMs = 3_600_000;
const catchUpMs = 10_000;
const leaderLock = 7_105_114_101;

/** Stamps what was committed since; a resource's events keep the order of its versions. Returns how many. */
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

/** Hands one batch to a consumer. Returns how many events it consumed. */
async function advance(relay: Queryable, consumer: Consumer, graph: Graph): Promise<number> {
  const [place] = await consumer.database.query<{ position: number }>(
    sql`/* relay.position */ select position from inbox where source = ${consumer.name}`,
  );
  const done = place?.position ?? 0;
  const events = await readEvents(relay, consumer.source, done);
  const last = events.at(-1);
  if (!last) return 0;
  await consumer.database.transaction(async (transaction) => {
    // Whoever comes second finds the row moved on and leaves: the effect happens once, even with two leaders.
    const moved = await transaction.query(sql`/* relay.advance */
      insert into inbox (source, position, event_id) values (${consumer.name}, ${last.position}, ${last.id})
      on conflict (source) do update set position = excluded.position, event_id = excluded.event_id, updated_at = now()
      where inbox.position = ${done} returning 1 as moved`);
    if (moved.length > 0) await consumer.apply(events, transaction, graph);
  });
  return events.length;
}

/** A step that begins again every so often. Each call takes it once where it is due, or has more to do, and returns whether it has. */
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

/** Starts a relay. Of all relays on one database the one that holds the lock works; the others wait to take over. */
export function createRelay(options: RelayOptions): Relay {
  const { database, areas, consumers, graph, log } = options;
  let closed = false;
  let session: pg.Client | null = null;
  let wakeUp: () => void = () => undefined;
  let running: Promise<void> = Promise.resolve();
  const chores = [
    ...catchUpSteps(options).map((step) => recurring(options.catchUpMs ?? catchUpMs, step, log)),
    ...maintenanceSteps(options).map((step) => recurring(options.maintenanceMs ?? maintenanceMs, step, log)),
  ];
  /** Consumers that failed: how often in a row, and when they are tried again. */
  const waiting = new Map<Consumer, { readonly failures: number; readonly until: number }>();

  async function feed(consumer: Consumer): Promise<void> {
    try {
      while ((await advance(database, consumer, graph)) === batchSize);
      waiting.delete(consumer);
    } catch (error) {
      const failures = (waiting.get(consumer)?.failures ?? 0) + 1;
      const waitMs = Math.min(retryMaxMs, retryMs * 2 ** (failures - 1));
      waiting.set(consumer, { failures, until: Date.now() + waitMs });
      log.warn({ err: error, consumer: consumer.name, waitMs }, 'a projection waits: its events are kept and tried again');
    }
  }

  async function round(): Promise<void> {
    for (const area of await unstamped(database, areas)) while ((await stamp(database, area)) > 0);
    const now = Date.now();
    await Promise.all(consumers.filter((consumer) => (waiting.get(consumer)?.until ?? 0) <= now).map(feed));
  }

  /** Rounds never overlap: two would feed the same events, and one wait for the other's transaction. */
  function nextRound(): Promise<void> {
    running = running.catch(() => undefined).then(round);
    return running;
  }

  /** A session that holds the leader's lock, or null when another does. */
  async function lead(): Promise<pg.Client | null> {
    const client = new pg.Client({ connectionString: options.url, application_name: 'relay', keepAlive: true });
    const lost = (): void => {
      // a session that never led must not hurry the loop: it would try again without a pause
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
        session ??= await lead();
        let more = false;
        if (session) {
          await nextRound();
          for (const chore of chores) more = (await chore()) || more;
        }
        await pause(session ? (more ? 0 : (options.pollMs ?? 200)) : retryMs);
      } catch (error) {
        log.warn({ err: error }, 'the relay waits for its database');
        await pause(retryMs);
      }
    }
  }
  const ended = loop();

  return {
    async drain() {
      waiting.clear();
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
