/** Opens the process of each role: its server, and the resources to close with it. */
import type { Logger } from 'pino';
import { createEntryPointClient } from '../platform/http/entry-point-client.ts';
import { readEnvironment } from '../platform/env.ts';
import { createGraphClient } from '../platform/http/graph-client.ts';
import { addMetrics } from '../platform/http/metrics-route.ts';
import { addImageRoutes } from '../platform/images/image-routes.ts';
import type { RedisConnection } from '../platform/redis/redis.ts';
import { createStreamClient } from '../platform/http/stream-client.ts';
import { createService } from '../platform/http/service.ts';
import { graphRoutes } from '../router/graph-routes.ts';
import { limitEntryPoint } from '../router/rest/entry-point-limit.ts';
import { restServer } from '../router/rest/server.ts';
import { streamServer } from '../router/streams/stream-server.ts';
import { createFramedSubgraph } from '../router/transport/framed-subgraph.ts';
import { areas, mapAreas, type Area } from '../schema/areas.ts';
import type { SubgraphClient } from '../schema/subgraph-client.ts';
import { createAreaServer } from '../subgraphs/runtime/server.ts';
import { openPlatform, type Platform } from './platform.ts';
import { openArea } from './area.ts';
import { addAdministration, addGraphql, addRest, createPublicServer, overloadDelayMs } from './public-server.ts';
import { areaDatabaseUrl, databaseUrls, routerDatabaseUrl, routerListenUrl, sandboxOwnerUrl } from './database-urls.ts';
import { areaAddresses, dataVariables, peerVariables, type Source } from './environment.ts';
import { oidcSettings } from './oidc-environment.ts';
import { openImages, openImageStore } from './images.ts';
import { openInstallation, requireInstallation, requireSecrets, type Installation } from './installation.ts';
import { edge, graphCallers, imagePurpose, ticketPurpose } from './keys.ts';
import type { Open, Opened, Prepare } from './opened-process.ts';
import { allowsLocalUrls, areaSettings, createIsMutation, openOptionalRedis, serverOptions } from './process-options.ts';
import { openRouter } from './router.ts';
import { openSandboxProcess } from './sandbox-process.ts';
import { createSandboxClient } from './sandboxes/client.ts';
import { createResetClient } from './sandboxes/reset-client.ts';
import { openWorkerProcess } from './worker-process.ts';

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
    isHealthy: installation.isHealthy,
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
    closeables: [[{ name: 'platform', close: platform.close }], [closeable], [{ name: 'database', close: installation.close }]],
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
  const { SANDBOX_URL } = readEnvironment(source, peerVariables);
  const sandboxKey = secrets.derive(edge('router', 'sandbox'));
  const sandboxes = SANDBOX_URL.length === 0 ? null : createSandboxClient({ url: SANDBOX_URL, key: sandboxKey, ticketKey, log });
  const { redis, closeable } = await openOptionalRedis(source, 'router', log);
  const opened = openRouter({
    subgraphs,
    sandboxes,
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
  addMetrics(internal);
  const restKey = secrets.derive(edge('rest', 'router'));
  await internal.register(restServer, {
    entryPoint: limitEntryPoint(opened.entryPoint, server.gate),
    key: restKey,
    isMutation: createIsMutation(),
  });
  await internal.register(streamServer, { eventStreams: opened.eventStreams, key: restKey });
  const keys = new Map(graphCallers.map((caller) => [caller, secrets.derive(edge(caller, 'router'))]));
  await internal.register(graphRoutes, { graph: opened.graph, keys, ticketKey });
  const closeAreas = async (): Promise<void> => {
    await Promise.all([...Object.values(subgraphs), sandboxes].map(async (client) => await client?.close?.()));
  };
  return {
    app,
    internal,
    reload: opened.reload,
    closeables: [
      [
        { name: 'server', close: () => app.close() },
        { name: 'internal server', close: () => internal.close() },
      ],
      [{ name: 'router', close: opened.close }],
      [closeable, { name: 'areas', close: closeAreas }],
    ],
  };
};

const rest: Open = async (source, log) => {
  const secrets = requireSecrets('rest', source);
  const { ROUTER_URL } = readEnvironment(source, peerVariables);
  const key = secrets.derive(edge('rest', 'router'));
  const entryPoint = createEntryPointClient({ url: ROUTER_URL, key, isMutation: createIsMutation() });
  const ready = async (): Promise<void> => {
    const signal = AbortSignal.timeout(2_000);
    await Promise.any(
      ROUTER_URL.map(async (url) => {
        const { ok } = await fetch(new URL('/ready', url), { signal });
        if (!ok) throw new Error('The router is not ready');
      }),
    );
  };
  const options = { ...serverOptions(source, log), readiness: { router: ready } };
  const app = await createPublicServer(options);
  await addRest(app, { entryPoint, eventStreams: createStreamClient({ url: ROUTER_URL, key }) }, options);
  addImageRoutes(app, { store: openImageStore(source, log), key: secrets.derive(imagePurpose) });
  return {
    app,
    closeables: [[{ name: 'server', close: () => app.close() }], [{ name: 'router', close: () => entryPoint.close() }]],
  };
};

const openAreaProcess =
  (area: Area): Open =>
  async (source, log) => {
    const { ownerUrl, secrets } = requireInstallation(area, source);
    const { ROUTER_URL, SANDBOX_URL } = readEnvironment(source, peerVariables);
    const graph = createGraphClient({ url: ROUTER_URL, caller: area, key: secrets.derive(edge(area, 'router')) });
    // only the accounts area reads counters and publishes key changes
    const { redis, closeable } = await openOptionalRedis(area === 'accounts' ? source : {}, area, log);
    const testData =
      area === 'accounts' && SANDBOX_URL.length > 0
        ? createResetClient({ url: SANDBOX_URL, key: secrets.derive(edge('accounts', 'sandbox')) })
        : null;
    const subgraph = await openArea(area, {
      databaseUrl: areaDatabaseUrl(area, source, ownerUrl, secrets),
      poolSize: readEnvironment(source, dataVariables).DATABASE_POOL_SIZE,
      redis,
      secrets,
      log,
      images: openImages(area, source, secrets, log).images,
      allowLocalUrls: allowsLocalUrls(source),
      resetTestData: testData?.reset,
      graphAs: (_viewer, requestId, ticket, signal) => graph.as(ticket, requestId, signal),
    });
    const key = secrets.derive(edge('router', area));
    const app = createAreaServer(subgraph, { key, log, readiness: { database: subgraph.ready } });
    addMetrics(app);
    return {
      app,
      closeables: [
        [{ name: 'server', close: () => app.close() }],
        [{ name: 'graph', close: () => graph.close() }, { name: 'sandbox', close: async () => testData?.close() }, closeable],
      ],
    };
  };

/** The roles of a process. */
export const roles: Readonly<Record<string, Open>> = {
  all,
  router,
  rest,
  worker: openWorkerProcess,
  sandbox: openSandboxProcess,
  ...Object.fromEntries(areas.map((area) => [area, openAreaProcess(area)])),
};

/** Opens the process of a role. The caller starts to listen and closes the resources in order. */
export async function openProcess(role: string, source: Source, log: Logger, prepare: Prepare): Promise<Opened> {
  const open = roles[role];
  if (!open) throw new Error(`Unknown role ${role}. Roles: ${Object.keys(roles).join(', ')}.`);
  return open(source, log, prepare);
}
