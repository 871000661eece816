/** Another process of ours: a pool of connections, signed calls, a deadline, and faults in our words. */
import { errors as undiciErrors, Pool } from 'undici';
import { Problem } from '../../schema/errors.ts';
import { sign } from '../security/signature.ts';

export interface PeerOptions {
  /** As faults name it, such as `The router`. */
  readonly name: string;
  /** Its origin. */
  readonly url: string;
  /** The key of the edge from us to it. */
  readonly key: Buffer;
  /** What a call takes at most, its answer read. */
  readonly deadlineMs: number;
  /** Connections at most; default 64. */
  readonly connections?: number;
}

export interface PeerCall {
  readonly path: string;
  /** For whom we call: the signed subject. */
  readonly subject: string;
  readonly payload: unknown;
  /** A mutation is never sent twice; a query is once more when its connection is reset. */
  readonly mutation: boolean;
  readonly requestId: string;
  readonly signal?: AbortSignal | undefined;
}

export interface Peer {
  /** The status and the JSON of the answer. Throws Problem upstream_unavailable (503) or upstream_timeout (504). */
  post(call: PeerCall): Promise<{ readonly status: number; readonly body: unknown }>;
  /** Waits for the calls in progress. */
  close(): Promise<void>;
}

/** The peer closed a connection that we took from the pool, as it does when it restarts. */
function isReset(error: unknown): boolean {
  if (error instanceof undiciErrors.SocketError) return true;
  return error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

function isTimeout(error: unknown): boolean {
  return error instanceof undiciErrors.HeadersTimeoutError || error instanceof undiciErrors.BodyTimeoutError;
}

export function createPeer({ name, url, key, deadlineMs, connections = 64 }: PeerOptions): Peer {
  // Idle connections: our servers say in each answer how long they keep one (Fastify's keepAliveTimeout, 72 s), and undici closes it 2 s
  // before they would, so that no call is sent into a connection that closes. Of a server that says nothing it waits 4 s.
  const pool = new Pool(url, {
    connections,
    headersTimeout: deadlineMs,
    bodyTimeout: deadlineMs,
    keepAliveTimeoutThreshold: 2_000,
  });

  async function send(call: PeerCall, body: string, signal: AbortSignal): Promise<{ status: number; body: unknown }> {
    const { path, subject, mutation } = call;
    const signature = sign({ key, method: 'POST', path, subject, body, mutation });
    const answer = await pool.request({
      path,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-request-id': call.requestId, ...signature },
      body,
      signal,
    });
    return { status: answer.statusCode, body: await answer.body.json() };
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
          throw new Problem('upstream_timeout', `${name} took longer than ${deadlineMs} ms.`);
        throw new Problem('upstream_unavailable', `${name} does not answer.`);
      }
    },
    close: () => pool.close(),
  };
}
