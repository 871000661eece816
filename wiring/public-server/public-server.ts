/** The public HTTP server without its APIs: REST, GraphQL and the dashboard are added to it, on one port or on two. */
import { constants } from 'node:zlib';
import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { limitConnections } from '../../platform/http/connection-limits.ts';
import type { Network } from '../../platform/http/networks.ts';
import { limitRequests } from '../../platform/http/request-limit.ts';
import { addSecurityText, type SecurityContacts } from '../../platform/http/security-txt.ts';
import { createService } from '../../platform/http/service.ts';
import type { LoadGate } from '../../platform/load-gate.ts';
import { notFoundPage } from '../../rest-bridge/documentation/front-page.ts';
import type { OidcSettings } from '../../router/administration/oidc.ts';
import type { NewOperationsPerMinute } from '../../router/graphql/new-operations.ts';
import type { PortalOptions } from './portal.ts';
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
