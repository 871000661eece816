/** The public servers: REST, GraphQL, or both on one port. */
import { join } from 'node:path';
import { constants } from 'node:zlib';
import cookie from '@fastify/cookie';
import compress from '@fastify/compress';
import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { callerOf } from '../platform/http/caller.ts';
import type { Network } from '../platform/http/networks.ts';
import { createService } from '../platform/http/service.ts';
import { createBridge } from '../rest-bridge/bridge.ts';
import { rejectForgery } from '../router/administration/request-forgery.ts';
import { createOidcProvider, type OidcSettings } from '../router/administration/oidc.ts';
import { oidcRoutes } from '../router/administration/oidc-routes.ts';
import { administratorOf } from '../router/administration/session-cookie.ts';
import { signInRoutes } from '../router/administration/sign-in-routes.ts';
import { adminGraphqlApi, graphqlApi } from '../router/graphql/api.ts';
import { createPages } from '../router/pages/dashboard.ts';
import type { NewOperationsPerMinute } from '../router/graphql/new-operations.ts';
import { loadSupergraph } from '../router/supergraph.ts';
import type { EntryPoint } from '../schema/entry-point.ts';
import { restApi } from './rest-api.ts';
import type { Router } from './router.ts';

export interface PublicServerOptions {
  readonly log: Logger;
  /** Proxies that are believed whom they were asked by. */
  readonly trustedProxies: readonly Network[];
  readonly publicUrl: string | null;
  /** The provider by which administrators sign in, beside passwords. */
  readonly oidc?: OidcSettings | null | undefined;
  /** Delay of the event loop above which requests are refused; 0 for never. */
  readonly maxEventLoopDelayMs?: number | undefined;
  /** How often callers of GraphQL may ask what was not asked before; the usual when absent. */
  readonly newOperationsPerMinute?: NewOperationsPerMinute | undefined;
  readonly readiness: Readonly<Record<string, () => Promise<void>>>;
}

/** Delay of the event loop above which a door refuses requests. */
export const overloadDelayMs = 1_000;

/** As `npm run dashboard` makes them. */
const pages = createPages(join(import.meta.dirname, '../dashboard/dist'));

/** A server with what every public answer has: security headers and compression. */
export async function createPublicServer({
  log,
  trustedProxies,
  readiness,
  maxEventLoopDelayMs = overloadDelayMs,
}: PublicServerOptions): Promise<FastifyInstance> {
  const app = createService({
    log,
    readiness,
    maxEventLoopDelayMs,
    exposesDependencyNames: false,
    trustedProxies,
  });
  await app.register(helmet, { global: true });
  await app.register(compress, {
    global: true,
    encodings: ['br', 'gzip'],
    threshold: 1024,
    // what is in memory already is compressed at once: half a millisecond at most, less than a stream costs by itself
    syncThreshold: 64 * 1024,
    // a third of the time of the usual levels for answers as small (JSON repeats its keys)
    zlibOptions: { level: 1 },
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } },
    // a body is taken as it is (platform/http/service.ts)
    globalDecompression: false,
  });
  return app;
}

/** Adds REST. */
export async function addRest(app: FastifyInstance, entryPoint: EntryPoint, { publicUrl }: PublicServerOptions): Promise<void> {
  const { schema, operations } = restApi();
  await app.register(createBridge({ entryPoint, apiSchema: schema, operations, publicUrl }));
}

/** Adds GraphQL for everybody, with its explorer. */
export async function addGraphql(
  app: FastifyInstance,
  router: Router,
  { log, newOperationsPerMinute }: PublicServerOptions,
): Promise<void> {
  await app.register(async (scope) => {
    // before admission: a page is no call
    scope.addHook('onRequest', pages.explore);
    await scope.register(cors, {
      origin: '*',
      methods: ['GET', 'POST'],
      exposedHeaders: [
        'X-Request-Id',
        'Retry-After',
        'RateLimit',
        'RateLimit-Policy',
        'X-RateLimit-Limit',
        'X-RateLimit-Remaining',
        'X-RateLimit-Reset',
      ],
    });
    await scope.register(graphqlApi, {
      graph: router.graph,
      schemas: loadSupergraph().schemas,
      admission: router.admission,
      callerOf,
      log,
      newOperationsPerMinute,
    });
  });
}

/** Adds what administrators use: sign-in, GraphQL by session, and the dashboard. Without CORS: no other site may ask. */
export async function addAdministration(
  app: FastifyInstance,
  { graph, sessions }: Router,
  { log, publicUrl, oidc }: PublicServerOptions,
): Promise<void> {
  const provider = oidc ? createOidcProvider(oidc, (why) => log.warn({ why }, 'sign-in by the OpenID provider failed')) : null;
  await app.register(async (scope) => {
    await scope.register(cookie);
    await scope.register(signInRoutes, { sessions, publicUrl, providerName: provider?.name ?? null });
    if (provider !== null) await scope.register(oidcRoutes, { provider, sessions, publicUrl });
    await scope.register(adminGraphqlApi, {
      graph,
      schemas: loadSupergraph().schemas,
      authenticate(request) {
        rejectForgery(request, publicUrl);
        return administratorOf(sessions, request);
      },
      log,
    });
  });
  await app.register(pages.add);
}
