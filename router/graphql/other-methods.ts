/** The responses of a GraphQL path to methods other than GET and POST. */
import type { FastifyInstance } from 'fastify';
import { Problem } from '../../schema/errors.ts';
import { sendProblem } from './error-response.ts';

const allow = 'GET, OPTIONS, POST';

/** OPTIONS, with CORS headers where CORS is registered, and 405 for other methods before the body is read. Not counted. */
export function addOtherMethods(app: FastifyInstance, path: string): void {
  app.route({
    method: 'OPTIONS',
    url: path,
    config: { sendProblem, cors: { strictPreflight: false, preflightContinue: true } },
    handler: (_, reply) => reply.code(204).header('allow', allow).send(),
  });
  app.route({
    method: ['HEAD', 'PUT', 'PATCH', 'DELETE'],
    url: path,
    config: { sendProblem },
    onRequest: async (request, reply) => {
      const problem = new Problem(
        'method_not_allowed',
        `This path does not support ${request.method}. Supported methods: ${allow}.`,
      );
      return sendProblem(request, reply.header('allow', allow), problem);
    },
    handler: () => undefined,
  });
}
