/** An area for the router in another process: framed connections, and signed POST /graphql, over the same function as in process. */
import { getOperationAST, OperationTypeNode, parse } from 'graphql';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { createAreaCallReader } from '../../platform/frames/area-call.ts';
import { acceptFrames, type ReceivedCall } from '../../platform/frames/server.ts';
import { clientSignal } from '../../platform/http/client-signal.ts';
import { createService } from '../../platform/http/service.ts';
import { createNonceMemory } from '../../platform/security/signature.ts';
import { verifySignedRequest, parseBodiesAsText } from '../../platform/http/signed-request.ts';
import type { Area } from '../../schema/areas.ts';
import { Problem } from '../../schema/errors.ts';
import type { Viewer } from '../../schema/viewer.ts';
import { observeCall, observeFramedCall } from './observed-call.ts';
import type { Subgraph } from './subgraph.ts';

/** An area, or several that a call selects. */
type Served = Pick<Subgraph, 'query' | 'close'>;

export interface AreaServerOptions {
  /** Key of the edge router → area. */
  readonly key: Buffer;
  readonly log: Logger;
  readonly readiness: Readonly<Record<string, () => Promise<void>>>;
}

/** The body of a signed call, with the viewer of its subject. */
interface Body {
  readonly area?: Area;
  readonly viewer: Viewer;
  readonly query: string;
  readonly variables?: Record<string, unknown>;
  readonly operationName?: string | null;
  readonly ticket?: string | null;
}

const bodyLimitBytes = 16 * 1024 * 1024;

/** Texts come from the router's query plans: few texts, repeated often. */
const mutations = new LRUCache<string, Map<string | null, boolean>>({ max: 2_000 });

function isMutation({ query, operationName = null }: Pick<Body, 'query' | 'operationName'>): boolean {
  const byName = mutations.get(query) ?? new Map<string | null, boolean>();
  const known = byName.get(operationName);
  if (known !== undefined) return known;
  const mutation = getOperationAST(parse(query), operationName)?.operation === OperationTypeNode.MUTATION;
  byName.set(operationName, mutation);
  mutations.set(query, byName);
  return mutation;
}

/** The handler of one framed connection. */
function createFrameHandler(subgraph: Served, log: Logger): (body: string, call: ReceivedCall) => Promise<string> {
  const read = createAreaCallReader();
  return async (body, { signal, ask }) => {
    const { mutation, ...call } = read(body);
    if (!mutation && isMutation(call)) {
      log.warn({ requestId: call.requestId }, 'rejected a mutation that was sent as a query');
      throw new Problem('upstream_unavailable', 'A mutation must be sent as one.');
    }
    const ticket = async (): Promise<string | null> => (await ask()) || null;
    return JSON.stringify(await observeFramedCall({ ...call, signal, ticket }, subgraph.query));
  };
}

/** Rejects unsigned, altered, expired and replayed calls. A call signed as a query cannot run a mutation. */
export function createAreaServer(subgraph: Served, { key, log, readiness }: AreaServerOptions): FastifyInstance {
  const app = createService({ log, readiness });
  const nonces = createNonceMemory();
  parseBodiesAsText(app, bodyLimitBytes);
  app.post('/graphql', async (request, reply) => {
    const signed = verifySignedRequest(request, key, nonces);
    if (signed === null) return reply.code(403).send();
    const viewer: unknown = JSON.parse(signed.subject);
    // Cast: only the router can sign a call.
    const body = Object.assign({}, signed.body, { viewer }) as Body;
    if (!signed.mutation && isMutation(body)) return reply.code(403).send();
    const call = {
      area: body.area,
      query: body.query,
      variables: body.variables ?? {},
      operationName: body.operationName ?? null,
      viewer: body.viewer,
      requestId: request.id,
      signal: clientSignal(reply),
      ticket: body.ticket ?? null,
    };
    const answer = await observeCall(call, subgraph.query);
    return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(answer));
  });
  const frames = acceptFrames(app.server, { key, nonces, log, createHandler: () => createFrameHandler(subgraph, log) });
  app.addHook('preClose', () => frames.drain());
  app.addHook('onClose', () => subgraph.close());
  return app;
}
