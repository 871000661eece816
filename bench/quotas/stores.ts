/** The stores of counters that are measured, each beside the same PostgreSQL; Redis as docker-compose runs it, with its log on disk. */
import { startRedis, startRedisCluster } from '../../test/redis.ts';
import type { Dependency } from './outages.ts';

export interface OpenStore {
  readonly name: string;
  /** For the routers. */
  readonly environment: Readonly<Record<string, string>>;
  /** The server itself; null where it cannot be taken away by itself. */
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

/** In the order in which they are measured. */
export const openStores: readonly (() => Promise<OpenStore>)[] = [postgres, redis, redisCluster];
