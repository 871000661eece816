/** Opens the relays: one per database with areas. */
import type { Logger } from 'pino';
import { entriesOf } from '../schema/records.ts';
import { openDatabase } from '../platform/database/database.ts';
import { createLeadership, type Leadership } from '../platform/events/leadership.ts';
import { createRetryRequests } from '../platform/events/retry-requests.ts';
import { createRelay, type Relay, type RelayOptions } from '../platform/events/relay.ts';
import type { Consumer } from '../platform/events/consumer.ts';
import { observeLags } from '../platform/events/consumer-lag.ts';
import type { Area } from '../schema/areas.ts';
import type { Graph } from '../schema/entry-point.ts';

export interface RelaysOptions extends Pick<RelayOptions, 'auditKeys' | 'maintenanceMs' | 'catchUpMs'> {
  /** Database URLs of the relay's role per area, without a pooler. */
  readonly databaseUrls: Readonly<Record<Area, string>>;
  readonly consumers: readonly Consumer[];
  /** The graph with the rights of the system. */
  readonly graph: Graph;
  readonly log: Logger;
  /** Whether the lag of the consumers is a metric. Default: true. */
  readonly reportsLag?: boolean | undefined;
}

export interface Relays extends Relay {
  /** Throws while a database is unavailable. */
  ready(): Promise<void>;
  /** The election of the leader of an area's database: the same process runs its relay and the workers of its areas. */
  leadershipOf(area: Area): Leadership;
}

/** Areas of one database share a relay; a consumer belongs to the relay of its source area. */
export function openRelays({
  databaseUrls,
  consumers,
  graph,
  log,
  auditKeys,
  maintenanceMs,
  catchUpMs,
  reportsLag = true,
}: RelaysOptions): Relays {
  const areasByUrl = Map.groupBy(entriesOf(databaseUrls), ([, url]) => url);
  const retries = createRetryRequests(consumers);
  const all = retries.consumer === null ? consumers : [...consumers, retries.consumer];
  const relays = [...areasByUrl].map(([url, entries]) => {
    const areas = entries.map(([area]) => area);
    const leadership = createLeadership({ url, areas, log });
    const database = openDatabase({ url, name: 'relay', searchPath: 'platform', poolSize: 3 });
    const own = all.filter(({ source }) => areas.includes(source));
    const unobserve = reportsLag ? observeLags(database, own) : () => undefined;
    const relay = createRelay({
      leadership,
      database,
      areas,
      consumers: own,
      retryRequested: retries.requested,
      graph,
      log,
      auditKeys,
      maintenanceMs,
      catchUpMs,
    });
    return { areas, leadership, relay, database, unobserve };
  });
  return {
    leadershipOf(area) {
      const found = relays.find(({ areas }) => areas.includes(area));
      if (found === undefined) throw new Error(`There is no relay for ${area}.`);
      return found.leadership;
    },
    async ready() {
      await Promise.all(relays.map(({ database }) => database.ping()));
    },
    async drain() {
      for (const { relay } of relays) await relay.drain();
    },
    async maintain() {
      for (const { relay } of relays) await relay.maintain();
    },
    async close() {
      await Promise.all(
        relays.map(async ({ leadership, relay, database, unobserve }) => {
          unobserve();
          await relay.close();
          await leadership.close();
          await database.close();
        }),
      );
    },
  };
}
