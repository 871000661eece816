/** What each role is made of: from the environment to a server and what must be closed with it. */
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { createDoorClient } from '../platform/door-client.ts';
import { readEnvironment } from '../platform/env.ts';
import { createGraphClient } from '../platform/graph-client.ts';
import { createService } from '../platform/service.ts';
import type { Closeable } from '../platform/stop-gracefully.ts';
import { loadOperations } from '../rest-bridge/operations.ts';
import { graphRoutes } from '../router/graph-routes.ts';
import { restServer } from '../router/rest-server.ts';
import { loadSupergraph } from '../router/supergraph.ts';
import { createHttpSubgraph } from '../router/transport/http.ts';
import { areas, type Area } from '../schema/areas.ts';
import { executableSchema } from '../schema/executable.ts';
import type { SubgraphClient } from '../schema/subgraph-client.ts';
import { SYSTEM } from '../schema/viewer.ts';
import { allAreas } from '../subgraphs/all.ts';
import { createAreaServer } from '../subgraphs/server.ts';
import { openAll } from './all.ts';
import { openArea } from './area.ts';
import { addGraphql, addRest, createPublicServer } from './doors.ts';
import { areaAddresses, databaseUrls, doorVariables, peerVariables, type Source } from './environment.ts';
import { openInstallation, requireInstallation, requireSecrets, type Installation } from './installation.ts';
import { openRelays } from './relay.ts';
import { openRouter } from './router.ts';

export interface Opened {
  readonly app: FastifyInstance;
  /** In the order in which they are closed. */
  readonly closeables: readonly Closeable[];
}

/** What is done with the database before the whole platform opens over it. */
export type Prepare = (installation: Installation, source: Source, log: Logger) => Promise<void>;

type Open = (source: Source, log: Logger, prepare: Prepare) => Promise<Opened>;

/** Writes are signed as such, and each is accepted once. */
function createIsMutation(): (operation: string) => boolean {
  const operations = loadOperations(executableSchema(loadSupergraph().schemas.public));
  const writes = new Set(operations.filter(({ method }) => method !== 'GET').map(({ name }) => name));
  return (operation) => writes.has(operation);
}

function doorOptions(source: Source, log: Logger) {
  const { TRUST_PROXY, PUBLIC_URL } = readEnvironment(source, doorVariables);
  return { log, trustProxy: TRUST_PROXY, publicUrl: PUBLIC_URL };
}

const all: Open = async (source, log, prepare) => {
  const installation = await openInstallation(source, log);
  await prepare(installation, source, log);
  const databases = databaseUrls(source, installation.ownerUrl, installation.secrets);
  const platform = await openAll({ ...doorOptions(source, log), databases, secrets: installation.secrets });
  return {
    app: platform.app,
    closeables: [
      { name: 'platform', close: platform.close },
      { name: 'database', close: installation.close },
    ],
  };
};

const router: Open = async (source, log) => {
  const { ownerUrl, secrets } = requireInstallation(source);
  const addresses = areaAddresses(source);
  const subgraphs = Object.fromEntries(
    areas.map((area) => [area, createHttpSubgraph({ area, url: addresses[area], key: secrets.derive(`edge/router-${area}`) })]),
  ) as Record<Area, SubgraphClient>;
  const opened = await openRouter({ subgraphs, databaseUrl: databaseUrls(source, ownerUrl, secrets).router, secrets, log });
  const options = { ...doorOptions(source, log), readiness: { database: opened.ready } };
  const app = await createPublicServer(options);
  await addGraphql(app, opened, options);
  await app.register(restServer, { door: opened.door, key: secrets.derive('edge/rest-router'), isMutation: createIsMutation() });
  await app.register(graphRoutes, { graph: opened.graph, key: secrets.derive('edge/area-router') });
  const closeAreas = async (): Promise<void> => {
    for (const subgraph of Object.values(subgraphs)) await subgraph.close?.();
  };
  return {
    app,
    closeables: [
      { name: 'server', close: () => app.close() },
      { name: 'router', close: opened.close },
      { name: 'areas', close: closeAreas },
    ],
  };
};

const rest: Open = async (source, log) => {
  const secrets = requireSecrets(source);
  const { ROUTER_URL } = readEnvironment(source, peerVariables);
  const door = createDoorClient({ url: ROUTER_URL, key: secrets.derive('edge/rest-router'), isMutation: createIsMutation() });
  const ready = async (): Promise<void> => {
    const { ok } = await fetch(new URL('/ready', ROUTER_URL));
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

/** An area's part of the platform, with the graph on the wire. */
async function openRemoteArea(area: Area, source: Source, log: Logger) {
  const { ownerUrl, secrets } = requireInstallation(source);
  const { ROUTER_URL } = readEnvironment(source, peerVariables);
  const graph = createGraphClient(ROUTER_URL, secrets.derive('edge/area-router'));
  const databaseUrl = databaseUrls(source, ownerUrl, secrets).areas[area];
  return {
    graph,
    secrets,
    subgraph: await openArea(area, { databaseUrl, secrets, log, graphAs: (viewer, requestId) => graph.as(viewer, requestId) }),
  };
}

const openAreaProcess =
  (area: Area): Open =>
  async (source, log) => {
    const { graph, secrets, subgraph } = await openRemoteArea(area, source, log);
    const app = createAreaServer(subgraph, {
      key: secrets.derive(`edge/router-${area}`),
      log,
      readiness: { database: subgraph.ready },
    });
    return {
      app,
      closeables: [
        { name: 'server', close: () => app.close() },
        { name: 'graph', close: () => graph.close() },
      ],
    };
  };

const worker: Open = async (source, log) => {
  const { ownerUrl, secrets } = requireInstallation(source);
  const { ROUTER_URL } = readEnvironment(source, peerVariables);
  const graph = createGraphClient(ROUTER_URL, secrets.derive('edge/area-router'));
  const opened = await Promise.all(
    areas.filter((area) => allAreas[area].consumers).map((area) => openRemoteArea(area, source, log)),
  );
  const consumers = opened.flatMap(({ subgraph }) => subgraph.consumers);
  const relay = openRelays({
    databaseUrls: databaseUrls(source, ownerUrl, secrets).relay,
    consumers,
    graph: graph.as(SYSTEM, 'relay'),
    log,
  });
  const app = createService({ log });
  const closeAreas = async (): Promise<void> => {
    for (const { subgraph, graph: client } of opened) {
      await subgraph.close();
      await client.close();
    }
    await graph.close();
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
