/** An area over HTTP: POST /graphql for calls signed by the router, over the same function as in process. */
import { getOperationAST, OperationTypeNode, parse } from 'graphql';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { createService } from '../../platform/http/service.ts';
import { createNonceMemory } from '../../platform/security/signature.ts';
import { verifySignedRequest, parseBodiesAsText } from '../../platform/http/signed-request.ts';
import type { Viewer } from '../../schema/viewer.ts';
import type { Subgraph } from './subgraph.ts';

export interface AreaServerOptions {
  /** Key of the edge router → area. */
  readonly key: Buffer;
  readonly log: Logger;
  readonly readiness: Readonly<Record<string, () => Promise<void>>>;
}

interface Body {
  readonly query: string;
  readonly variables?: Record<string, unknown>;
  readonly operationName?: string | null;
  readonly ticket?: string | null;
}

const bodyLimitBytes = 16 * 1024 * 1024;

/** Texts come from the router's query plans: few texts, repeated often. */
const kinds = new LRUCache<string, boolean>({ max: 2_000 });

function isMutation({ query, operationName }: Body): boolean {
  const key = `${operationName ?? ''}\n${query}`;
  const known = kinds.get(key);
  if (known !== undefined) return known;
  const mutation = getOperationAST(parse(query), operationName)?.operation === OperationTypeNode.MUTATION;
  kinds.set(key, mutation);
  return mutation;
}

/** Rejects unsigned, altered, expired and replayed calls. A call signed as a query cannot run a mutation. */
export function createAreaServer(subgraph: Subgraph, { key, log, readiness }: AreaServerOptions): FastifyInstance {
  const app = createService({ log, readiness });
  const nonces = createNonceMemory();
  parseBodiesAsText(app, bodyLimitBytes);
  app.post('/graphql', async (request, reply) => {
    const signed = verifySignedRequest(request, key, nonces);
    if (signed === null) return reply.code(403).send();
    // Cast: only the router can sign a call.
    const body = signed.body as Body;
    const viewer = JSON.parse(signed.subject) as Viewer; // Cast: only the router can sign a call.
    if (!signed.mutation && isMutation(body)) return reply.code(403).send();
    const answer = await subgraph.query({
      query: body.query,
      variables: body.variables ?? {},
      operationName: body.operationName ?? null,
      viewer,
      requestId: request.id,
      signal: undefined,
      ticket: body.ticket ?? null,
    });
    return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(answer));
  });
  app.addHook('onClose', () => subgraph.close());
  return app;
}
