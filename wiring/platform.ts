/** The whole platform in one process. */
import type { FastifyInstance } from 'fastify';
import type { Relay } from '../platform/events/relay.ts';
import type { RedisConnection } from '../platform/redis/redis.ts';
import type { Secrets } from '../platform/security/secrets.ts';
import { areas, type Area } from '../schema/areas.ts';
import type { Graph } from '../schema/entry-point.ts';
import { SYSTEM, type Viewer } from '../schema/viewer.ts';
import type { Subgraph } from '../subgraphs/runtime/subgraph.ts';
import { openArea } from './area.ts';
import { addAdministration, addGraphql, addRest, createPublicServer, type PublicServerOptions } from './public-server.ts';
import type { DatabaseUrls } from './environment.ts';
import { openRelays, type RelaysOptions } from './relay.ts';
import { openRouter, type Router, type RouterOptions } from './router.ts';

export interface PlatformOptions
  extends Omit<PublicServerOptions, 'readiness'>, Pick<RelaysOptions, 'maintenanceMs' | 'catchUpMs'> {
  readonly databases: DatabaseUrls;
  readonly secrets: Secrets;
  /** Where the quota counters are; in PostgreSQL when absent. Stays open. */
  readonly redis?: RedisConnection | undefined;
  readonly onStatement?: ((text: string) => void) | undefined;
  readonly planner?: RouterOptions['planner'];
  /** How often usage is flushed. */
  readonly usageEveryMs?: number | undefined;
}

export interface Platform {
  readonly app: FastifyInstance;
  readonly router: Router;
  readonly relay: Relay;
  close(): Promise<void>;
}

/** Builds everything but does not listen yet. */
export async function openPlatform(options: PlatformOptions): Promise<Platform> {
  const { databases, secrets, redis, log, onStatement, planner, maintenanceMs, catchUpMs, usageEveryMs } = options;
  // Areas call the graph, and the graph calls areas: the later one is bound when both are there.
  const late: { router: Router | null } = { router: null };
  const graphAs =
    (viewer: Viewer, requestId: string): Graph =>
    (operation, variables) => {
      if (!late.router) throw new Error('the graph is not open yet');
      return late.router.graph.internal(viewer, requestId)(operation, variables);
    };
  const open = async (area: Area): Promise<[Area, Subgraph]> => [
    area,
    await openArea(area, { databaseUrl: databases.areas[area], secrets, log, graphAs, redis, onStatement }),
  ];
  const subgraphs = Object.fromEntries(await Promise.all(areas.map(open))) as Record<Area, Subgraph>;
  const router = openRouter({
    subgraphs,
    databaseUrl: databases.router,
    listenUrl: databases.routerListen,
    redis,
    secrets,
    log,
    planner,
    usageEveryMs,
  });
  late.router = router;
  const consumers = Object.values(subgraphs).flatMap((subgraph) => subgraph.consumers);
  const relay = openRelays({
    databaseUrls: databases.relay,
    consumers,
    graph: graphAs(SYSTEM, 'relay'),
    log,
    maintenanceMs,
    catchUpMs,
  });
  const doors = { ...options, readiness: { database: router.ready } };
  const app = await createPublicServer(doors);
  await addRest(app, router.entryPoint, doors);
  await addGraphql(app, router, doors);
  await addAdministration(app, router, doors);
  return {
    app,
    router,
    relay,
    async close() {
      await app.close();
      await relay.close();
      await router.close();
      await Promise.all(Object.values(subgraphs).map((subgraph) => subgraph.close()));
    },
  };
}
