/** The graph for processes without it: POST /internal/graph/<caller>, signed by the worker, or by an area that shows its ticket. */
import type { FastifyPluginAsync } from 'fastify';
import { toProblem } from '../platform/http/problem.ts';
import { createNonceMemory } from '../platform/security/signature.ts';
import { verifySignedRequest, parseBodiesAsText } from '../platform/http/signed-request.ts';
import { verifyTicket } from '../platform/security/ticket.ts';
import { errors } from '../schema/errors.ts';
import { SYSTEM } from '../schema/viewer.ts';
import type { RouterGraph } from './graph.ts';

export interface GraphRoutesOptions {
  readonly graph: Pick<RouterGraph, 'internal'>;
  /** Keys of the edges <caller> → router, by caller: every area, and `worker`. */
  readonly keys: ReadonlyMap<string, Buffer>;
  /** With which tickets are made. */
  readonly ticketKey: Buffer;
}

interface Body {
  readonly operation: string;
  readonly variables: Record<string, unknown>;
}

const bodyLimitBytes = 1024 * 1024;

/**
 * Answers `{data}`, or the problem as `{code, detail, extensions}` with its status; whatever is not signed is 403 and says nothing else.
 * An area speaks for the viewers it was asked for in the last minute and for nobody else; as the system speaks the worker alone.
 */
export const graphRoutes: FastifyPluginAsync<GraphRoutesOptions> = async (app, { graph, keys, ticketKey }) => {
  const nonces = createNonceMemory();
  await app.register((scope, _, done) => {
    parseBodiesAsText(scope, bodyLimitBytes);
    scope.post<{ Params: { caller: string } }>('/internal/graph/:caller', async (request, reply) => {
      const { caller } = request.params;
      const key = keys.get(caller);
      const signed = key === undefined ? null : verifySignedRequest(request, key, nonces);
      if (signed === null) return reply.code(403).send();
      const viewer = caller === 'worker' ? SYSTEM : verifyTicket(ticketKey, caller, signed.subject);
      if (viewer === null) {
        request.log.warn({ caller }, 'a call back is refused: the area shows no ticket that is in time');
        return reply.code(403).send();
      }
      const { operation, variables } = signed.body as Body;
      try {
        return { data: await graph.internal(viewer, request.id)(operation, variables) };
      } catch (fault) {
        const problem = toProblem(fault);
        return reply
          .code(errors[problem.code].status)
          .send({ code: problem.code, detail: problem.message, extensions: problem.extensions });
      }
    });
    done();
  });
};
