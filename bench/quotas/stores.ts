/** The counter stores that are measured, with the same PostgreSQL. Redis runs as in docker-compose, with its log on disk. */
import { startRedis } from '../../commands/local-redis.ts';
import { startRedisCluster } from '../../test/redis.ts';
import type { Dependency } from './outages.ts';

export interface OpenStore {
  readonly name: string;
  /** Environment of the routers. */
  readonly environment: Readonly<Record<string, string>>;
  /** Stops and starts the store; null where it cannot be stopped separately. */
  readonly dependency: Dependency | null;
  close(): Promise<void>;
}

const postgres = (): Promise<OpenStore> =>
  Promise.resolve({ name: 'PostgreSQL', environment: {}, dependency: null, close: () => Promise.resolve() });

async function redis(): Promise<OpenStore> {
  const server = await startRedis('--appendonly', 'yes');
  return {
    name: 'Redis',
    environment: { REDIS_URL: server.url },
    dependency: { name: 'Redis', takeAway: () => server.kill(), bringBack: () => server.start() },
    close: () => server.close(),
  };
}

async function redisCluster(): Promise<OpenStore> {
  const cluster = await startRedisCluster();
  return {
    name: 'Redis Cluster',
    environment: { REDIS_URL: cluster.urls.join(',') },
    dependency: null,
    close: () => cluster.close(),
  };
}

/** In the order of measurement. */
export const openStores: readonly (() => Promise<OpenStore>)[] = [postgres, redis, redisCluster];
