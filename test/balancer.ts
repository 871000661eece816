/** A TCP balancer over the processes of a role: new connections go to processes whose `/ready` is 200. */
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Balancer {
  readonly url: string;
  close(): Promise<void>;
}

const pollMs = 50;

/** Starts a balancer over the origins of processes. */
export async function startBalancer(origins: readonly string[]): Promise<Balancer> {
  const ready = new Set<number>();
  const open = new Set<Socket>();
  const stopped = new AbortController();
  let turn = 0;

  async function poll(origin: string): Promise<void> {
    const port = Number(new URL(origin).port);
    while (!stopped.signal.aborted) {
      const isReady = await fetch(`${origin}/ready`, { signal: AbortSignal.timeout(5_000) }).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isReady) ready.add(port);
      else ready.delete(port);
      await sleep(pollMs, undefined, { ref: false });
    }
  }

  function forward(client: Socket, tried: ReadonlySet<number>): void {
    const candidates = [...ready].filter((port) => !tried.has(port));
    const port = candidates[turn++ % candidates.length];
    if (port === undefined) return void client.destroy();
    const backend = connect({ port, host: '127.0.0.1', noDelay: true });
    const unreachable = (): void => forward(client, new Set([...tried, port]));
    backend.once('error', unreachable);
    backend.once('connect', () => {
      backend.off('error', unreachable);
      for (const socket of [client, backend]) open.add(socket);
      const end = (): void => {
        for (const socket of [client, backend]) {
          open.delete(socket);
          socket.destroy();
        }
      };
      backend.on('error', end).once('close', end);
      client.on('error', end).once('close', end);
      client.pipe(backend).pipe(client);
    });
  }

  const server = createServer({ noDelay: true }, (client) => {
    client.on('error', () => client.destroy());
    forward(client, new Set());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const polls = origins.map(poll);
  return {
    // Cast: a TCP server has an address with a port.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      stopped.abort();
      for (const socket of open) socket.destroy();
      server.close();
      await Promise.all(polls);
    },
  };
}
