/** An endpoint of the benchmark of webhooks, which fails at random and notes what arrives. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** Shares of requests that a receiver answers with 500, and whose connection it closes. */
const failures = { status: 0.08, closed: 0.02 };

/** What arrived at one endpoint. */
export interface Received {
  readonly requests: { count: number; failed: number; unverified: number };
  /** Ids of events that were accepted, and the number of requests for each event. */
  readonly accepted: Set<string>;
  readonly arrivals: Map<string, number>;
  /** Greatest version of each resource, and the first arrivals that came after a later one. */
  readonly versions: Map<string, number>;
  readonly disordered: string[];
}

/** Starts a server that verifies and notes requests. */
export async function openReceiver() {
  let fails = false;
  const received: Received = {
    requests: { count: 0, failed: 0, unverified: 0 },
    accepted: new Set(),
    arrivals: new Map(),
    versions: new Map(),
    disordered: [],
  };
  let webhook: Webhook | null = null;

  function note(headers: Record<string, string>, body: string): string {
    received.requests.count += 1;
    try {
      webhook?.verify(body, headers);
    } catch {
      received.requests.unverified += 1;
    }
    // Cast: the body is an event as the API documents it.
    const { id, resource } = JSON.parse(body) as { id: string; resource: { id: string; version: number } };
    const before = received.arrivals.get(id) ?? 0;
    received.arrivals.set(id, before + 1);
    if (before > 0) return id;
    if (resource.version < (received.versions.get(resource.id) ?? 0)) received.disordered.push(id);
    else received.versions.set(resource.id, resource.version);
    return id;
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      // Cast: Node gives each of the headers of a webhook once.
      const id = note(request.headers as Record<string, string>, Buffer.concat(chunks).toString('utf8'));
      const chance = Math.random();
      if (fails && chance < failures.status + failures.closed) {
        received.requests.failed += 1;
        if (chance < failures.closed) return void request.socket.destroy();
        return void response.writeHead(500).end();
      }
      received.accepted.add(id);
      response.writeHead(204).end();
    });
  });
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Cast: a server that listens on TCP has a port.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    received,
    verifyWith: (secret: string) => void (webhook = new Webhook(secret)),
    failAtRandom: () => void (fails = true),
    async close(): Promise<void> {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type Receiver = Awaited<ReturnType<typeof openReceiver>>;
