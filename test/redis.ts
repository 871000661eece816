/** Clusters of Redis, and tests that need redis-server. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { freePort } from '../commands/local-process.ts';
import { startRedis, type RedisServer } from '../commands/local-redis.ts';

/** Set by test/global-setup.js. Without redis-server its tests are skipped, and test/closing-reporter.js lists them. */
export const hasRedis = process.env['TEST_REDIS'] === 'installed';

/** `test` or `describe` when redis-server is installed, else their `skip`. */
export const withRedis = <Define extends { readonly skip: unknown }>(define: Define): Define | Define['skip'] =>
  hasRedis ? define : define.skip;

const startTimeoutMs = 10_000;

export interface RedisCluster {
  /** URLs of the nodes, as in REDIS_URL. */
  readonly urls: readonly string[];
  readonly servers: readonly RedisServer[];
  close(): Promise<void>;
}

const slots = 16_384;

/** Starts a cluster of three masters. Each serves its own slots even while another is down. */
export async function startRedisCluster(): Promise<RedisCluster> {
  const settings = ['--cluster-enabled', 'yes', '--cluster-require-full-coverage', 'no', '--cluster-node-timeout', '2000'];
  // the cluster bus needs a second port per node
  const nodes = await Promise.all(
    [0, 1, 2].map(async () => {
      const busPort = await freePort();
      return { busPort, server: await startRedis(...settings, '--cluster-port', String(busPort)) };
    }),
  );
  const servers = nodes.map(({ server }) => server);
  const clients = servers.map(({ url }) => new Redis(url));
  await Promise.all(
    clients.map((client, index) => {
      const share = Math.ceil(slots / clients.length);
      return client.cluster('ADDSLOTSRANGE', index * share, Math.min(slots, (index + 1) * share) - 1);
    }),
  );
  for (const { busPort, server } of nodes) {
    const { hostname, port } = new URL(server.url);
    await Promise.all(clients.map((client) => client.call('CLUSTER', 'MEET', hostname, port, busPort)));
  }
  for (const client of clients) await covered(client);
  for (const client of clients) client.disconnect();
  return {
    urls: servers.map(({ url }) => url),
    servers,
    close: async () => void (await Promise.all(servers.map((server) => server.close()))),
  };
}

async function covered(client: Redis): Promise<void> {
  const deadline = performance.now() + startTimeoutMs;
  for (;;) {
    const info = await client.cluster('INFO');
    if (info.includes('cluster_state:ok') && info.includes(`cluster_slots_assigned:${slots}`)) return;
    if (performance.now() > deadline) throw new Error(`The cluster is not complete:\n${info}`);
    await sleep(20);
  }
}
