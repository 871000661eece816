/** Client of another process of the platform: a connection pool, signed calls, a deadline, and errors as problems. */
import { errors as undiciErrors, Pool } from 'undici';
import { Problem } from '../../schema/errors.ts';
import { sign } from '../security/signature.ts';
import { currentTraceparent } from '../telemetry/request-scope.ts';
import { createRetryBudget } from './retry-budget.ts';

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
  /** Maximum size of a response body; default: 16 MiB, larger than any page of a list. */
  readonly maxResponseBytes?: number;
}

/** No response of the platform is as large: the longest lists have about 1 MB. */
export const defaultMaxResponseBytes = 16 * 1024 * 1024;

export interface PeerCall {
  readonly path: string;
  /** On whose behalf the call is made: the signed subject. */
  readonly subject: string;
  readonly payload: unknown;
  /** A mutation is never sent twice; a query is sent once more if its connection is reset and the retry budget allows it. */
  readonly mutation: boolean;
  readonly requestId: string;
  readonly signal?: AbortSignal | undefined;
  /** Time limit of this call; default: that of the peer. */
  readonly timeoutMs?: number;
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

export function createPeer({
  name,
  url,
  key,
  deadlineMs,
  connections = 64,
  maxResponseBytes = defaultMaxResponseBytes,
}: PeerOptions): Peer {
  const budget = createRetryBudget();
  // Idle connections: the servers announce how long they keep a connection (Fastify's keepAliveTimeout, 72 s). undici closes it 2 s earlier, so
  // that no call is sent over a closing connection. Without an announcement undici waits 4 s.
  const pool = new Pool(url, {
    connections,
    headersTimeout: deadlineMs,
    bodyTimeout: deadlineMs,
    keepAliveTimeoutThreshold: 2_000,
    // the connection is closed at the limit: the rest is never read
    maxResponseSize: maxResponseBytes,
  });

  async function send(call: PeerCall, body: string, signal: AbortSignal): Promise<{ status: number; body: unknown }> {
    const { path, subject, mutation } = call;
    const signature = sign({ key, method: 'POST', path, subject, body, mutation });
    const traceparent = currentTraceparent();
    const trace = traceparent === undefined ? {} : { traceparent };
    const response = await pool.request({
      path,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-request-id': call.requestId, ...trace, ...signature },
      body,
      signal,
    });
    return { status: response.statusCode, body: await response.body.json() };
  }

  return {
    async post(call) {
      const body = JSON.stringify(call.payload);
      const timeoutMs = Math.max(1, Math.ceil(Math.min(deadlineMs, call.timeoutMs ?? deadlineMs)));
      const timeout = AbortSignal.timeout(timeoutMs);
      const signal = call.signal === undefined ? timeout : AbortSignal.any([call.signal, timeout]);
      budget.deposit();
      try {
        return await send(call, body, signal).catch((error: unknown) => {
          if (call.mutation || !isReset(error) || signal.aborted || !budget.withdraw()) throw error;
          return send(call, body, signal);
        });
      } catch (error) {
        if (timeout.aborted || isTimeout(error))
          throw new Problem('upstream_timeout', `${name} did not respond within ${timeoutMs} ms.`);
        throw new Problem('upstream_unavailable', `${name} is unavailable.`);
      }
    },
    close: () => pool.close(),
  };
}
