/** Opens the process of each role: its server, and the resources to close with it. */
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { createEntryPointClient } from '../platform/http/entry-point-client.ts';
import { readEnvironment } from '../platform/env.ts';
import { createGraphClient } from '../platform/http/graph-client.ts';
import { addImageRoutes } from '../platform/images/image-routes.ts';
import type { RedisConnection } from '../platform/redis/redis.ts';
import { createStreamClient } from '../platform/http/stream-client.ts';
import { createService } from '../platform/http/service.ts';
import type { Closeable } from '../platform/stop-gracefully.ts';
import type { Sessions } from '../router/administration/sessions.ts';
import { graphRoutes } from '../router/graph-routes.ts';
import { restServer } from '../router/rest/server.ts';
import { streamServer } from '../router/streams/stream-server.ts';
import { createFramedSubgraph } from '../router/transport/framed-subgraph.ts';
import { areas, mapAreas, type Area } from '../schema/areas.ts';
import type { SubgraphClient } from '../schema/subgraph-client.ts';
import { SYSTEM } from '../schema/viewer.ts';
import { createAreaServer } from '../subgraphs/runtime/server.ts';
import type { Subgraph } from '../subgraphs/runtime/subgraph.ts';
import { openPlatform, type Platform } from './platform.ts';
import { openArea } from './area.ts';
import { addAdministration, addGraphql, addRest, createPublicServer, overloadDelayMs } from './public-server.ts';
import {
  areaAddresses,
  areaDatabaseUrl,
  databaseUrls,
  oidcSettings,
  peerVariables,
  relayDatabaseUrls,
  routerDatabaseUrl,
  routerListenUrl,
  sandboxOwnerUrl,
  type Source,
} from './environment.ts';
import { openImages, openImageStore } from './images.ts';
import { openInstallation, requireInstallation, requireSecrets, type Installation } from './installation.ts';
import { edge, graphCallers, consumingAreas, imagePurpose, ticketPurpose } from './keys.ts';
import { allowsLocalUrls, areaSettings, createIsMutation, openOptionalRedis, serverOptions } from './process-options.ts';
import { openRelays } from './relay.ts';
import { openRouter } from './router.ts';
import { openWorkers } from './workers.ts';

export interface Opened {
  readonly app: FastifyInstance;
  /** The server for other processes, on a separate port. */
  readonly internal?: FastifyInstance;
  /** Sessions of administrators, set if the process should print the setup link of the first owner. */
  readonly sessions?: Sessions;
  /** Reads the schemas again; set if the process has the graph. */
  readonly reload?: () => Promise<void>;
  /** Resources in closing order. */
  readonly closeables: readonly Closeable[];
}

/** Prepares the database before the platform opens it. */
export type Prepare = (installation: Installation, source: Source, log: Logger) => Promise<void>;

type Open = (source: Source, log: Logger, prepare: Prepare) => Promise<Opened>;

async function openPrepared(
  installation: Installation,
  redis: RedisConnection | undefined,
  source: Source,
  log: Logger,
  prepare: Prepare,
): Promise<Platform> {
  await prepare(installation, source, log);
  const { ownerUrl, secrets } = installation;
  const all = await openPlatform({
    ...serverOptions(source, log),
    oidc: oidcSettings(source),
    databases: databaseUrls(source, ownerUrl, secrets),
    images: openImages('all', source, secrets, log),
    redis,
    secrets,
    sandboxes: { ownerUrl: sandboxOwnerUrl(source, ownerUrl, secrets) },
    ...areaSettings(source),
  });
  await all.router.graph.planRegistered();
  return all;
}

const all: Open = async (source, log, prepare) => {
  const installation = await openInstallation(source, log);
  const { redis, closeable } = await openOptionalRedis(source, 'all', log);
  const platform = await openPrepared(installation, redis, source, log, prepare).catch(async (error: unknown) => {
    // otherwise the embedded database would keep running
    await installation.close();
    throw error;
  });
  return {
    app: platform.app,
    reload: platform.router.reload,
    ...(installation.embedded && { sessions: platform.router.sessions }),
    closeables: [{ name: 'platform', close: platform.close }, closeable, { name: 'database', close: installation.close }],
  };
};

const router: Open = async (source, log) => {
  const { ownerUrl, secrets } = requireInstallation('router', source);
  const ticketKey = secrets.derive(ticketPurpose);
  const server = serverOptions(source, log);
  const addresses = areaAddresses(source);
  const subgraphs = mapAreas<SubgraphClient>((area) =>
    createFramedSubgraph({ area, url: addresses[area], key: secrets.derive(edge('router', area)), ticketKey }),
  );
  const { redis, closeable } = await openOptionalRedis(source, 'router', log);
  const opened = openRouter({
    subgraphs,
    databaseUrl: routerDatabaseUrl(source, ownerUrl, secrets),
    listenUrl: routerListenUrl(source, ownerUrl, secrets),
    redis,
    secrets,
    log,
    schemaFolder: server.schemaFolder,
    baseDomain: server.baseDomain,
  });
  await opened.graph.planRegistered();
  const options = { ...server, oidc: oidcSettings(source), readiness: { database: opened.ready } };
  const app = await createPublicServer(options);
  await addGraphql(app, opened, options);
  await addAdministration(app, opened, options);
  const internal = createService({ log, readiness: options.readiness, maxEventLoopDelayMs: overloadDelayMs });
  const restKey = secrets.derive(edge('rest', 'router'));
  await internal.register(restServer, { entryPoint: opened.entryPoint, key: restKey, isMutation: createIsMutation() });
  await internal.register(streamServer, { eventStreams: opened.eventStreams, key: restKey });
  const keys = new Map(graphCallers.map((caller) => [caller, secrets.derive(edge(caller, 'router'))]));
  await internal.register(graphRoutes, { graph: opened.graph, keys, ticketKey });
  const closeAreas = async (): Promise<void> => {
    for (const subgraph of Object.values(subgraphs)) await subgraph.close?.();
  };
  return {
    app,
    internal,
    reload: opened.reload,
    closeables: [
      { name: 'server', close: () => app.close() },
      { name: 'internal server', close: () => internal.close() },
      { name: 'router', close: opened.close },
      closeable,
      { name: 'areas', close: closeAreas },
    ],
  };
};

const rest: Open = async (source, log) => {
  const secrets = requireSecrets('rest', source);
  const { ROUTER_URL } = readEnvironment(source, peerVariables);
  const key = secrets.derive(edge('rest', 'router'));
  const entryPoint = createEntryPointClient({ url: ROUTER_URL, key, isMutation: createIsMutation() });
  const ready = async (): Promise<void> => {
    const { ok } = await fetch(new URL('/ready', ROUTER_URL), { signal: AbortSignal.timeout(2_000) });
    if (!ok) throw new Error('The router is not ready');
  };
  const options = { ...serverOptions(source, log), readiness: { router: ready } };
  const app = await createPublicServer(options);
  await addRest(app, { entryPoint, eventStreams: createStreamClient({ url: ROUTER_URL, key }) }, options);
  addImageRoutes(app, { store: openImageStore(source, log), key: secrets.derive(imagePurpose) });
  return {
    app,
    closeables: [
      { name: 'server', close: () => app.close() },
      { name: 'router', close: () => entryPoint.close() },
    ],
  };
};

const openAreaProcess =
  (area: Area): Open =>
  async (source, log) => {
    const { ownerUrl, secrets } = requireInstallation(area, source);
    const { ROUTER_URL } = readEnvironment(source, peerVariables);
    const graph = createGraphClient({ url: ROUTER_URL, caller: area, key: secrets.derive(edge(area, 'router')) });
    // only the accounts area reads counters and publishes key changes
    const { redis, closeable } = await openOptionalRedis(area === 'accounts' ? source : {}, area, log);
    const subgraph = await openArea(area, {
      databaseUrl: areaDatabaseUrl(area, source, ownerUrl, secrets),
      redis,
      secrets,
      log,
      images: openImages(area, source, secrets, log).images,
      allowLocalUrls: allowsLocalUrls(source),
      graphAs: (_viewer, requestId, ticket, signal) => graph.as(ticket, requestId, signal),
    });
    const key = secrets.derive(edge('router', area));
    const app = createAreaServer(subgraph, { key, log, readiness: { database: subgraph.ready } });
    return {
      app,
      closeables: [{ name: 'server', close: () => app.close() }, { name: 'graph', close: () => graph.close() }, closeable],
    };
  };

const worker: Open = async (source, log) => {
  const { ownerUrl, secrets } = requireInstallation('worker', source);
  const { ROUTER_URL } = readEnvironment(source, peerVariables);
  const client = createGraphClient({ url: ROUTER_URL, caller: 'worker', key: secrets.derive(edge('worker', 'router')) });
  const graph = client.asViewer(SYSTEM, 'relay');
  // the worker only runs the consumers of these areas
  const { images } = openImages('worker', source, secrets, log);
  const settings = areaSettings(source);
  const openConsuming = (area: Area): Promise<Subgraph> => {
    const databaseUrl = areaDatabaseUrl(area, source, ownerUrl, secrets);
    return openArea(area, { databaseUrl, secrets, log, images, ...settings, graphAs: client.asViewer });
  };
  const subgraphs = await Promise.all(consumingAreas.map(openConsuming));
  const relay = openRelays({
    databaseUrls: relayDatabaseUrls(source, ownerUrl, secrets),
    consumers: subgraphs.flatMap(({ consumers }) => consumers),
    graph,
    log,
  });
  const leadership = relay.leadershipOf('accounts');
  const workers = openWorkers({ subgraphs, leadership, allowLocalUrls: settings.allowLocalUrls, log });
  const database = async (): Promise<void> => {
    await Promise.all([relay, ...subgraphs].map((one) => one.ready()));
  };
  const app = createService({ log, readiness: { database } });
  const closeAreas = async (): Promise<void> => {
    for (const subgraph of subgraphs) await subgraph.close();
    await client.close();
  };
  return {
    app,
    closeables: [
      { name: 'server', close: () => app.close() },
      { name: 'workers', close: workers.close },
      { name: 'relay', close: relay.close },
      { name: 'areas', close: closeAreas },
    ],
  };
};

/** The roles of a process. */
export const roles: Readonly<Record<string, Open>> = {
  all,
  router,
  rest,
  worker,
  ...Object.fromEntries(areas.map((area) => [area, openAreaProcess(area)])),
};

/** Opens the process of a role. The caller starts to listen and closes the resources in order. */
export async function openProcess(role: string, source: Source, log: Logger, prepare: Prepare): Promise<Opened> {
  const open = roles[role];
  if (!open) throw new Error(`Unknown role ${role}. Roles: ${Object.keys(roles).join(', ')}.`);
  return open(source, log, prepare);
}
