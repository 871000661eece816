/** WebSockets of a Fastify server: an upgrade passes the hooks of its route, as every request, and the handler accepts it. */
import { ServerResponse, type IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { WebSocketServer, type WebSocket } from 'ws';

export interface WebSocketOptions {
  readonly protocol: string;
  /** Maximum size of a message of the client in bytes. */
  readonly messageBytes: number;
  /** Interval in which a connection must respond to a ping. */
  readonly heartbeatMs: number;
}

export interface WebSockets {
  /** Whether the request is an upgrade to a WebSocket with the protocol. */
  isUpgrade(request: FastifyRequest): boolean;
  accept(request: FastifyRequest, reply: FastifyReply, serve: (socket: WebSocket) => void): void;
}

interface Upgrade {
  readonly socket: Socket;
  readonly head: Buffer;
}

/** Time for clients to confirm that a connection closes. */
const closeMs = 1_000;

const isWebSocket = ({ headers }: IncomingMessage): boolean => headers.upgrade?.toLowerCase() === 'websocket';

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

/** Whether the request is an upgrade: its response does not emit `close`. */
export const isUpgrade = (request: IncomingMessage): boolean => upgrades.has(request);

const offers = ({ headers }: IncomingMessage, protocol: string): boolean =>
  headers['sec-websocket-protocol']?.split(',').some((offered) => offered.trim() === protocol) === true;

/** Accepts WebSockets. All are closed with 1001 when the server closes. One call per server. */
export function addWebSockets(app: FastifyInstance, { protocol, messageBytes, heartbeatMs }: WebSocketOptions): WebSockets {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: true,
    maxPayload: messageBytes,
    perMessageDeflate: false,
    handleProtocols: () => protocol,
  });
  let isClosing = false;
  const responsive = new WeakSet<WebSocket>();
  const timer = setInterval(() => {
    for (const socket of server.clients) {
      if (!responsive.delete(socket)) socket.terminate();
      else socket.ping();
    }
  }, heartbeatMs).unref();

  // other upgrades, such as to HTTP/2, are ignored (RFC 9110, section 7.8)
  Object.assign(app.server, { shouldUpgradeCallback: isWebSocket });
  app.server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // a server without TLS has no other sockets
    if (!(socket instanceof Socket)) return void socket.destroy();
    upgrades.set(request, { socket, head });
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(socket);
    response.once('finish', () => socket.destroySoon());
    socket.once('error', () => socket.destroy());
    app.routing(request, response);
  });
  app.addHook('preClose', (done) => {
    isClosing = true;
    clearInterval(timer);
    for (const socket of server.clients) socket.close(1001, 'The process is shutting down. Connect again.');
    setTimeout(() => {
      for (const socket of server.clients) socket.terminate();
    }, closeMs).unref();
    done();
  });

  return {
    isUpgrade: ({ raw }) => !isClosing && upgrades.has(raw) && offers(raw, protocol),
    accept(request, reply, serve) {
      const upgrade = upgrades.get(request.raw);
      if (upgrade === undefined) throw new Error('The request is no upgrade');
      reply.hijack();
      reply.raw.detachSocket(upgrade.socket);
      server.handleUpgrade(request.raw, upgrade.socket, upgrade.head, (socket) => {
        responsive.add(socket);
        socket.on('pong', () => responsive.add(socket));
        serve(socket);
      });
    },
  };
}
