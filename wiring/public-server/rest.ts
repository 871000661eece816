/** The REST API on a public server. */
import type { FastifyInstance } from 'fastify';
import { createBridge } from '../../rest-bridge/bridge.ts';
import { createSites } from '../../schema/sites.ts';
import { restApi } from '../rest-api.ts';
import type { Router } from '../router.ts';
import type { PublicServerOptions } from './public-server.ts';

/** Default size of the cache of responses. */
export const defaultResponseCacheBytes = 64 * 1024 * 1024;

/** Adds the REST API. Closing the server ends its streams. */
export async function addRest(
  app: FastifyInstance,
  { entryPoint, eventStreams }: Pick<Router, 'entryPoint' | 'eventStreams'>,
  options: PublicServerOptions,
): Promise<void> {
  const { schema, operations } = restApi();
  const { publicUrl, baseDomain = null, responseCacheBytes = defaultResponseCacheBytes } = options;
  const siteOf = createSites(baseDomain);
  const sportOf = (host: string) => siteOf(host).sport;
  app.addHook('preClose', (done) => {
    eventStreams.close();
    done();
  });
  await app.register(
    createBridge({ entryPoint, eventStreams, apiSchema: schema, operations, publicUrl, baseDomain, sportOf, responseCacheBytes }),
  );
}
