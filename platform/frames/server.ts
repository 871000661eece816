/** Accepts framed connections on the port of an HTTP server and executes their calls. */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { Problem, type ErrorCode } from '../../schema/errors.ts';
import { rejectionReasons } from '../http/signed-request.ts';
import type { NonceMemory } from '../security/signature.ts';
import { runInScope } from '../telemetry/request-scope.ts';
import { openCallLine } from './call-line.ts';
import { isTooLarge, pendingMax } from './client-connection.ts';
import { createConnection, frameTypes } from './connection.ts';
import { acceptOffer, framesPath, type SessionKeys } from './handshake.ts';

/** A call in progress. */
export interface ReceivedCall {
  /** Aborted when the caller does not wait any longer, or its connection is lost. */
  readonly signal: AbortSignal;
  /** Requests the value that only the client has. Throws upstream_unavailable when the connection is lost. */
  ask(): Promise<string>;
}

export interface FrameServerOptions {
  /** The key of the edge. */
  readonly key: Buffer;
  readonly nonces: NonceMemory;
  readonly log: Pick<Logger, 'debug' | 'info' | 'warn' | 'error'>;
  /** Creates the handler of one connection. It throws a Problem for a call that it does not execute, and must not throw otherwise. */
  readonly createHandler: () => (body: string, call: ReceivedCall) => Promise<string>;
}

interface OpenCall {
  readonly controller: AbortController;
  question: PromiseWithResolvers<string> | null;
}

interface OpenConnection {
  /** Sends no further calls; resolves when the connection is closed. */
  drain(): Promise<void>;
}

/** The server stops to read from a client that does not read, and closes the connection if that lasts. */
const bufferedMaxBytes = 8 * 1024 * 1024;
const blockedMaxMs = 30_000;
/** How long a client may take to acknowledge that it sends no further calls. */
const drainMs = 5_000;

const unavailable: ErrorCode = 'upstream_unavailable';

function refuse(socket: Duplex, status: string): void {
  socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
}

function serveConnection(
  socket: Duplex,
  head: Buffer,
  keys: SessionKeys,
  { log, createHandler }: FrameServerOptions,
  onClose: () => void,
): OpenConnection {
  const handle = createHandler();
  const calls = new Map<number, OpenCall>();
  const { promise: closed, resolve: resolveClosed } = Promise.withResolvers<undefined>();
  let isDraining = false;
  let isLast = false;
  let blocked: NodeJS.Timeout | undefined;

  const connection = createConnection({
    socket,
    head,
    side: 'SERVER',
    sendKey: keys.server,
    receiveKey: keys.client,
    onFrame({ type, id, body }) {
      if (type === frameTypes.REQUEST) void execute(id, body);
      else if (type === frameTypes.CANCEL) calls.get(id)?.controller.abort();
      else if (type === frameTypes.ANSWER) calls.get(id)?.question?.resolve(body);
      else if (type === frameTypes.DRAIN) {
        isLast = true;
        endIfDone();
      }
    },
    onClose(reason) {
      clearTimeout(blocked);
      log.debug({ reason, calls: calls.size }, 'framed connection closed');
      for (const { controller, question } of calls.values()) {
        controller.abort();
        question?.reject(new Problem(unavailable, 'The caller disconnected.'));
      }
      onClose();
      resolveClosed(undefined);
    },
  });

  function endIfDone(): void {
    if (isLast && calls.size === 0) connection.end();
  }

  /** A client that does not read its responses sends no further calls either. */
  function respectReader(): void {
    if (blocked !== undefined || connection.bufferedBytes() < bufferedMaxBytes) return;
    connection.setReading(false);
    blocked = setTimeout(() => connection.destroy('the peer does not read'), blockedMaxMs).unref();
    socket.once('drain', () => {
      clearTimeout(blocked);
      blocked = undefined;
      connection.setReading(true);
    });
  }

  function ask(id: number, call: OpenCall): Promise<string> {
    if (call.question === null) {
      call.question = Promise.withResolvers<string>();
      connection.send(frameTypes.QUESTION, id);
    }
    return call.question.promise;
  }

  async function execute(id: number, body: string): Promise<void> {
    if (calls.size >= pendingMax) return connection.send(frameTypes.REJECTION, id, 'overloaded');
    const call: OpenCall = { controller: new AbortController(), question: null };
    calls.set(id, call);
    const line = openCallLine(log);
    try {
      const received = { signal: call.controller.signal, ask: () => ask(id, call) };
      const response = await runInScope(line.scope, () => handle(body, received));
      if (isTooLarge(response)) throw new Problem(unavailable, 'The response is too large.');
      connection.send(frameTypes.RESPONSE, id, response);
    } catch (error) {
      if (!(error instanceof Problem)) log.error({ err: error }, 'framed call failed');
      line.scope.facts.code ??= error instanceof Problem ? error.code : unavailable;
      connection.send(frameTypes.REJECTION, id, error instanceof Problem ? error.code : unavailable);
    }
    line.write();
    calls.delete(id);
    respectReader();
    endIfDone();
  }

  return {
    async drain() {
      if (!isDraining) connection.send(frameTypes.DRAIN, 0);
      isDraining = true;
      const timer = setTimeout(() => {
        isLast = true;
        endIfDone();
      }, drainMs).unref();
      await closed;
      clearTimeout(timer);
    },
  };
}

export interface FrameServer {
  /** Accepts no connections, tells the clients to send no further calls, and closes the connections after those in progress. */
  drain(): Promise<void>;
}

/** Adds framed connections to a server. Drain them before the server closes: it waits for its connections. */
export function acceptFrames(server: Server, options: FrameServerOptions): FrameServer {
  const open = new Set<OpenConnection>();
  let isClosing = false;

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy());
    if (request.url !== framesPath) return refuse(socket, '404 Not Found');
    if (isClosing) return refuse(socket, '503 Service Unavailable');
    const accepted = acceptOffer(options.key, request.headers, options.nonces);
    if (!accepted.ok) {
      const { reason } = accepted;
      options.log.warn({ path: framesPath, reason }, `rejected a call between processes: ${rejectionReasons[reason]}`);
      return refuse(socket, '403 Forbidden');
    }
    const lines = Object.entries(accepted.headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`);
    request.socket.setTimeout(0);
    request.socket.setNoDelay(true);
    const connection = serveConnection(socket, head, accepted.keys, options, () => open.delete(connection));
    open.add(connection);
  });
  return {
    async drain() {
      isClosing = true;
      await Promise.all([...open].map((connection) => connection.drain()));
    },
  };
}
