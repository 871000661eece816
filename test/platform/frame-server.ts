/** A process with framed connections for tests, and a network between it and its clients that can be changed. */
import { createServer, request, type IncomingHttpHeaders, type Server } from 'node:http';
import { connect, createServer as createProxy, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { createFrameClient, type Call, type FrameClient } from '../../platform/frames/client.ts';
import { acceptFrames, type FrameServer, type ReceivedCall } from '../../platform/frames/server.ts';
import { createLog } from '../../platform/log.ts';
import { createNonceMemory } from '../../platform/security/signature.ts';

export const edgeKey = Buffer.alloc(32, 3);

export interface TestServer {
  readonly url: string;
  readonly port: number;
  /** Bodies of the calls executed, in order. */
  readonly executed: string[];
  readonly log: string[];
  respond: (body: string, call: ReceivedCall) => Promise<string> | string;
  readonly frames: FrameServer;
  /** Drains its connections and stops, as a process does after SIGTERM. */
  stop(): Promise<void>;
  /** Closes all sockets, as in a crash. */
  crash(): void;
}

export async function startServer({ host = '127.0.0.1', port = 0, key = edgeKey } = {}): Promise<TestServer> {
  const http: Server = createServer((_, response) => void response.writeHead(404).end());
  const sockets = new Set<Socket>();
  http.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  const executed: string[] = [];
  const lines: string[] = [];
  const log = createLog({ name: 'test', level: 'debug', destination: { write: (line: string) => void lines.push(line) } });
  const frames = acceptFrames(http, {
    key,
    nonces: createNonceMemory(),
    log,
    createHandler: () => async (body, call) => {
      executed.push(body);
      return await server.respond(body, call);
    },
  });
  http.listen(port, host);
  await once(http, 'listening');
  const address = http.address() as AddressInfo;
  const crash = (): void => {
    http.close();
    for (const socket of sockets) socket.destroy();
  };
  const server: TestServer = {
    url: `http://${host}:${address.port}`,
    port: address.port,
    executed,
    log: lines,
    respond: (body) => body,
    frames,
    async stop() {
      await frames.drain();
      crash();
    },
    crash,
  };
  return server;
}

export const createClient = (url: string, key = edgeKey): FrameClient => createFrameClient({ name: 'The other', url, key });

export const callOf = (body: string, options: Partial<Call> = {}): Call => ({
  body: () => body,
  deadlineMs: performance.now() + 5_000,
  signal: undefined,
  mutation: false,
  answer: () => '',
  ...options,
});

/** A proxy in front of a server, which passes on what `change` makes of the bytes from the client. */
export async function startProxy(port: number, change: (chunk: Buffer, index: number) => Buffer[]) {
  const proxy = createProxy((inbound) => {
    const outbound = connect(port, '127.0.0.1');
    let index = 0;
    inbound.on('data', (chunk: Buffer) => {
      for (const part of change(chunk, index)) outbound.write(part);
      index += 1;
    });
    outbound.on('data', (chunk) => inbound.write(chunk));
    for (const [one, other] of [[inbound, outbound] as const, [outbound, inbound] as const]) {
      one.on('close', () => other.destroy());
      one.on('error', () => other.destroy());
    }
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, close: () => void proxy.close() };
}

interface OfferResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Of an accepted connection. */
  readonly socket: Socket | null;
}

/** Sends the request of a handshake. */
export async function offer(url: string, headers: Record<string, string>): Promise<OfferResponse> {
  const outgoing = request(new URL('/frames', url), { headers, agent: false });
  const { promise, resolve, reject } = Promise.withResolvers<OfferResponse>();
  outgoing.on('upgrade', (response, socket: Socket) =>
    resolve({ status: response.statusCode ?? 0, headers: response.headers, socket }),
  );
  outgoing.on('response', (response) => {
    response.resume();
    resolve({ status: response.statusCode ?? 0, headers: response.headers, socket: null });
  });
  outgoing.on('error', reject);
  outgoing.end();
  return await promise;
}
