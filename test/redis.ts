/** Redis servers for tests, each with its own folder and ports. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { freePort } from '../commands/local-process.ts';

export interface RedisServer {
  readonly url: string;
  /** Kills the server, which loses its data. */
  kill(): Promise<void>;
  /** Starts the killed server again, empty, on the same port. */
  start(): Promise<void>;
  /** Suspends the server: its connections stay open, and it does not respond. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

/** Set by test/global-setup.js. Without redis-server its tests are skipped, and test/closing-reporter.js lists them. */
export const hasRedis = process.env['TEST_REDIS'] === 'installed';

/** `test` or `describe` when redis-server is installed, else their `skip`. */
export const withRedis = <Define extends { readonly skip: unknown }>(define: Define): Define | Define['skip'] =>
  hasRedis ? define : define.skip;

const startTimeoutMs = 10_000;

/** Throws Error when redis-server does not start. */
export async function startRedis(...settings: readonly string[]): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'redis-'));
  const port = await freePort();
  let child: ChildProcess | null = null;

  async function start(): Promise<void> {
    const started = spawn(
      'redis-server',
      [
        '--port',
        String(port),
        '--bind',
        '127.0.0.1',
        '--dir',
        folder,
        '--save',
        '',
        '--maxmemory-policy',
        'noeviction',
        ...settings,
      ],
      { stdio: 'ignore' },
    );
    child = started;
    const missing = new Promise<never>((_, reject) => {
      started.once('error', (cause) => reject(new Error('redis-server did not start: is it installed?', { cause })));
    });
    await Promise.race([responses(port), missing]);
  }

  async function kill(): Promise<void> {
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    kill,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    async close() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function responses(port: number): Promise<void> {
  const client = new Redis(port, { retryStrategy: () => 10, maxRetriesPerRequest: null, commandTimeout: startTimeoutMs });
  client.on('error', () => undefined);
  try {
    await client.ping();
  } finally {
    client.disconnect();
  }
}

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
