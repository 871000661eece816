/** What several processes read from their environment. */
import type { Logger } from 'pino';
import { readEnvironment } from '../platform/env.ts';
import { createLoadGate } from '../platform/load-gate.ts';
import { observeGate } from '../platform/load-gate-metrics.ts';
import { openRedis } from '../platform/redis/redis.ts';
import { billingSettings } from './billing-environment.ts';
import { dataVariables, publicServerVariables, schemaFolderOf, webhookVariables, type Source } from './environment.ts';
import { portalSettings } from './portal-environment.ts';
import { restApi } from './rest-api.ts';
import { securityContacts } from './security-environment.ts';
import { stripeSettings } from './stripe-environment.ts';

/** Mutations are signed as such and accepted once. */
export function createIsMutation(): (operation: string) => boolean {
  const writes = new Set(
    restApi()
      .operations.filter(({ method }) => method !== 'GET')
      .map(({ name }) => name),
  );
  return (operation) => writes.has(operation);
}

/** The options of public servers and routers. Called once per process: its servers share the gate. */
export function serverOptions(source: Source, log: Logger) {
  const { TRUST_PROXY, PUBLIC_URL, BASE_DOMAIN, LOAD_SHEDDING, RESPONSE_CACHE_MIB } = readEnvironment(
    source,
    publicServerVariables,
  );
  const responseCacheBytes = RESPONSE_CACHE_MIB * 1024 * 1024;
  return {
    log,
    trustedProxies: TRUST_PROXY,
    publicUrl: PUBLIC_URL,
    gate: LOAD_SHEDDING === 'true' ? observeGate(createLoadGate({ log })) : undefined,
    baseDomain: BASE_DOMAIN,
    responseCacheBytes,
    portal: portalSettings(source),
    security: securityContacts(source),
    schemaFolder: schemaFolderOf(source),
  };
}

/** Whether webhooks may call this machine and private networks. */
export const allowsLocalUrls = (source: Source): boolean =>
  readEnvironment(source, webhookVariables).WEBHOOKS_ALLOW_LOCAL === 'true';

/** The settings of areas in the processes that run their consumers. */
export const areaSettings = (source: Source) => ({
  allowLocalUrls: allowsLocalUrls(source),
  billing: billingSettings(source),
  stripe: stripeSettings(source),
  poolSize: readEnvironment(source, dataVariables).DATABASE_POOL_SIZE,
});

/** The Redis connection of the environment, if one is set, and its closeable. */
export async function openOptionalRedis(source: Source, name: string, log: Logger) {
  const { REDIS_URL: urls } = readEnvironment(source, dataVariables);
  const redis = urls.length === 0 ? undefined : await openRedis({ urls, name, log });
  return { redis, closeable: { name: 'Redis', close: () => redis?.close() ?? Promise.resolve() } };
}
