/** The whole platform in one process. */
import type { FastifyInstance } from 'fastify';
import { addImageRoutes } from '../platform/images/image-routes.ts';
import { auditKeysOf } from '../platform/events/audit-digest.ts';
import type { Relay } from '../platform/events/relay.ts';
import type { Worker } from '../platform/events/worker.ts';
import type { RedisConnection } from '../platform/redis/redis.ts';
import { currentRequestId } from '../platform/telemetry/request-scope.ts';
import { validKeys, type Secrets } from '../platform/security/secrets.ts';
import { mapAreasAsync } from '../schema/areas.ts';
import type { Graph } from '../schema/entry-point.ts';
import type { Ticket } from '../schema/subgraph-client.ts';
import { SYSTEM, type Viewer } from '../schema/viewer.ts';
import { openArea, type AreaOptions } from './area.ts';
import { addAdministration } from './public-server/administration.ts';
import { addGraphql } from './public-server/graphql.ts';
import { createPublicServer, type PublicServerOptions } from './public-server/public-server.ts';
import { addRest } from './public-server/rest.ts';
import type { DatabaseUrls } from './database-urls.ts';
import type { ProcessImages } from './images.ts';
import { imagePurpose } from './keys.ts';
import { createSandboxes, type Sandboxes, type SandboxesOptions } from './sandboxes/sandboxes.ts';
import { openRelays, type RelaysOptions } from './relay.ts';
import { openRouter, type Router, type RouterOptions } from './router.ts';
import { openWorkers } from './workers.ts';

export interface PlatformOptions
  extends Omit<PublicServerOptions, 'readiness'>, Pick<RelaysOptions, 'maintenanceMs' | 'catchUpMs'> {
  readonly databases: DatabaseUrls;
  readonly images: ProcessImages;
  readonly secrets: Secrets;
  /** Redis for the quota counters; default: PostgreSQL. The caller closes it. */
  readonly redis?: RedisConnection | undefined;
  readonly onStatement?: ((text: string) => void) | undefined;
  readonly planner?: RouterOptions['planner'];
  readonly schemaFolder?: RouterOptions['schemaFolder'];
  /** Development: webhooks may call this machine and private networks. Default: false. */
  readonly allowLocalUrls?: boolean | undefined;
  /** The operator on invoices. Default: statements have no invoices. */
  readonly billing?: AreaOptions['billing'];
  /** The Stripe account that receives usage. Default: none is sent. */
  readonly stripe?: AreaOptions['stripe'];
  readonly streams?: RouterOptions['streams'];
  /** Connections for the reads and writes of each area. Default: 10. */
  readonly poolSize?: number | undefined;
  /** The databases of test mode. Default: there is no test mode. */
  readonly sandboxes?:
    Pick<SandboxesOptions, 'ownerUrl' | 'template' | 'databasesMax' | 'openMax' | 'reopenMs' | 'idleMs' | 'sendMs'> | undefined;
  /** Interval of usage flushes. */
  readonly usageEveryMs?: number | undefined;
}

export interface Platform {
  readonly app: FastifyInstance;
  readonly router: Router;
  readonly relay: Relay;
  readonly workers: Worker;
  /** Null without test mode. */
  readonly sandboxes: Sandboxes | null;
  close(): Promise<void>;
}

/** Opens the platform without listening. */
export async function openPlatform(options: PlatformOptions): Promise<Platform> {
  const {
    databases,
    images,
    secrets,
    redis,
    log,
    onStatement,
    planner,
    maintenanceMs,
    catchUpMs,
    usageEveryMs,
    eventLoopDelayMs,
    allowLocalUrls = false,
  } = options;
  // The graph and the areas call each other: the router is set when it is open.
  const opened: { router: Router | null; sandboxes: Sandboxes | null } = { router: null, sandboxes: null };
  const graphAs =
    (viewer: Viewer, requestId: string, _ticket?: Ticket | null, signal?: AbortSignal): Graph =>
    (operation, variables, notes) => {
      if (!opened.router) throw new Error('The graph is not open yet');
      return opened.router.graph.internal(viewer, currentRequestId(requestId), signal)(operation, variables, notes);
    };
  const areaOptions = {
    secrets,
    log,
    graphAs,
    images: images.images,
    allowLocalUrls,
    billing: options.billing,
    stripe: options.stripe,
    poolSize: options.poolSize,
    redis,
    onStatement,
    resetTestData: options.sandboxes && (async (accountId: string) => opened.sandboxes?.reset(accountId)),
  };
  const subgraphs = await mapAreasAsync((area) => openArea(area, { ...areaOptions, databaseUrl: databases.areas[area] }));
  const sandboxes = (opened.sandboxes =
    options.sandboxes === undefined
      ? null
      : createSandboxes({
          ...options.sandboxes,
          secrets,
          log,
          images: images.images,
          onStatement,
          allowLocalUrls,
          maintenanceMs,
          catchUpMs,
          graphAs,
        }));
  const router = openRouter({
    subgraphs,
    sandboxes,
    databaseUrl: databases.router,
    listenUrl: databases.routerListen,
    redis,
    secrets,
    log,
    planner,
    usageEveryMs,
    eventLoopDelayMs,
    schemaFolder: options.schemaFolder,
    streams: options.streams,
    baseDomain: options.baseDomain,
  });
  opened.router = router;
  const consumers = Object.values(subgraphs).flatMap((subgraph) => subgraph.consumers);
  const relay = openRelays({
    databaseUrls: databases.relay,
    consumers,
    graph: graphAs(SYSTEM, 'relay'),
    log,
    auditKeys: auditKeysOf(secrets),
    maintenanceMs,
    catchUpMs,
  });
  const workers = openWorkers({
    subgraphs: Object.values(subgraphs),
    leadership: relay.leadershipOf('accounts'),
    allowLocalUrls,
    log,
    maintenanceMs,
  });
  const serverOptions = { ...options, readiness: { database: router.ready } };
  const app = await createPublicServer(serverOptions);
  await addRest(app, router, serverOptions);
  addImageRoutes(app, { store: images.store, keys: validKeys(secrets, imagePurpose) });
  await addGraphql(app, router, serverOptions);
  await addAdministration(app, router, serverOptions);
  return {
    app,
    router,
    relay,
    workers,
    sandboxes,
    async close() {
      const closeWorkers = workers.close().then(relay.close);
      await app.close();
      await Promise.all([sandboxes?.close(), closeWorkers]);
      await router.close();
      await Promise.all(Object.values(subgraphs).map((subgraph) => subgraph.close()));
    },
  };
}
