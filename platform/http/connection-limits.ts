/** Limits of connections from outside: clients that do not read their responses, and requests in progress on one connection. */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Problem } from '../../schema/errors.ts';
import { endWithProblem, slowRequest } from './malformed-requests.ts';
import { sendProblem } from './problem.ts';

export interface ConnectionLimits {
  /**
   * A connection on which no byte was sent or received for this time is closed, unless a request is being executed. Node.js measures it, also
   * within one large response.
   */
  readonly stalledTimeoutMs: number;
  /** Time in which a client must have read a response, from the first check that finds it incomplete, or a part of `partBytes` of a longer one. */
  readonly responseTimeoutMs: number;
  /** What a client must read of a long response, such as an export, in each `responseTimeoutMs`. */
  readonly partBytes: number;
  /** Interval of these checks. */
  readonly checkIntervalMs: number;
  /** Requests of one connection that are in progress at once, by HTTP pipelining. */
  readonly maxPipelined: number;
  /** Requests after which a connection is closed, so that clients return to a load balancer. */
  readonly maxRequests: number;
}

const defaults: ConnectionLimits = {
  stalledTimeoutMs: 30_000,
  responseTimeoutMs: 120_000,
  partBytes: 1024 * 1024,
  checkIntervalMs: 5_000,
  maxPipelined: 16,
  maxRequests: 10_000,
};

interface Connection {
  /** Requests without a complete response. */
  inProgress: number;
  /** The last request. */
  last: IncomingMessage | null;
  completed: number;
  /** Since when a response has been incomplete, how many responses were complete then, and how many bytes were sent; null while none is pending. */
  pending: { readonly sinceMs: number; readonly completed: number; readonly sentBytes: number } | null;
}

/** Adds the limits to a server. */
export function limitConnections(app: FastifyInstance, options: Partial<ConnectionLimits> = {}): void {
  const limits = { ...defaults, ...options };
  const connections = new Map<Socket, Connection>();
  app.server.timeout = limits.stalledTimeoutMs;

  function disconnect(socket: Socket): void {
    const pendingBytes = socket.writableLength;
    if (pendingBytes > 0) app.log.info({ pendingBytes }, 'connection closed: the client does not read its response');
    socket.destroy();
  }
  // also emitted for idle connections that are kept alive
  app.server.on('timeout', (socket: Socket) => {
    const { inProgress = 0, last = null } = connections.get(socket) ?? {};
    const hasPartialHeaders = last === null && socket.bytesRead > 0;
    const isReceiving = hasPartialHeaders || (inProgress === 1 && last?.complete === false);
    const isExecuting = inProgress > 0 && !isReceiving && socket.writableLength === 0;
    // the client waits for the platform, whose operations have time limits
    if (isExecuting) socket.setTimeout(limits.stalledTimeoutMs);
    else if (isReceiving && socket.writable && socket.writableLength === 0) endWithProblem(socket, slowRequest());
    else disconnect(socket);
  });
  app.server.on('connection', (socket: Socket) => {
    connections.set(socket, { inProgress: 0, last: null, completed: 0, pending: null });
    socket.once('close', () => connections.delete(socket));
  });

  function check(socket: Socket, connection: Connection): void {
    const { pending, completed } = connection;
    const nowMs = performance.now();
    const sentBytes = socket.bytesWritten - socket.writableLength;
    const current = { sinceMs: nowMs, completed, sentBytes };
    if (socket.writableLength === 0) connection.pending = null;
    else if (pending?.completed !== completed) connection.pending = current;
    else if (nowMs - pending.sinceMs < limits.responseTimeoutMs) return;
    else if (sentBytes - pending.sentBytes >= limits.partBytes) connection.pending = current;
    else disconnect(socket);
  }

  const timer = setInterval(() => {
    for (const [socket, connection] of connections) check(socket, connection);
  }, limits.checkIntervalMs);
  timer.unref();
  app.addHook('onClose', (_, done) => {
    clearInterval(timer);
    done();
  });

  app.addHook('onRequest', (request, reply, done) => {
    const connection = connections.get(request.raw.socket);
    // requests injected by tests have no connection
    if (connection === undefined) return done();
    connection.inProgress += 1;
    connection.last = request.raw;
    reply.raw.once('close', () => {
      connection.inProgress -= 1;
      connection.completed += 1;
    });
    if (connection.inProgress + connection.completed >= limits.maxRequests) reply.header('connection', 'close');
    if (connection.inProgress <= limits.maxPipelined) return done();
    const detail = `A connection can have ${limits.maxPipelined} requests in progress. Wait for their responses, or open several connections.`;
    const problem = new Problem('rate_limited', detail, { limit: limits.maxPipelined });
    reply.headers({ connection: 'close', 'retry-after': '1' });
    const { sendProblem: send } = request.routeOptions.config;
    if (send === undefined) sendProblem(reply, problem);
    else send(request, reply, problem);
  });
}
