/** Opens the router: the graph, admission and the entry points, with areas in process or over HTTP. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Logger } from 'pino';
import { openDatabase, sql } from '../platform/database/database.ts';
import { logFailures } from '../platform/database/failure-log.ts';
import type { RedisConnection } from '../platform/redis/redis.ts';
import { eventLoopDelay } from '../platform/http/event-loop-delay.ts';
import type { Secrets } from '../platform/security/secrets.ts';
import { documentsOf, loadCheckedOperations } from '../rest-bridge/operations/load-operations.ts';
import { createNetworkLabels, networkLabelPurpose } from '../router/administration/network-labels.ts';
import { createSessions, type Sessions } from '../router/administration/sessions.ts';
import { createPortalSessions, type PortalSessions } from '../router/portal/members.ts';
import { createAdmission } from '../router/admission/admission.ts';
import { countDecisions } from '../router/admission/counted-admission.ts';
import { createKeyChanges } from '../router/admission/key-changes.ts';
import { postgresKeyChannel, redisKeyChannel } from '../router/admission/key-change-channels.ts';
import { createShedding } from '../router/admission/shedding.ts';
import { createPostgresQuota, quotaPool, readPostgresCounters } from '../router/admission/quota/postgres.ts';
import { createRedisQuota } from '../router/admission/quota/redis.ts';
import { createAddressSubjects } from '../router/admission/quota/subject.ts';
import { createAreaStates } from '../router/caching/area-states.ts';
import { createGraph, type GraphOptions, type RouterGraph } from '../router/graph.ts';
import { protectSubgraph } from '../router/protection/protected-subgraph.ts';
import { createPersistedTexts, type PersistedTexts } from '../router/graphql/persisted-texts.ts';
import { createRegisteredDocuments, type RegisteredDocuments } from '../router/graphql/registered-documents.ts';
import { createReloadableGraph, type GraphVersions } from '../router/reloadable-graph.ts';
import { createRestEntryPoint } from '../router/rest/entry-point.ts';
import { loadSupergraph } from '../router/supergraph.ts';
import { createEventHubs, type EventHubs } from '../router/streams/event-hubs.ts';
import { createEventStreams, type EventStreamsOptions } from '../router/streams/event-streams.ts';
import { createStreamLimits, type StreamLimits, type StreamLimitsOptions } from '../router/streams/stream-limits.ts';
import { createUsageCollector } from '../router/admission/usage/collector.ts';
import { createUsageFlush, type UsageFlush } from '../router/admission/usage/flush.ts';
import { mapAreas, type Area } from '../schema/areas.ts';
import type { EntryPoint, EventStreams } from '../schema/entry-point.ts';
import { feedChannel } from '../schema/feed.ts';
import { executableSchema } from '../schema/executable.ts';
import { createSites } from '../schema/sites.ts';
import type { SubgraphClient } from '../schema/subgraph-client.ts';
import type { Admission } from '../router/admission/admission.ts';
import { withoutTestMode } from './sandboxes/divert.ts';
import type { Sandboxes } from './sandboxes/sandboxes.ts';
import { restApi, routesOf } from './rest-api.ts';

export type StreamOptions = Omit<StreamLimitsOptions, 'viewerOf'> & Pick<EventStreamsOptions, 'heartbeatMs' | 'bufferedBytesMax'>;

export interface RouterOptions {
  readonly subgraphs: Readonly<Record<Area, SubgraphClient>>;
  /** Test mode, in this process or in another one; null: there is none. */
  readonly sandboxes?: Pick<Sandboxes, 'route'> | null | undefined;
  /** Database URL with the role talent_router. */
  readonly databaseUrl: string;
  /** The same without a pooler, to listen to key changes. */
  readonly listenUrl: string;
  /** Redis for the quota counters and key changes; default: counters in PostgreSQL. The caller closes it. */
  readonly redis?: RedisConnection | undefined;
  readonly secrets: Secrets;
  readonly log: Logger;
  /** Default: the router creates one. */
  readonly planner?: GraphOptions['planner'];
  /** Domain whose subdomains of sports show one sport; null: none. */
  readonly baseDomain?: string | null | undefined;
  /** Folder of the generated schemas; default: those of this version. */
  readonly schemaFolder?: string | undefined;
  /** Source of the event loop delay, by which callers are rejected under load; default: that of the process. */
  readonly eventLoopDelayMs?: (() => number) | undefined;
  /** Intervals and limits of event streams. */
  readonly streams?: StreamOptions | undefined;
  /** Interval of usage flushes; default: a few seconds. Infinity: only on request. */
  readonly usageEveryMs?: number | undefined;
}

export interface Router {
  readonly graph: RouterGraph;
  readonly versions: GraphVersions;
  /** Plans all REST operations while the process serves requests. Rejects when one does not fit the graph. */
  readonly planAhead: () => Promise<void>;
  /** Reads the schemas again and replaces the graph without a failed request. Rejects, and changes nothing, when they are invalid. */
  readonly reload: () => Promise<void>;
  readonly admission: Admission;
  /** New events of the feeds. */
  readonly hubs: EventHubs;
  /** The open event streams and subscriptions. */
  readonly streamLimits: StreamLimits;
  /** Streams of events over REST. */
  readonly eventStreams: EventStreams;
  /** Sessions of administrators. */
  readonly sessions: Sessions;
  /** Sessions of portal users. */
  readonly portalSessions: PortalSessions;
  /** The texts of automatic persisted queries, shared with other routers through Redis. */
  readonly persistedTexts: PersistedTexts;
  /** The registered documents of accounts. */
  readonly registeredDocuments: RegisteredDocuments;
  /** The entry point of the REST API. */
  readonly entryPoint: EntryPoint;
  /** Notices the changes that areas have committed. */
  readonly noticeChanges: () => Promise<void>;
  /** Writes usage to the rollups. */
  readonly usage: Pick<UsageFlush, 'flush'>;
  /** Throws while the database of keys and counters is unavailable. */
  readonly ready: () => Promise<void>;
  close(): Promise<void>;
}

/** REST operations are planned on first use; `planAhead` plans all of them. */
export function openRouter({
  subgraphs: areas,
  sandboxes,
  databaseUrl,
  listenUrl,
  redis,
  secrets,
  log,
  planner,
  usageEveryMs,
  baseDomain = null,
  schemaFolder,
  eventLoopDelayMs = eventLoopDelay().delayMs,
  streams,
}: RouterOptions): Router {
  const protectedAreas = mapAreas((area) => protectSubgraph(areas[area], { area, log }));
  const areaStates = createAreaStates(protectedAreas);
  const subgraphs = mapAreas((area) => {
    const client = areaStates.noticeWrites(area, protectedAreas[area]);
    return sandboxes ? sandboxes.route(area, client, areas[area]) : withoutTestMode(area, client);
  });
  const database = openDatabase({
    url: databaseUrl,
    name: 'router',
    poolSize: 4,
    statementTimeoutMs: 4_000,
    onFailure: logFailures(log),
  });
  const counters = openDatabase({ url: databaseUrl, name: 'quota', ...quotaPool });
  const quota = redis
    ? createRedisQuota({ redis, readCounters: (subjects) => readPostgresCounters(counters, subjects), log })
    : createPostgresQuota(counters, log);
  const collector = createUsageCollector();
  const addressSubjects = createAddressSubjects(secrets.derive('address-pepper'), () => quota.clockMs());
  const usage = createUsageFlush({
    database,
    collector,
    addressHash: (address) => addressSubjects(address).subject,
    routes: routesOf(restApi().operations),
    log,
    everyMs: usageEveryMs,
    onLaggingCounters: (behind) =>
      void quota
        .raise(behind.map(({ dayUnits, monthUnits, ...at }) => ({ ...at, dayUsed: dayUnits, monthUsed: monthUnits })))
        .then((raised) => raised > 0 && log.warn({ raised }, 'quota counters raised'))
        .catch((err: unknown) => log.error({ err }, 'quota counters could not be raised')),
  });
  const files = loadSupergraph(schemaFolder);
  const reloadable = createReloadableGraph(files, (each) =>
    // a planner belongs to one supergraph
    createGraph({ ...each, subgraphs, log, areaStates, planner: each === files ? planner : undefined }),
  );
  const { graph, versions } = reloadable;
  let planning = Promise.resolve();
  const closing = new AbortController();
  graph.register(documentsOf(restApi().operations));
  const hubs = createEventHubs(graph, log);
  const keyChanges = [
    createKeyChanges('postgresql', postgresKeyChannel(listenUrl, { name: feedChannel, onNotification: hubs.wake }), log),
    ...(redis ? [createKeyChanges('redis', redisKeyChannel(redis), log)] : []),
  ];
  const siteOf = createSites(baseDomain);
  const admission = countDecisions(
    createAdmission({
      database,
      secrets,
      log,
      counters: quota,
      usage: collector,
      keyChanges,
      sportOf: (host) => siteOf(host).sport,
      shedding: createShedding(eventLoopDelayMs, log),
    }),
  );
  const streamLimits = createStreamLimits({ ...streams, viewerOf: admission.viewerOf });
  const eventStreams = createEventStreams({ graph, admission, hubs, limits: streamLimits, log, ...streams });
  const labelOf = createNetworkLabels(secrets.derive(networkLabelPurpose));
  return {
    graph,
    versions,
    planAhead: () => (planning = eventLoopDelay().ignoreDuring(() => graph.planRegistered(closing.signal))),
    // each step blocks the process for a moment; requests are handled in between
    reload: () =>
      eventLoopDelay().ignoreDuring(async () => {
        const next = loadSupergraph(schemaFolder);
        await nextTurn();
        const schema = executableSchema(next.schemas.public);
        await nextTurn();
        const documents = documentsOf(loadCheckedOperations(schema));
        await nextTurn();
        await reloadable.reload(next, documents);
      }),
    admission,
    hubs,
    streamLimits,
    eventStreams,
    sessions: createSessions(subgraphs.accounts, labelOf),
    portalSessions: createPortalSessions(subgraphs.accounts, labelOf),
    persistedTexts: createPersistedTexts(redis, log),
    registeredDocuments: createRegisteredDocuments(subgraphs.accounts),
    entryPoint: createRestEntryPoint({ graph, admission, log }),
    noticeChanges: areaStates.read,
    usage,
    ready: async () => void (await database.query(sql`/* router.ready */ select from accounts.router_plan limit 1`)),
    async close() {
      streamLimits.close();
      await hubs.close();
      areaStates.close();
      // its failure is that of `planAhead`
      closing.abort();
      await planning.catch(() => undefined);
      await graph.close();
      await admission.close();
      await usage.close();
      await Promise.all([database.close(), counters.close()]);
    },
  };
}
