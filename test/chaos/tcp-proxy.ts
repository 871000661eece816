/** A TCP proxy in front of a dependency. It delays, holds, cuts or resets the connections that pass through it. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** `HELD`: connections stay open, and nothing passes. `CUT`: connections are closed, and new ones are rejected. */
export type Passage = { readonly latencyMs: number } | 'HELD' | 'CUT';

export interface ProxyTarget {
  readonly host: string;
  readonly port: number;
}

export interface TcpProxy {
  readonly port: number;
  /** Applies to open and new connections. */
  pass(passage: Passage): void;
  /** New connections go to another target. */
  redirect(target: ProxyTarget): void;
  /** Resets all open connections (TCP RST). */
  reset(): void;
  close(): Promise<void>;
}

interface Chunk {
  readonly bytes: Buffer;
  readonly dueMs: number;
}

/** Forwards one direction in order, each chunk after the latency of its arrival. */
function forward(from: Socket, to: Socket, latencyMs: () => number): void {
  const queue: Chunk[] = [];
  let isEnded = false;
  const flush = (): void => {
    while (queue[0] !== undefined && queue[0].dueMs <= performance.now()) {
      to.write(queue[0].bytes);
      queue.shift();
    }
    if (queue[0] !== undefined) setTimeout(flush, Math.max(1, queue[0].dueMs - performance.now()));
    else if (isEnded) to.end();
  };
  from.on('data', (bytes: Buffer) => {
    queue.push({ bytes, dueMs: performance.now() + latencyMs() });
    if (queue.length === 1) flush();
  });
  from.on('end', () => {
    isEnded = true;
    if (queue.length === 0) to.end();
  });
}

/** Listens on a free port of this machine and forwards to a target. */
export async function openTcpProxy(first: ProxyTarget): Promise<TcpProxy> {
  let target = first;
  const sockets = new Set<Socket>();
  let passage: Passage = { latencyMs: 0 };
  const latencyMs = (): number => (typeof passage === 'string' ? 0 : passage.latencyMs);

  function add(socket: Socket, other: Socket): void {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      other.destroy();
    });
    forward(socket, other, latencyMs);
    if (passage === 'HELD') socket.pause();
  }

  const server = createServer({ allowHalfOpen: true }, (client) => {
    if (passage === 'CUT') return void client.resetAndDestroy();
    const upstream = connect({ ...target, allowHalfOpen: true });
    add(client, upstream);
    add(upstream, client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Cast: a server that listens on TCP has a port.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    pass(next) {
      passage = next;
      for (const socket of sockets) {
        if (next === 'CUT') socket.destroy();
        else if (next === 'HELD') socket.pause();
        else socket.resume();
      }
    },
    redirect: (next) => void (target = next),
    reset: () => sockets.forEach((socket) => void socket.resetAndDestroy()),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
