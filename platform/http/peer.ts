/** Client of another process of the platform: a connection pool, signed calls, a deadline, and errors as problems. */
import { errors as undiciErrors, Pool } from 'undici';
import { Problem } from '../../schema/errors.ts';
import { sign } from '../security/signature.ts';

export interface PeerOptions {
  /** Name in error messages, such as `The router`. */
  readonly name: string;
  /** Its origin. */
  readonly url: string;
  /** The key for calls from this process to the peer. */
  readonly key: Buffer;
  /** Time limit of a call including its response body. */
  readonly deadlineMs: number;
  /** Maximum number of connections; default: 64. */
  readonly connections?: number;
}

export interface PeerCall {
  readonly path: string;
  /** On whose behalf the call is made: the signed subject. */
  readonly subject: string;
  readonly payload: unknown;
  /** A mutation is never sent twice; a query is sent once more if its connection is reset. */
  readonly mutation: boolean;
  readonly requestId: string;
  readonly signal?: AbortSignal | undefined;
}

export interface Peer {
  /** Returns the status and the parsed JSON of the response. Throws Problem upstream_unavailable (503) or upstream_timeout (504). */
  post(call: PeerCall): Promise<{ readonly status: number; readonly body: unknown }>;
  /** Waits for calls in progress. */
  close(): Promise<void>;
}

/** The peer closed a pooled connection, for example because it restarted. */
function isReset(error: unknown): boolean {
  if (error instanceof undiciErrors.SocketError) return true;
  return error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

function isTimeout(error: unknown): boolean {
  return error instanceof undiciErrors.HeadersTimeoutError || error instanceof undiciErrors.BodyTimeoutError;
}

export function createPeer({ name, url, key, deadlineMs, connections = 64 }: PeerOptions): Peer {
  // Idle connections: the servers announce how long they keep a connection (Fastify's keepAliveTimeout, 72 s). undici closes it 2 s earlier, so
  // that no call is sent over a closing connection. Without an announcement undici waits 4 s.
  const pool = new Pool(url, {
    connections,
    headersTimeout: deadlineMs,
    bodyTimeout: deadlineMs,
    keepAliveTimeoutThreshold: 2_000,
  });

  async function send(call: PeerCall, body: string, signal: AbortSignal): Promise<{ status: number; body: unknown }> {
    const { path, subject, mutation } = call;
    const signature = sign({ key, method: 'POST', path, subject, body, mutation });
    const response = await pool.request({
      path,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-request-id': call.requestId, ...signature },
      body,
      signal,
    });
    return { status: response.statusCode, body: await response.body.json() };
  }

  return {
    async post(call) {
      const body = JSON.stringify(call.payload);
      const timeout = AbortSignal.timeout(deadlineMs);
      const signal = call.signal === undefined ? timeout : AbortSignal.any([call.signal, timeout]);
      try {
        return await send(call, body, signal).catch((error: unknown) => {
          if (call.mutation || !isReset(error) || signal.aborted) throw error;
          return send(call, body, signal);
        });
      } catch (error) {
        if (timeout.aborted || isTimeout(error))
          throw new Problem('upstream_timeout', `${name} did not respond within ${deadlineMs} ms.`);
        throw new Problem('upstream_unavailable', `${name} is unavailable.`);
      }
    },
    close: () => pool.close(),
  };
}
