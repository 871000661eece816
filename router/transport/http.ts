/** An area in another process: a pool of connections, signed calls, a deadline, and faults in our words. */
import { errors as undiciErrors, Pool } from 'undici';
import { sign } from '../../platform/signature.ts';
import type { Area } from '../../schema/areas.ts';
import { Problem } from '../../schema/errors.ts';
import type { SubgraphAnswer, SubgraphClient, SubgraphFault, SubgraphRequest } from '../../schema/subgraph-client.ts';

export interface HttpSubgraphOptions {
  readonly area: Area;
  /** Origin of the area's server; it answers `POST /graphql`. */
  readonly url: string;
  /** The key of the edge router → area. */
  readonly key: Buffer;
  /** Default 10,000 ms. */
  readonly deadlineMs?: number;
  /** Connections at most; default 64. */
  readonly connections?: number;
}

const path = '/graphql';

/** Mercurius writes list indexes in paths as strings; a response key never begins with a digit. */
function normalized(fault: SubgraphFault): SubgraphFault {
  if (fault.path === undefined) return fault;
  return { ...fault, path: fault.path.map((step) => (typeof step === 'string' && /^\d+$/.test(step) ? Number(step) : step)) };
}

/** The peer closed a connection that we took from the pool: nothing of this request was answered. */
function isReset(error: unknown): boolean {
  if (error instanceof undiciErrors.SocketError) return true;
  return error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

/** `query` throws upstream_unavailable or upstream_timeout; a mutation is never sent twice. */
export function createHttpSubgraph(options: HttpSubgraphOptions): SubgraphClient {
  const { area, key, deadlineMs = 10_000 } = options;
  const pool = new Pool(options.url, {
    connections: options.connections ?? 64,
    headersTimeout: deadlineMs,
    bodyTimeout: deadlineMs,
  });

  async function send(request: SubgraphRequest, mutation: boolean, signal: AbortSignal): Promise<SubgraphAnswer> {
    const body = JSON.stringify({ query: request.query, variables: request.variables, operationName: request.operationName });
    const signature = sign({ key, method: 'POST', path, subject: JSON.stringify(request.viewer), body, mutation });
    const response = await pool.request({
      path,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-request-id': request.requestId, ...signature },
      body,
      signal,
    });
    if (response.statusCode !== 200) {
      await response.body.dump();
      throw new Problem('upstream_unavailable', `The area ${area} does not answer.`);
    }
    const answer = (await response.body.json()) as SubgraphAnswer;
    return answer.errors === undefined ? answer : { ...answer, errors: answer.errors.map(normalized) };
  }

  function problemOf(error: unknown, timeout: AbortSignal): Problem {
    if (error instanceof Problem) return error;
    if (timeout.aborted || error instanceof undiciErrors.HeadersTimeoutError || error instanceof undiciErrors.BodyTimeoutError) {
      return new Problem('upstream_timeout', `The area ${area} took longer than ${deadlineMs} ms.`);
    }
    return new Problem('upstream_unavailable', `The area ${area} does not answer.`);
  }

  return {
    async query(request) {
      const mutation = request.query.startsWith('mutation');
      const timeout = AbortSignal.timeout(deadlineMs);
      const signal = request.signal === undefined ? timeout : AbortSignal.any([request.signal, timeout]);
      try {
        return await send(request, mutation, signal);
      } catch (error) {
        if (mutation || !isReset(error) || signal.aborted) throw problemOf(error, timeout);
      }
      try {
        return await send(request, mutation, signal);
      } catch (error) {
        throw problemOf(error, timeout);
      }
    },
    close: () => pool.close(),
  };
}
