/** Client of another process of the platform: a connection pool per instance, signed calls, a deadline, and errors as problems. */
import { errors as undiciErrors, Pool } from 'undici';
import { Problem } from '../../schema/errors.ts';
import { sign } from '../security/signature.ts';
import { connectTimeoutMs, createBalancer } from './balancer.ts';
import type { Instance, Origins } from './instances.ts';
import type { ResolveHost } from './public-resolver.ts';
import { currentTraceparent } from '../telemetry/request-scope.ts';
import { createRetryBudget } from './retry-budget.ts';

export interface PeerOptions {
  /** Name in error messages, such as `The router`. */
  readonly name: string;
  /** Its origin, or those of its instances. */
  readonly url: Origins;
  /** Default: the resolver of the system. */
  readonly resolve?: ResolveHost | undefined;
  /** The key for calls from this process to the peer. */
  readonly key: Buffer;
  /** Time limit of a call including its response body. */
  readonly deadlineMs: number;
  /** Maximum number of connections to an instance; default: 64. */
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
  /** The instance that gets the call if it can be reached. */
  readonly preferred?: string | undefined;
}

export interface PeerResponse {
  readonly status: number;
  readonly body: unknown;
  /** The instance that responded. */
  readonly instance: string;
}

export interface Peer {
  /** Returns the status and the parsed JSON of the response. Throws Problem upstream_unavailable (503) or upstream_timeout (504). */
  post(call: PeerCall): Promise<PeerResponse>;
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

export function createPeer(options: PeerOptions): Peer {
  const { name, url, resolve, key, deadlineMs, connections = 64, maxResponseBytes = defaultMaxResponseBytes } = options;
  const budget = createRetryBudget();
  // Idle connections: the servers announce how long they keep a connection (Fastify's keepAliveTimeout, 72 s). undici closes it 2 s earlier, so
  // that no call is sent over a closing connection. Without an announcement undici waits 4 s.
  const openPool = (instance: Instance): Pool =>
    new Pool(instance.url, {
      connections,
      connect: { timeout: connectTimeoutMs, ...(instance.lookup !== undefined && { lookup: instance.lookup }) },
      headersTimeout: deadlineMs,
      bodyTimeout: deadlineMs,
      keepAliveTimeoutThreshold: 2_000,
      // the connection is closed at the limit: the rest is never read
      maxResponseSize: maxResponseBytes,
    });
  const balancer = createBalancer({ url, resolve, open: openPool, close: (pool) => pool.close() });

  async function send(pool: Pool, call: PeerCall, body: string, signal: AbortSignal): Promise<Omit<PeerResponse, 'instance'>> {
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
      let isRepeated = false;
      function mayRepeat(error: unknown): boolean {
        if (isRepeated || call.mutation || !isReset(error) || signal.aborted || !budget.withdraw()) return false;
        isRepeated = true;
        return true;
      }
      budget.deposit();
      try {
        const { preferred } = call;
        return await balancer.run({
          send: async (pool, instance) => ({ ...(await send(pool, call, body, signal)), instance }),
          mayRepeat,
          preferred,
        });
      } catch (error) {
        if (timeout.aborted || isTimeout(error))
          throw new Problem('upstream_timeout', `${name} did not respond within ${timeoutMs} ms.`);
        throw new Problem('upstream_unavailable', `${name} is unavailable.`);
      }
    },
    close: () => balancer.close(),
  };
}
