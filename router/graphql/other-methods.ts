/** What the path of a GraphQL door answers to methods other than its own. */
import type { FastifyInstance } from 'fastify';
import { Problem } from '../../schema/errors.ts';
import { sendProblem } from './error-response.ts';

const allow = 'GET, OPTIONS, POST';

/** OPTIONS, with CORS's headers where it is registered; and 405 for the rest, before any body is read. Neither is counted. */
export function addOtherMethods(app: FastifyInstance, path: string): void {
  app.route({
    method: 'OPTIONS',
    url: path,
    config: { cors: { strictPreflight: false, preflightContinue: true } },
    handler: (_, reply) => reply.code(204).header('allow', allow).send(),
  });
  app.route({
    method: ['HEAD', 'PUT', 'PATCH', 'DELETE'],
    url: path,
    onRequest: async (request, reply) => {
      const problem = new Problem('method_not_allowed', `${request.method} is not possible here; ${allow} are.`);
      return sendProblem(request, reply.header('allow', allow), problem);
    },
    handler: () => undefined,
  });
}
