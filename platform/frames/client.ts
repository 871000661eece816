/** Client of another process over framed connections: opens them when needed, sends calls again that were not executed, and reconnects. */
import http from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { isErrorCode, Problem } from '../../schema/errors.ts';
import { createRetryBudget } from '../http/retry-budget.ts';
import { createClientConnection } from './client-connection.ts';
import type { ClientConnection, FramedCall, Outcome } from './client-connection.ts';
import { framesPath, offerHeaders, verifyAcceptance } from './handshake.ts';

export interface FrameClientOptions {
  /** Name in error messages, such as `The area athletes`. */
  readonly name: string;
  /** Origin of the peer. */
  readonly url: string;
  /** The key of the edge. */
  readonly key: Buffer;
}

export interface Call extends FramedCall {
  /** A mutation is sent again only if it was certainly not executed. */
  readonly mutation: boolean;
}

export interface FrameClient {
  /**
   * Returns the response; null when the peer does not accept framed connections. Throws Problem upstream_unavailable,
   * upstream_timeout, or the code with which the peer rejected the call.
   */
  call(call: Call): Promise<string | null>;
  /** Waits for calls in progress. */
  close(): Promise<void>;
}

/** A second connection is opened when this number of calls is in progress, for example to another instance behind the same address. */
const busyCalls = 32;
const connectionsMax = 4;
/** Connections are replaced after this time, so that new instances behind the same address receive calls. */
const maxAgeMs = 5 * 60_000;
const handshakeMs = 2_000;
/** How long a call waits for a connection: a restart within this time is not noticed. */
const patienceMs = 1_000;
const backoffMinMs = 25;
const backoffMaxMs = 1_000;
/** A peer without framed connections, for example during an upgrade, is asked again after this time. */
const unsupportedMs = 30_000;
const attemptsMax = 4;

/** The peer responds to the handshake as to any other request: it has no framed connections. */
class UnsupportedError extends Error {}

function connect({ url, key }: FrameClientOptions, onClose: () => void): Promise<ClientConnection> {
  const { request } = url.startsWith('https:') ? https : http;
  const headers = offerHeaders(key);
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(framesPath, url), { headers, agent: false });
    const timer = setTimeout(() => outgoing.destroy(new Error('The handshake timed out.')), handshakeMs);
    outgoing.once('close', () => clearTimeout(timer));
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
      clearTimeout(timer);
      resolve(createClientConnection({ socket, head, sendKey: keys.client, receiveKey: keys.server }, onClose));
    });
    outgoing.end();
  });
}

/** Connects on the first call; `close` ends all connections. */
export function createFrameClient(options: FrameClientOptions): FrameClient {
  const { name } = options;
  const budget = createRetryBudget();
  const connections = new Set<ClientConnection>();
  let connecting: Promise<void> | null = null;
  let failures = 0;
  let unsupportedUntilMs = 0;
  let isClosed = false;

  async function open(): Promise<void> {
    try {
      if (failures > 0) {
        const waitMs = Math.min(backoffMaxMs, backoffMinMs * 2 ** failures);
        await sleep(waitMs / 2 + Math.random() * (waitMs / 2), undefined, { ref: false });
      }
      const connection = await connect(options, () => connections.delete(connection));
      if (isClosed) return connection.retire();
      connections.add(connection);
      failures = 0;
    } catch (error) {
      if (error instanceof UnsupportedError) unsupportedUntilMs = performance.now() + unsupportedMs;
      else failures += 1;
    } finally {
      connecting = null;
    }
  }

  const startToOpen = (): Promise<void> => (connecting ??= open());

  /** The open connection with the fewest calls; starts another one when it is busy or old. */
  function openConnection(): ClientConnection | null {
    let best: ClientConnection | null = null;
    for (const each of connections) if (each.isOpen() && (best === null || each.pending() < best.pending())) best = each;
    if (best === null) return null;
    const isOld = performance.now() - best.openedMs > maxAgeMs;
    if (isOld) void startToOpen().then(() => connections.size > 1 && best.retire());
    else if (best.pending() >= busyCalls && connections.size < connectionsMax && failures === 0) void startToOpen();
    return best;
  }

  /** Null when the peer does not support framed connections. Throws upstream_unavailable. */
  async function connectionFor(deadlineMs: number): Promise<ClientConnection | null> {
    const untilMs = Math.min(performance.now() + patienceMs, deadlineMs);
    for (;;) {
      const now = performance.now();
      const found = openConnection();
      if (found !== null) return found;
      if (now < unsupportedUntilMs) return null;
      if (now >= untilMs || isClosed) throw new Problem('upstream_unavailable', `${name} is unavailable. Retry the request.`);
      await Promise.race([startToOpen(), sleep(untilMs - now, undefined, { ref: false })]);
    }
  }

  function problemOf(outcome: Exclude<Outcome, { kind: 'RESPONSE' }>): Problem {
    if (outcome.kind === 'TIMEOUT') return new Problem('upstream_timeout', `${name} did not respond in time.`);
    const code = outcome.kind === 'REJECTED' && isErrorCode(outcome.code) ? outcome.code : 'upstream_unavailable';
    const isOverloaded = code === 'overloaded';
    return new Problem(code, `${name} is ${isOverloaded ? 'overloaded' : 'unavailable'}. Retry the request.`);
  }

  const mayRepeat = (outcome: Outcome, { mutation }: Call): boolean =>
    outcome.kind === 'NOT_EXECUTED' || (outcome.kind === 'LOST' && !mutation && budget.withdraw());

  return {
    async call(call) {
      budget.deposit();
      for (let attempt = 1; ; attempt += 1) {
        const connection = openConnection() ?? (await connectionFor(call.deadlineMs));
        if (connection === null) return null;
        const outcome = await connection.call(call);
        if (outcome.kind === 'RESPONSE') return outcome.body;
        if (attempt >= attemptsMax || !mayRepeat(outcome, call)) throw problemOf(outcome);
      }
    },
    async close() {
      isClosed = true;
      await connecting;
      const open = [...connections];
      for (const each of open) each.retire();
      await Promise.all(open.map(({ closed }) => closed));
    },
  };
}
