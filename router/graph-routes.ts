/** The graph for areas in processes of their own: POST /internal/graph, signed by the area. */
import type { FastifyPluginAsync } from 'fastify';
import { toProblem } from '../platform/problem.ts';
import { createNonceMemory, verify } from '../platform/signature.ts';
import { errors, Problem } from '../schema/errors.ts';
import type { Viewer } from '../schema/viewer.ts';
import type { RouterGraph } from './graph.ts';

export interface GraphRoutesOptions {
  readonly graph: Pick<RouterGraph, 'internal'>;
  /** Key of the edge area → router. */
  readonly key: Buffer;
}

interface Body {
  readonly operation: string;
  readonly variables: Record<string, unknown>;
}

/** Answers `{data}`, or the problem as `{code, detail, extensions}` with its status. */
export const graphRoutes: FastifyPluginAsync<GraphRoutesOptions> = async (app, { graph, key }) => {
  const nonces = createNonceMemory();
  await app.register((scope, _, done) => {
    scope.removeContentTypeParser('application/json');
    // The signature is over the bytes, so they are kept until it is checked.
    scope.addContentTypeParser('application/json', { parseAs: 'string' }, (__, body, parsed) => parsed(null, body));
    scope.post<{ Body: string }>('/internal/graph', async (request, reply) => {
      const verdict = verify({ key, method: 'POST', path: request.url, headers: request.headers, body: request.body, nonces });
      if (!verdict.ok) throw new Problem('api_key_invalid', `This call is not one of an area's: ${verdict.refused}.`);
      const { operation, variables } = JSON.parse(request.body) as Body;
      try {
        return { data: await graph.internal(JSON.parse(verdict.subject) as Viewer, request.id)(operation, variables) };
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
