/** What makes a process a service: request ids, one log line a request, problem answers, /health and /ready. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import underPressure from '@fastify/under-pressure';
import Fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type preParsingHookHandler,
} from 'fastify';
import type { Logger } from 'pino';
import { Problem } from '../../schema/errors.ts';
import { addClientAddress } from './client-address.ts';
import { isWithin, parseAddress, type Network } from './networks.ts';
import { pathOf, problemBody, problemHeaders, sendProblem, toProblem } from './problem.ts';

export interface ServiceOptions {
  readonly log: Logger;
  /** The proxies whose Forwarded and X-Forwarded-* count; none when absent. */
  readonly trustedProxies?: readonly Network[];
  /** The dependencies that `/ready` asks, by name: each throws while it is not there. */
  readonly readiness?: Readonly<Record<string, () => Promise<void>>>;
  /** Mean delay of the event loop over a second above which requests are refused as `overloaded`; never when absent or 0. */
  readonly maxEventLoopDelayMs?: number | undefined;
  /** Whether `/ready` names them, which is nobody's business outside; the log always does. Default true. */
  readonly exposesDependencyNames?: boolean;
  /** Largest body in bytes. */
  readonly bodyLimit?: number;
}

const requestIdPattern = /^[A-Za-z0-9._:-]{1,100}$/;
const readinessTimeoutMs = 2_000;
const probes = new Set(['/health', '/ready']);

/** One line per request, at its end, without its query: that may hold keys and names. */
class RequestLog extends LogController {
  constructor() {
    super({ requestIdLogLabel: 'requestId' });
  }
  override incomingRequest(): void {
    // the line at the end says all
  }
  override routeNotFound(): void {
    // the line at the end says all
  }
  override defaultErrorLog(): void {
    // the error handler logs what is ours
  }
  override requestCompleted(_error: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    const { statusCode: status } = reply;
    const path = pathOf(request.url);
    if (status < 400 && probes.has(path)) return;
    const facts = { method: request.method, path, status, durationMs: Math.round(reply.elapsedTime * 100) / 100 };
    reply.log[status >= 500 ? 'error' : 'info'](facts, 'request');
  }
}

/**
 * Builds a Fastify server that takes JSON only, and as it is: what is compressed is 415. Handlers throw a Problem; anything else they throw is told as `internal`
 * and logged with its request id. Close it to drain: it refuses new requests and ends those in progress.
 */
export function createService(options: ServiceOptions): FastifyInstance {
  const { trustedProxies = [] } = options;
  // as Fastify knows a logger: else the type of the instance would name pino
  const log: FastifyBaseLogger = options.log;
  const app: FastifyInstance = Fastify({
    loggerInstance: log,
    logController: new RequestLog(),
    // of X-Forwarded-Host; whom X-Forwarded-For names is told by clientAddress
    trustProxy: trustedProxies.length > 0 && ((address: string) => isTrusted(address, trustedProxies)),
    bodyLimit: options.bodyLimit ?? 1_048_576,
    requestTimeout: 60_000,
    forceCloseConnections: 'idle',
    genReqId: ({ headers: { 'x-request-id': given } }) =>
      typeof given === 'string' && requestIdPattern.test(given) ? given : randomUUID(),
    frameworkErrors: (fault, request, reply) => void answer(fault, request, reply),
    clientErrorHandler: refuseMalformed,
  });
  addClientAddress(app, trustedProxies);
  app.removeContentTypeParser('text/plain');
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id);
    done();
  });
  app.addHook('preParsing', refuseEncoded);
  app.setErrorHandler(answer);
  refuseOverload(app, options.maxEventLoopDelayMs ?? 0);
  app.setNotFoundHandler((_request, reply) => sendProblem(reply, new Problem('not_found', 'There is nothing at this path.')));
  addProbes(app, options.readiness ?? {}, options.exposesDependencyNames ?? true);
  return app;
}

function isTrusted(text: string, proxies: readonly Network[]): boolean {
  const address = parseAddress(text);
  return address !== null && isWithin(address, proxies);
}

/** Listens, and returns the address as a URL. Port 0 takes a free one. */
export function listen(app: FastifyInstance, address: { readonly host: string; readonly port: number }): Promise<string> {
  return app.listen({ host: address.host, port: address.port, listenTextResolver: (url) => `listening at ${url}` });
}

/** What is compressed may be a thousand times what it seems to be. */
const refuseEncoded: preParsingHookHandler = (request, reply, payload, done) => {
  const { 'content-encoding': encoding = 'identity', 'content-length': length, 'transfer-encoding': chunked } = request.headers;
  const empty = chunked === undefined && (length === undefined || length === '0');
  if (empty || encoding.toLowerCase() === 'identity') return done(null, payload);
  reply.header('accept-encoding', 'identity');
  done(
    new Problem('unsupported_media_type', 'Send the body as it is, without Content-Encoding: compressed bodies are not taken.'),
  );
};

/** Throws Error that says what to do when one cannot listen there: asked before anything else is opened. */
export async function requireFreePort({ host, port }: { readonly host: string; readonly port: number }): Promise<void> {
  const server = createServer();
  const told = once(server, 'listening');
  server.listen({ host, port, exclusive: true });
  try {
    await told;
  } catch (fault) {
    const { code } = fault as NodeJS.ErrnoException;
    const why = code === 'EADDRINUSE' ? 'is taken' : `cannot be listened on (${code ?? String(fault)})`;
    throw new Error(`Port ${port} of ${host} ${why}: stop what listens there, or choose another.`, { cause: fault });
  }
  server.close();
  await once(server, 'close');
}

function answer(fault: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const problem = toProblem(fault);
  if (problem.code === 'internal') request.log.error({ err: fault }, 'request failed');
  return sendProblem(reply, problem);
}

/** How often the delay of the event loop is looked at. */
const sampleIntervalMs = 1_000;

/** Refused at once, in the same shape at every door: who came before has a better chance that way. The probes always answer. */
function refuseOverload(app: FastifyInstance, maxEventLoopDelay: number): void {
  // Measured by the plugin, told by us: its error would go through the doors, which ask the database first.
  app.register(underPressure, { maxEventLoopDelay, sampleInterval: sampleIntervalMs, pressureHandler: () => undefined });
  // the sample in which the start ends is told until the next one is taken
  let countsFromMs = Infinity;
  app.addHook('onReady', (done) => {
    countsFromMs = performance.now() + 2 * sampleIntervalMs;
    done();
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (!app.isUnderPressure() || performance.now() < countsFromMs || probes.has(pathOf(request.url))) done();
    else sendProblem(reply, new Problem('overloaded', 'Too much at once. Try again shortly.'));
  });
}

function addProbes(app: FastifyInstance, readiness: Readonly<Record<string, () => Promise<void>>>, named: boolean): void {
  let closing = false;
  app.addHook('preClose', (done) => {
    closing = true;
    done();
  });
  app.get('/health', (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'alive' }));
  app.get('/ready', async (request, reply) => {
    const checks = Object.entries(readiness).map(async ([name, check]) => {
      try {
        await inTime(check());
        return [name, 'ready'] as const;
      } catch (fault) {
        request.log.warn({ err: fault, dependency: name }, 'not ready');
        return [name, 'unavailable'] as const;
      }
    });
    const dependencies = await Promise.all(checks);
    const ready = !closing && dependencies.every(([, state]) => state === 'ready');
    return reply
      .code(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: ready ? 'ready' : 'unavailable', ...(named && { dependencies: Object.fromEntries(dependencies) }) });
  });
}

async function inTime(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, refuse) => {
    timer = setTimeout(() => refuse(new Error(`No answer in ${readinessTimeoutMs} ms.`)), readinessTimeoutMs);
  });
  await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** What is no HTTP reaches no route: answered here, in the same shape. */
function refuseMalformed(fault: Error & { code?: string }, socket: Socket): void {
  if (fault.code === 'ECONNRESET' || socket.destroyed) return;
  if (!socket.writable) return void socket.destroy();
  const problem = new Problem('parameter_invalid', 'This is not a valid HTTP request, or its headers are too large or too slow.');
  const requestId = randomUUID();
  const body = JSON.stringify(problemBody(problem, { instance: '/', requestId }));
  const headers = {
    ...problemHeaders(problem),
    'x-request-id': requestId,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.join('')}\r\n${body}`);
}
