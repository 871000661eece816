/** What each role is made of: from the environment to a server and what must be closed with it. */
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { createEntryPointClient } from '../platform/http/entry-point-client.ts';
import { readEnvironment } from '../platform/env.ts';
import { createGraphClient } from '../platform/http/graph-client.ts';
import { openRedis, type RedisConnection } from '../platform/redis/redis.ts';
import { createService } from '../platform/http/service.ts';
import type { Closeable } from '../platform/stop-gracefully.ts';
import type { Sessions } from '../router/administration/sessions.ts';
import { graphRoutes } from '../router/graph-routes.ts';
import { restServer } from '../router/rest/server.ts';
import { createHttpSubgraph } from '../router/transport/http-subgraph.ts';
import { areas, type Area } from '../schema/areas.ts';
import type { SubgraphClient } from '../schema/subgraph-client.ts';
import { createAreaServer } from '../subgraphs/runtime/server.ts';
import type { Subgraph } from '../subgraphs/runtime/subgraph.ts';
import { openPlatform, type Platform } from './platform.ts';
import { openArea } from './area.ts';
import { addAdministration, addGraphql, addRest, createPublicServer, overloadDelayMs } from './public-server.ts';
import {
  areaAddresses,
  areaDatabaseUrl,
  databaseUrls,
  dataVariables,
  publicServerVariables,
  oidcSettings,
  peerVariables,
  relayDatabaseUrls,
  routerDatabaseUrl,
  routerListenUrl,
  type Source,
} from './environment.ts';
import { openInstallation, requireInstallation, requireSecrets, type Installation } from './installation.ts';
import { edge, graphCallers, projecting, ticketPurpose } from './keys.ts';
import { openRelays } from './relay.ts';
import { restApi } from './rest-api.ts';
import { openRouter } from './router.ts';

export interface Opened {
  readonly app: FastifyInstance;
  /** The server for other processes only, on a port of its own. */
  readonly internal?: FastifyInstance;
  /** Sessions of administrators, where a person at this machine is shown how to come in. */
  readonly sessions?: Sessions;
  /** In the order in which they are closed. */
  readonly closeables: readonly Closeable[];
}

/** What is done with the database before the whole platform opens over it. */
export type Prepare = (installation: Installation, source: Source, log: Logger) => Promise<void>;

type Open = (source: Source, log: Logger, prepare: Prepare) => Promise<Opened>;

/** Writes are signed as such, and each is accepted once. */
function createIsMutation(): (operation: string) => boolean {
  const writes = new Set(
    restApi()
      .operations.filter(({ method }) => method !== 'GET')
      .map(({ name }) => name),
  );
  return (operation) => writes.has(operation);
}

function doorOptions(source: Source, log: Logger) {
  const { TRUST_PROXY, PUBLIC_URL } = readEnvironment(source, publicServerVariables);
  return { log, trustedProxies: TRUST_PROXY, publicUrl: PUBLIC_URL };
}

/** The Redis of the environment, when it names one, and how it is closed. */
async function openOwnRedis(source: Source, name: string, log: Logger) {
  const { REDIS_URL: urls } = readEnvironment(source, dataVariables);
  const redis = urls.length === 0 ? undefined : await openRedis({ urls, name, log });
  return { redis, closeable: { name: 'Redis', close: () => redis?.close() ?? Promise.resolve() } };
}

async function openWhole(
  installation: Installation,
  redis: RedisConnection | undefined,
  source: Source,
  log: Logger,
  prepare: Prepare,
): Promise<Platform> {
  await prepare(installation, source, log);
  const { ownerUrl, secrets } = installation;
  const databases = databaseUrls(source, ownerUrl, secrets);
  const all = await openPlatform({ ...doorOptions(source, log), oidc: oidcSettings(source), databases, redis, secrets });
  await all.router.graph.planRegistered();
  return all;
}

const all: Open = async (source, log, prepare) => {
  const installation = await openInstallation(source, log);
  const { redis, closeable } = await openOwnRedis(source, 'all', log);
  const platform = await openWhole(installation, redis, source, log, prepare).catch(async (fault: unknown) => {
    // an embedded database would go on without us
    await installation.close();
    throw fault;
  });
  return {
    app: platform.app,
    ...(installation.embedded && { sessions: platform.router.sessions }),
    closeables: [{ name: 'platform', close: platform.close }, closeable, { name: 'database', close: installation.close }],
  };
};

const router: Open = async (source, log) => {
  const { ownerUrl, secrets } = requireInstallation('router', source);
  const ticketKey = secrets.derive(ticketPurpose);
  const addresses = areaAddresses(source);
  const subgraphs = Object.fromEntries(
    areas.map((area) => {
      const key = secrets.derive(edge('router', area));
      return [area, createHttpSubgraph({ area, url: addresses[area], key, ticketKey })];
    }),
  ) as Record<Area, SubgraphClient>;
  const { redis, closeable } = await openOwnRedis(source, 'router', log);
  const opened = openRouter({
    subgraphs,
    databaseUrl: routerDatabaseUrl(source, ownerUrl, secrets),
    listenUrl: routerListenUrl(source, ownerUrl, secrets),
    redis,
    secrets,
    log,
  });
  await opened.graph.planRegistered();
  const options = { ...doorOptions(source, log), oidc: oidcSettings(source), readiness: { database: opened.ready } };
  const app = await createPublicServer(options);
  await addGraphql(app, opened, options);
  await addAdministration(app, opened, options);
  const internal = createService({ log, readiness: options.readiness, maxEventLoopDelayMs: overloadDelayMs });
  const restKey = secrets.derive(edge('rest', 'router'));
  await internal.register(restServer, { entryPoint: opened.entryPoint, key: restKey, isMutation: createIsMutation() });
  const keys = new Map(graphCallers.map((caller) => [caller, secrets.derive(edge(caller, 'router'))]));
  await internal.register(graphRoutes, { graph: opened.graph, keys, ticketKey });
  const closeAreas = async (): Promise<void> => {
    for (const subgraph of Object.values(subgraphs)) await subgraph.close?.();
  };
  return {
    app,
    internal,
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
  const door = createEntryPointClient({ url: ROUTER_URL, key, isMutation: createIsMutation() });
  const ready = async (): Promise<void> => {
    const { ok } = await fetch(new URL('/ready', ROUTER_URL), { signal: AbortSignal.timeout(2_000) });
    if (!ok) throw new Error('the router is not ready');
  };
  const options = { ...doorOptions(source, log), readiness: { router: ready } };
  const app = await createPublicServer(options);
  await addRest(app, door, options);
  return {
    app,
    closeables: [
      { name: 'server', close: () => app.close() },
      { name: 'router', close: () => door.close() },
    ],
  };
};

const openAreaProcess =
  (area: Area): Open =>
  async (source, log) => {
    const { ownerUrl, secrets } = requireInstallation(area, source);
    const { ROUTER_URL } = readEnvironment(source, peerVariables);
    const graph = createGraphClient({ url: ROUTER_URL, caller: area, key: secrets.derive(edge(area, 'router')) });
    // what routers count, and what they must be told, is of keys
    const { redis, closeable } = await openOwnRedis(area === 'accounts' ? source : {}, area, log);
    const subgraph = await openArea(area, {
      databaseUrl: areaDatabaseUrl(area, source, ownerUrl, secrets),
      redis,
      secrets,
      log,
      graphAs: (_viewer, requestId, ticket) => graph.as(ticket, requestId),
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
  const graph = client.as(null, 'relay');
  // only their projections run here, and these are given the relay's graph
  const openProjecting = (area: Area): Promise<Subgraph> =>
    openArea(area, { databaseUrl: areaDatabaseUrl(area, source, ownerUrl, secrets), secrets, log, graphAs: () => graph });
  const subgraphs = await Promise.all(projecting.map(openProjecting));
  const relay = openRelays({
    databaseUrls: relayDatabaseUrls(source, ownerUrl, secrets),
    consumers: subgraphs.flatMap(({ consumers }) => consumers),
    graph,
    log,
  });
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
      { name: 'relay', close: relay.close },
      { name: 'areas', close: closeAreas },
    ],
  };
};

/** The roles a process can have. */
export const roles: Readonly<Record<string, Open>> = {
  all,
  router,
  rest,
  worker,
  ...Object.fromEntries(areas.map((area) => [area, openAreaProcess(area)])),
};

/** Opens a role; the caller listens, and closes in order. */
export async function openProcess(role: string, source: Source, log: Logger, prepare: Prepare): Promise<Opened> {
  const open = roles[role];
  if (!open) throw new Error(`There is no role ${role}: use one of ${Object.keys(roles).join(', ')}.`);
  return open(source, log, prepare);
}
