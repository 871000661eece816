/** The process of the role `all`: the whole platform. */
import type { Logger } from 'pino';
import type { RedisConnection } from '../../platform/redis/redis.ts';
import { databaseUrls, sandboxOwnerUrl } from '../database-urls.ts';
import type { Source } from '../environment.ts';
import { openImages } from '../images.ts';
import { openInstallation, type Installation } from '../installation.ts';
import { oidcSettings } from '../oidc-environment.ts';
import type { Open, Prepare } from '../opened-process.ts';
import { openPlatform, type Platform } from '../platform.ts';
import { areaSettings, openOptionalRedis, serverOptions } from '../process-options.ts';

async function openPrepared(
  installation: Installation,
  redis: RedisConnection | undefined,
  source: Source,
  log: Logger,
  prepare: Prepare,
): Promise<Platform> {
  await prepare(installation, source, log);
  const { ownerUrl, secrets } = installation;
  const all = await openPlatform({
    ...serverOptions(source, log),
    oidc: oidcSettings(source),
    databases: databaseUrls(source, ownerUrl, secrets),
    images: openImages('all', source, secrets, log),
    isHealthy: installation.isHealthy,
    redis,
    secrets,
    sandboxes: { ownerUrl: sandboxOwnerUrl(source, ownerUrl, secrets) },
    ...areaSettings(source),
  });
  // as in the router: a rejection ends the process
  void all.router.planAhead();
  return all;
}

export const openAllProcess: Open = async (source, log, prepare) => {
  // first, so that its failure leaves no embedded database running
  const { redis, closeable } = await openOptionalRedis(source, 'all', log);
  const installation = await openInstallation(source, log);
  const platform = await openPrepared(installation, redis, source, log, prepare).catch(async (error: unknown) => {
    // otherwise the embedded database would keep running
    await installation.close();
    throw error;
  });
  return {
    app: platform.app,
    reload: platform.router.reload,
    ...(installation.embedded && { sessions: platform.router.sessions }),
    closeables: [[{ name: 'platform', close: platform.close }], [closeable], [{ name: 'database', close: installation.close }]],
  };
};
