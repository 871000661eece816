/** Serves sandboxes to other processes: operations of routers, and the deletion of test data by the accounts area. */
import type { FastifyInstance } from 'fastify';
import { verifySignedRequest } from '../../platform/http/signed-request.ts';
import { toProblem } from '../../platform/http/problem.ts';
import { createNonceMemory } from '../../platform/security/signature.ts';
import { errors, Problem } from '../../schema/errors.ts';
import type { SubgraphRequest, SubgraphResponse } from '../../schema/subgraph-client.ts';
import { createAreaServer, type AreaServerOptions } from '../../subgraphs/runtime/server.ts';
import { rejectionOf } from './rejection.ts';
import { resetPath } from './reset-client.ts';
import type { Sandboxes } from './sandboxes.ts';

export interface SandboxServerOptions extends Omit<AreaServerOptions, 'key'> {
  readonly sandboxes: Pick<Sandboxes, 'query' | 'reset' | 'close'>;
  /** The key of the edge router → sandbox. */
  readonly routerKey: Buffer;
  /** The key of the edge accounts → sandbox. */
  readonly accountsKey: Buffer;
}

/** The response is sent before the router stops to wait, which would count as a failure of the process. */
const marginMs = 200;

/** Calls that are not on test data are rejected. Closing the server closes the sandboxes. */
export function createSandboxServer({ sandboxes, routerKey, accountsKey, ...options }: SandboxServerOptions): FastifyInstance {
  async function query(request: SubgraphRequest): Promise<SubgraphResponse> {
    const { area, viewer, deadlineMs = Infinity } = request;
    const { sandbox } = viewer;
    if (area === undefined || sandbox === undefined)
      return rejectionOf(new Problem('upstream_unavailable', 'The sandbox process serves test data only.'));
    try {
      return await sandboxes.query(area, sandbox, { ...request, deadlineMs: deadlineMs - marginMs });
    } catch (error) {
      if (error instanceof Problem) return rejectionOf(error);
      throw error;
    }
  }

  const app = createAreaServer({ query, close: sandboxes.close }, { key: routerKey, ...options });
  const nonces = createNonceMemory();
  app.post(resetPath, async (request, reply) => {
    const signed = verifySignedRequest(request, accountsKey, nonces);
    if (signed?.mutation !== true) return reply.code(403).send({});
    try {
      await sandboxes.reset(signed.subject);
      return {};
    } catch (error) {
      const { code, message: detail } = toProblem(error);
      if (code === 'internal') request.log.error({ err: error }, 'test data not deleted');
      return reply.code(errors[code].status).send({ code, detail });
    }
  });
  return app;
}
