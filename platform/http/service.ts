/** The HTTP server of every process: request IDs, one log line per request, problem responses, `/health` and `/ready`. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type preParsingHookHandler,
} from 'fastify';
import type { Logger } from 'pino';
import { Problem } from '../../schema/errors.ts';
import { errorCode } from '../error-code.ts';
import { hasSecret } from '../security/issued-secrets.ts';
import { addClientAddress } from './client-address.ts';
import { eventLoopDelay } from './event-loop-delay.ts';
import { rejectMalformed, requireOneHost } from './malformed-requests.ts';
import { isWithin, parseAddress, type Network } from './networks.ts';
import { addProbes, isPolled } from './probes.ts';
import { pathOf, sendProblem, toProblem, unknownPathDetail } from './problem.ts';
import { addRequestScope, RequestLog } from './request-log.ts';
import { dataHeaders, pageHeaders } from './security-headers.ts';

export interface ServiceOptions {
  readonly log: Logger;
  /** Proxies whose Forwarded and X-Forwarded-* headers are trusted; default: none. */
  readonly trustedProxies?: readonly Network[];
  /** The dependencies, by name, that must respond once before `/ready` does; a check throws while its dependency is unavailable. */
  readonly readiness?: Readonly<Record<string, () => Promise<void>>>;
  /** Whether `/health` reports a living process; default: always. False: only a person or a restart can help. */
  readonly isHealthy?: (() => boolean) | undefined;
  /** Mean event loop delay over a second above which requests are rejected as `overloaded`; absent or 0: never. */
  readonly maxEventLoopDelayMs?: number | undefined;
  /** Source of the event loop delay; default: that of the process. */
  readonly eventLoopDelayMs?: (() => number) | undefined;
  /** Whether the response of `/ready` lists the dependencies; the log always does. Default: true. */
  readonly exposesDependencyNames?: boolean;
  /** The 404 page for browsers; default: a problem for every client. */
  readonly notFoundPage?: string | undefined;
  /** Maximum body size in bytes. */
  readonly bodyLimit?: number;
}

const requestIdPattern = /^[A-Za-z0-9._:-]{1,100}$/;

/**
 * Creates a Fastify server for uncompressed JSON bodies; all others are rejected with 415. A handler throws a Problem; every other error is
 * logged with its request ID and returned as `internal`. Closing the server rejects new requests and completes those in progress.
 */
export function createService(options: ServiceOptions): FastifyInstance {
  const { trustedProxies = [] } = options;
  // Fastify's logger type, so that the type of the instance does not depend on pino
  const log: FastifyBaseLogger = options.log;
  const app: FastifyInstance = Fastify({
    loggerInstance: log,
    logController: new RequestLog(),
    // applies to X-Forwarded-Host only; addClientAddress evaluates X-Forwarded-For
    trustProxy: trustedProxies.length > 0 && ((address: string) => isTrusted(address, trustedProxies)),
    bodyLimit: options.bodyLimit ?? 1_048_576,
    requestTimeout: 60_000,
    // requireOneHost responds with a problem; Node.js responds without a body
    http: { requireHostHeader: false },
    forceCloseConnections: 'idle',
    // requests that arrive on open connections are answered, and the connections closed
    return503OnClosing: false,
    genReqId: ({ headers: { 'x-request-id': given } }) =>
      typeof given === 'string' && requestIdPattern.test(given) && !hasSecret(given) ? given : randomUUID(),
    // these errors run no hooks
    frameworkErrors: (error, request, reply) => void sendError(error, request, reply.headers(dataHeaders)),
    clientErrorHandler: rejectMalformed,
  });
  addRequestScope(app);
  addClientAddress(app, trustedProxies);
  // Node.js responds with 417 and no headers; unknown expectations may be ignored (RFC 9110 section 10.1.1)
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response));
  app.removeContentTypeParser('text/plain');
  app.addHook('onRequest', (request, reply, done) => {
    // pages replace the headers by `pageHeaders`
    reply.headers({ ...dataHeaders, 'x-request-id': request.id });
    done();
  });
  requireOneHost(app);
  app.addHook('preParsing', rejectEncoded);
  app.setErrorHandler(sendError);
  rejectOverload(app, options);
  app.setNotFoundHandler((request, reply) => {
    const isPage = options.notFoundPage !== undefined && request.method === 'GET' && acceptsHtml(request.headers.accept);
    if (!isPage) return sendProblem(reply, new Problem('not_found', unknownPathDetail));
    return reply
      .code(404)
      .headers({ ...pageHeaders, 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
      .send(options.notFoundPage);
  });
  addProbes(app, {
    dependencies: options.readiness ?? {},
    exposesNames: options.exposesDependencyNames ?? true,
    isHealthy: options.isHealthy ?? (() => true),
  });
  return app;
}

/** Browsers name HTML when they open an address; other clients do not. */
const acceptsHtml = (accept = ''): boolean => /(?:^|[\s,])text\/html\b/i.test(accept);

function isTrusted(text: string, proxies: readonly Network[]): boolean {
  const address = parseAddress(text);
  return address !== null && isWithin(address, proxies);
}

/** Starts to listen and returns the URL. Port 0 selects a free port. */
export function listen(app: FastifyInstance, address: { readonly host: string; readonly port: number }): Promise<string> {
  return app.listen({ host: address.host, port: address.port, listenTextResolver: (url) => `listening at ${url}` });
}

/** Compressed bodies are rejected: they can expand a thousandfold. */
const rejectEncoded: preParsingHookHandler = (request, reply, payload, done) => {
  const { 'content-encoding': encoding = 'identity', 'content-length': length, 'transfer-encoding': chunked } = request.headers;
  const empty = chunked === undefined && (length === undefined || length === '0');
  if (empty || encoding.toLowerCase() === 'identity') return done(null, payload);
  reply.header('accept-encoding', 'identity');
  done(new Problem('unsupported_media_type', 'Compressed bodies are not supported. Send the body without Content-Encoding.'));
};

/** Throws Error if the port cannot be used: checked before anything else is opened. */
export async function requireFreePort({ host, port }: { readonly host: string; readonly port: number }): Promise<void> {
  const server = createServer();
  const listening = once(server, 'listening');
  server.listen({ host, port, exclusive: true });
  try {
    await listening;
  } catch (error) {
    const code = errorCode(error);
    const reason = code === 'EADDRINUSE' ? 'is already in use' : `is not available (${code ?? String(error)})`;
    throw new Error(`Port ${port} of ${host} ${reason}. Stop the process that uses it, or choose another port.`, {
      cause: error,
    });
  }
  server.close();
  await once(server, 'close');
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = toProblem(error);
  if (problem.code === 'internal') request.log.error({ err: error }, 'request failed');
  return sendProblem(reply, problem);
}

/** Sends a problem in the format of the API that the route belongs to; default: application/problem+json. */
export type SendProblem = (request: FastifyRequest, reply: FastifyReply, problem: Problem) => FastifyReply;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For rejections before the hooks of the route, which know the format, have run. */
    readonly sendProblem?: SendProblem;
    /** Name of the REST operation; null for other routes. */
    readonly operation?: string | null;
    /** Whether clients open WebSockets here. */
    readonly isWebSocket?: boolean;
  }
}

/** Rejects requests immediately under overload, so that earlier requests can complete. Probes and `/metrics` always respond. */
function rejectOverload(app: FastifyInstance, { maxEventLoopDelayMs: maxMs = 0, eventLoopDelayMs }: ServiceOptions): void {
  if (maxMs === 0) return;
  const measured = eventLoopDelayMs === undefined ? eventLoopDelay() : null;
  const delayMs = eventLoopDelayMs ?? eventLoopDelay().delayMs;
  app.addHook('onReady', (done) => {
    measured?.ignoreStartup();
    done();
  });
  // not an error: those pass through the error handlers of the APIs
  app.addHook('onRequest', (request, reply, done) => {
    if (delayMs() <= maxMs || isPolled(pathOf(request.url))) return done();
    const problem = new Problem('overloaded', 'The server is overloaded. Try again shortly.');
    const { sendProblem: send } = request.routeOptions.config;
    if (send === undefined) sendProblem(reply, problem);
    else send(request, reply, problem);
  });
}
