/** The public HTTP servers: REST, GraphQL, or both on one port. */
import { join } from 'node:path';
import { constants } from 'node:zlib';
import cookie from '@fastify/cookie';
import compress from '@fastify/compress';
import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { cachedFor } from '../platform/cached-result.ts';
import { limitConnections } from '../platform/http/connection-limits.ts';
import { callerOf } from '../platform/http/caller.ts';
import type { Network } from '../platform/http/networks.ts';
import { limitRequests } from '../platform/http/request-limit.ts';
import { addSecurityText, type SecurityContacts } from '../platform/http/security-txt.ts';
import { createService } from '../platform/http/service.ts';
import type { LoadGate } from '../platform/load-gate.ts';
import { createBridge } from '../rest-bridge/bridge.ts';
import { notFoundPage } from '../rest-bridge/documentation/front-page.ts';
import { rejectForgery } from '../router/administration/request-forgery.ts';
import { createNetworkLimit } from '../router/administration/network-limit.ts';
import { createOidcProvider, type OidcSettings } from '../router/administration/oidc.ts';
import { oidcRoutes } from '../router/administration/oidc-routes.ts';
import { administratorCookie, administratorOf } from '../router/administration/session-cookie.ts';
import { createSessionLimit } from '../router/administration/session-limit.ts';
import { createSignInRoutes, sessionView, signInRequestsPerMinute } from '../router/administration/sign-in-routes.ts';
import { adminGraphqlApi, graphqlApi } from '../router/graphql/api.ts';
import { createPages } from '../router/pages/dashboard.ts';
import type { NewOperationsPerMinute } from '../router/graphql/new-operations.ts';
import { createSites } from '../schema/sites.ts';
import { restApi } from './rest-api.ts';
import type { Router } from './router.ts';
import { addPortal, type PortalOptions } from './portal.ts';
import { addSites } from './sites.ts';

export interface PublicServerOptions {
  readonly log: Logger;
  /** Proxies whose headers about the client are trusted. */
  readonly trustedProxies: readonly Network[];
  readonly publicUrl: string | null;
  /** Domain whose subdomains serve areas and sports; null: every host is the main host. */
  readonly baseDomain?: string | null | undefined;
  /** Size of the cache of responses in bytes; default: 64 MiB, 0: responses are not kept. */
  readonly responseCacheBytes?: number | undefined;
  /** The OpenID provider for administrators, in addition to passwords. */
  readonly oidc?: OidcSettings | null | undefined;
  /** The portal of partners. Default: no provider, no registration. */
  readonly portal?: PortalOptions | undefined;
  /** The contacts of security.txt. Default: there is none. */
  readonly security?: SecurityContacts | null | undefined;
  /** Event loop delay above which requests are rejected; 0: never. */
  readonly maxEventLoopDelayMs?: number | undefined;
  /** Sheds load; the servers of a process share it. Default: requests are not queued. */
  readonly gate?: LoadGate | undefined;
  /** Source of the event loop delay; default: that of the process. */
  readonly eventLoopDelayMs?: (() => number) | undefined;
  /** Limit of new GraphQL operations per caller; default: the router's. */
  readonly newOperationsPerMinute?: NewOperationsPerMinute | undefined;
  readonly readiness: Readonly<Record<string, () => Promise<void>>>;
  /** Whether `/health` reports a living process; default: always. */
  readonly isHealthy?: (() => boolean) | undefined;
}

/** Default event loop delay above which requests are rejected. */
export const overloadDelayMs = 1_000;

/** Default size of the cache of responses. */
export const defaultResponseCacheBytes = 64 * 1024 * 1024;

/** The dashboard, built by `npm run dashboard`. */
const pages = createPages(join(import.meta.dirname, '../dashboard/dist'));

const graphqlCors = {
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
};

/** Creates a server with connection limits, hosts and compression. */
export async function createPublicServer({
  log,
  trustedProxies,
  readiness,
  isHealthy,
  publicUrl,
  baseDomain = null,
  security,
  maxEventLoopDelayMs = overloadDelayMs,
  eventLoopDelayMs,
  gate,
}: PublicServerOptions): Promise<FastifyInstance> {
  const app = createService({
    log,
    readiness,
    isHealthy,
    maxEventLoopDelayMs,
    eventLoopDelayMs,
    exposesDependencyNames: false,
    notFoundPage: notFoundPage(),
    trustedProxies,
  });
  limitConnections(app);
  if (gate !== undefined) limitRequests(app, gate);
  if (baseDomain !== null || publicUrl !== null) addSites(app, { baseDomain, publicUrl });
  addSecurityText(app, { security, publicUrl });
  await app.register(compress, {
    global: true,
    encodings: ['br', 'gzip'],
    threshold: 1024,
    // synchronous compression of bodies in memory takes at most half a millisecond, less than the overhead of a stream
    syncThreshold: 64 * 1024,
    // a third of the time of the default levels with similar sizes, because JSON repeats its keys
    zlibOptions: { level: 1 },
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } },
    // compressed request bodies are rejected (platform/http/service.ts)
    globalDecompression: false,
  });
  return app;
}

/** Adds the REST API. Closing the server ends its streams. */
export async function addRest(
  app: FastifyInstance,
  { entryPoint, eventStreams }: Pick<Router, 'entryPoint' | 'eventStreams'>,
  options: PublicServerOptions,
): Promise<void> {
  const { schema, operations } = restApi();
  const { publicUrl, baseDomain = null, responseCacheBytes = defaultResponseCacheBytes } = options;
  const siteOf = createSites(baseDomain);
  const sportOf = (host: string) => siteOf(host).sport;
  app.addHook('preClose', (done) => {
    eventStreams.close();
    done();
  });
  await app.register(
    createBridge({ entryPoint, eventStreams, apiSchema: schema, operations, publicUrl, baseDomain, sportOf, responseCacheBytes }),
  );
}

/** Adds the public GraphQL API with its explorer. */
export async function addGraphql(
  app: FastifyInstance,
  router: Router,
  { log, newOperationsPerMinute }: PublicServerOptions,
): Promise<void> {
  await app.register(async (scope) => {
    // before admission: the explorer page is not an API call
    scope.addHook('onRequest', pages.explore);
    await scope.register(cors, {
      delegator(request, done) {
        // the plugin responds to OPTIONS of every path otherwise
        done(null, { ...graphqlCors, preflight: /^\/graphql(?:[/?]|$)/.test(request.url) });
      },
    });
    await scope.register(graphqlApi, {
      graph: router.graph,
      schemas: router.versions.schemas(),
      admission: router.admission,
      persistedTexts: router.persistedTexts,
      registeredDocuments: router.registeredDocuments,
      live: { hubs: router.hubs, streamLimits: router.streamLimits },
      versions: router.versions,
      callerOf,
      log,
      newOperationsPerMinute,
    });
  });
}

/** Adds sign-in, the GraphQL API for administrators and the dashboard, and the same for the portal. Without CORS, so that other sites cannot call them. */
export async function addAdministration(
  app: FastifyInstance,
  router: Router,
  { log, publicUrl, oidc, portal, newOperationsPerMinute }: PublicServerOptions,
): Promise<void> {
  const { graph, versions, sessions } = router;
  const provider = oidc ? createOidcProvider(oidc, (reason) => log.warn({ reason }, 'OpenID sign-in failed')) : null;
  const limit = createNetworkLimit(signInRequestsPerMinute);
  const sessionLimit = createSessionLimit();
  // true stays true
  const isSetUp = cachedFor(
    1_000,
    () => sessions.hasAdministrators(),
    (has) => has,
  );
  await app.register(async (scope) => {
    await scope.register(cookie);
    await scope.register(
      createSignInRoutes({
        base: '/admin',
        sessions,
        cookie: administratorCookie,
        publicUrl,
        providerName: provider?.name ?? null,
        view: (session) => ({ ...sessionView(session), administrator: session.administrator }),
        signedOut: async () => ({ setUp: await isSetUp() }),
        limit,
        sessionLimit,
      }),
    );
    if (provider !== null)
      await scope.register(oidcRoutes, { provider, sessions, base: '/admin', cookie: administratorCookie, publicUrl, limit });
    await scope.register(adminGraphqlApi, {
      graph,
      versions,
      schemas: versions.schemas(),
      authenticate(request) {
        rejectForgery(request, publicUrl);
        return administratorOf(sessions, request, sessionLimit);
      },
      log,
    });
  });
  await addPortal(app, router, { ...portal, log, publicUrl, newOperationsPerMinute });
  await app.register(pages.add);
}
