/** The public GraphQL API on a public server. */
import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import { callerOf } from '../../platform/http/caller.ts';
import { graphqlApi } from '../../router/graphql/api.ts';
import type { Router } from '../router.ts';
import { pages } from './pages.ts';
import type { PublicServerOptions } from './public-server.ts';

const graphqlCors = {
  origin: '*',
  methods: ['GET', 'POST'],
  exposedHeaders: [
    'X-Request-Id',
    'Retry-After',
    'RateLimit',
    'RateLimit-Policy',
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
  ],
};

/** Adds the public GraphQL API with its explorer. */
export async function addGraphql(
  app: FastifyInstance,
  router: Router,
  { log, newOperationsPerMinute }: PublicServerOptions,
): Promise<void> {
  await app.register(async (scope) => {
    // before admission: the explorer page is not an API call
    scope.addHook('onRequest', pages.explore);
    await scope.register(cors, {
      delegator(request, done) {
        // the plugin responds to OPTIONS of every path otherwise
        done(null, { ...graphqlCors, preflight: /^\/graphql(?:[/?]|$)/.test(request.url) });
      },
    });
    await scope.register(graphqlApi, {
      graph: router.graph,
      schemas: router.versions.schemas(),
      admission: router.admission,
      persistedTexts: router.persistedTexts,
      registeredDocuments: router.registeredDocuments,
      live: { hubs: router.hubs, streamLimits: router.streamLimits },
      versions: router.versions,
      callerOf,
      log,
      newOperationsPerMinute,
    });
  });
}
