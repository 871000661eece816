/** 405 for the methods that the routes below /admin and /portal do not support, as for the paths of the REST API. */
import type { FastifyInstance } from 'fastify';
import { sendProblem } from '../../platform/http/problem.ts';
import { Problem } from '../../schema/errors.ts';

/** Every path below /admin and /portal has a page. */
const methodsOfPages = ['GET', 'HEAD'];

/** Notes the routes that are added below /admin and /portal from now on, except wildcards. The returned function adds 405 for their other methods. */
export function collectRoutes(app: FastifyInstance): () => void {
  const methodsOf = new Map<string, Set<string>>();
  let isAdding = false;
  app.addHook('onRoute', ({ url, method }) => {
    if (isAdding || !/^\/(?:admin|portal)\/[^*]+$/.test(url)) return;
    const known = methodsOf.get(url) ?? new Set(methodsOfPages);
    methodsOf.set(url, known.union(new Set([method].flat())));
  });
  return () => {
    isAdding = true;
    for (const [url, methods] of methodsOf) addOtherMethods(app, url, methods);
  };
}

function addOtherMethods(app: FastifyInstance, url: string, methods: ReadonlySet<string>): void {
  const allow = [...methods].sort().join(', ');
  const others = app.supportedMethods.filter((method) => !methods.has(method));
  if (others.length === 0) return;
  app.route({
    method: others,
    url,
    // before a body is read
    onRequest: async ({ method }, reply) => {
      const detail = `This path does not support ${method}. Supported methods: ${allow}.`;
      return sendProblem(reply.headers({ allow, 'cache-control': 'no-store' }), new Problem('method_not_allowed', detail));
    },
    handler: () => undefined,
  });
}
