/** The framed connections to one instance of another process: opened when needed, replaced when old, and reopened with backoff. */
import http from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { withinDeadline } from '../deadline.ts';
import type { Instance } from '../http/instances.ts';
import { createClientConnection } from './client-connection.ts';
import type { ClientConnection } from './client-connection.ts';
import { framesPath, offerHeaders, verifyAcceptance } from './handshake.ts';

export interface InstanceConnections {
  readonly id: string;
  /** The open connection with the fewest calls; null if there is none. Starts another one when it is busy or old. */
  leastBusy(): ClientConnection | null;
  /** Opens a connection unless one is being opened. Waits for the backoff after a failure. Never rejects. */
  open(): Promise<void>;
  /** When the attempt in progress to connect began, on the clock of `performance.now()`; null if there is none. It ends within 5 s. */
  attemptedMs(): number | null;
  /** Whether the instance has responded that it has no framed connections. */
  isUnsupported(): boolean;
  /** The instance does not respond to calls: no further ones until a new connection is open. */
  suspend(): void;
  /** Waits for calls in progress. */
  close(): Promise<void>;
}

/** A second connection is opened when this number of calls is in progress, for example to another instance behind the same address. */
const busyCalls = 32;
const connectionsMax = 4;
/** Connections are replaced after this time, so that new instances behind the same address receive calls. */
const maxAgeMs = 5 * 60_000;
/** A process that has just started may not respond for some seconds, while it compiles the code of its first requests. */
const handshakeMs = 5_000;
const backoffMinMs = 25;
/** Half of the time that a call waits: it waits for at least one attempt. */
const backoffMaxMs = 500;
/** A peer without framed connections, for example during an upgrade, is tried again after this time. */
const unsupportedMs = 30_000;

/** The peer responds to the handshake as to any other request: it has no framed connections. */
class UnsupportedError extends Error {}

async function connect({ url, lookup }: Instance, key: Buffer, onClose: () => void): Promise<ClientConnection> {
  const { request } = url.startsWith('https:') ? https : http;
  const headers = offerHeaders(key);
  const outgoing = request(new URL(framesPath, url), { headers, agent: false, ...(lookup !== undefined && { lookup }) });
  const connected = new Promise<ClientConnection>((resolve, reject) => {
    outgoing.once('error', reject);
    outgoing.once('response', (response) => {
      response.resume();
      outgoing.destroy();
      const isTemporary = (response.statusCode ?? 0) >= 500;
      reject(isTemporary ? new Error('The peer is closing.') : new UnsupportedError(`Status ${String(response.statusCode)}`));
    });
    outgoing.once('upgrade', (response, socket, head) => {
      const keys = verifyAcceptance(key, headers, response.headers);
      if (keys === null) {
        socket.destroy();
        reject(new Error('The peer does not have the key.'));
        return;
      }
      socket.setNoDelay(true);
      resolve(createClientConnection({ socket, head, sendKey: keys.client, receiveKey: keys.server }, onClose));
    });
    outgoing.end();
  });
  try {
    return await withinDeadline(connected, handshakeMs);
  } catch (error) {
    outgoing.destroy();
    throw error;
  }
}

export function createInstanceConnections(instance: Instance, key: Buffer, onFailure: () => void): InstanceConnections {
  const connections = new Set<ClientConnection>();
  let connecting: Promise<void> | null = null;
  let attemptedMs: number | null = null;
  let failures = 0;
  let unsupportedUntilMs = 0;
  let isClosed = false;

  async function openNext(): Promise<void> {
    try {
      if (failures > 0) {
        const waitMs = Math.min(backoffMaxMs, backoffMinMs * 2 ** failures);
        await sleep(waitMs / 2 + Math.random() * (waitMs / 2), undefined, { ref: false });
      }
      attemptedMs = performance.now();
      const connection = await connect(instance, key, () => connections.delete(connection));
      if (isClosed) return connection.retire();
      connections.add(connection);
      failures = 0;
    } catch (error) {
      if (error instanceof UnsupportedError) unsupportedUntilMs = performance.now() + unsupportedMs;
      else failures += 1;
      onFailure();
    } finally {
      attemptedMs = null;
      connecting = null;
    }
  }

  const open = (): Promise<void> => (connecting ??= openNext());

  return {
    id: instance.id,
    leastBusy() {
      let best: ClientConnection | null = null;
      for (const each of connections) if (each.isOpen() && (best === null || each.pending() < best.pending())) best = each;
      if (best === null) return null;
      const isOld = performance.now() - best.openedMs > maxAgeMs;
      if (isOld) void open().then(() => connections.size > 1 && best.retire());
      else if (best.pending() >= busyCalls && connections.size < connectionsMax && failures === 0) void open();
      return best;
    },
    open,
    attemptedMs: () => attemptedMs,
    isUnsupported: () => performance.now() < unsupportedUntilMs,
    suspend() {
      failures += 1;
      for (const each of connections) each.retire();
      onFailure();
    },
    async close() {
      isClosed = true;
      await connecting;
      const last = [...connections];
      for (const each of last) each.retire();
      await Promise.all(last.map(({ closed }) => closed));
    },
  };
}
