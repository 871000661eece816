/** The system under test: the processes of docker-compose.yml with two instances of each role, PostgreSQL and Redis behind TCP proxies. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openBenchDatabase } from '../../bench/database.ts';
import { createRoleProcesses, keyVariables, roleOf, type RoleProcesses } from '../../commands/role-processes.ts';
import { openSecrets } from '../../platform/security/secrets.ts';
import { keyedRoles } from '../../wiring/keys.ts';
import { startRedis, type RedisServer } from '../../commands/local-redis.ts';
import { mountSmallDisk } from './disk.ts';
import { openStandby, type DatabaseServer, type Standby } from './standby.ts';
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts';

/** As a container runtime restarts a process that has ended. */
const restartAfterMs = 500;
const diskMegabytes = 2_000;
/** Test data has one process (docs/deploy.md). */
const instancesOf = (role: string): number => (role === 'sandbox' ? 1 : 2);

export interface System {
  readonly processes: RoleProcesses;
  readonly postgres: TcpProxy;
  readonly redisProxy: TcpProxy;
  readonly redis: RedisServer;
  readonly database: Awaited<ReturnType<typeof openBenchDatabase>>;
  /** The owner's URL of the database through the proxy, which stays the same after a failover. */
  readonly ownerUrl: string;
  /** The server that is the primary now. */
  primary(): DatabaseServer;
  /** Starts a synchronous standby of the primary. */
  addStandby(): Promise<Standby>;
  /** The standby becomes the primary that all processes connect to. */
  failOver(standby: Standby): Promise<void>;
  urls(role: string): string[];
  /** Kills a process; it is started again after half a second. Resolves when it responds. */
  kill(name: string): Promise<void>;
  signal(name: string, signal: 'SIGSTOP' | 'SIGCONT'): void;
  close(): Promise<void>;
}

const targetOf = (url: string, defaultPort: number) => {
  const { hostname, port } = new URL(url);
  return { host: hostname, port: port === '' ? defaultPort : Number(port) };
};

function through(url: string, { port }: TcpProxy): string {
  const changed = new URL(url);
  changed.host = `127.0.0.1:${port}`;
  return changed.href;
}

/** Starts everything; `variables` are those of all processes. */
export async function openSystem(athletes: number, variables: Readonly<Record<string, string>> = {}): Promise<System> {
  await using opened = new AsyncDisposableStack();
  const disk = await mkdtemp(join(tmpdir(), 'chaos-disk-'));
  opened.defer(() => rm(disk, { recursive: true, force: true }));
  opened.defer(await mountSmallDisk(disk, diskMegabytes));
  const database = await openBenchDatabase(athletes, { durable: true, parentDirectory: disk });
  opened.defer(database.close);
  const redis = await startRedis('--appendonly', 'yes', '--appendfsync', 'always');
  opened.defer(redis.close);
  const postgres = await openTcpProxy(targetOf(database.ownerUrl, 5432));
  opened.defer(postgres.close);
  const redisProxy = await openTcpProxy(targetOf(redis.url, 6379));
  opened.defer(redisProxy.close);
  const ownerUrl = through(database.ownerUrl, postgres);
  let primary: DatabaseServer = database;
  const standbys: Standby[] = [];
  opened.defer(async () => void (await Promise.all(standbys.map((standby) => standby.stop()))));
  const imageFolder = await mkdtemp(join(tmpdir(), 'chaos-images-'));
  await chmod(imageFolder, 0o711);
  opened.defer(() => rm(imageFolder, { recursive: true, force: true }));

  const processes = await createRoleProcesses({
    databaseUrl: ownerUrl,
    variables: {
      ...keyVariables(openSecrets(database.secret)),
      REDIS_URL: through(redis.url, redisProxy),
      TRUST_PROXY: '127.0.0.1',
      LOG_LEVEL: 'fatal',
      WEBHOOKS_ALLOW_LOCAL: 'true',
      ...variables,
    },
    imageFolder,
    instances: Object.fromEntries(keyedRoles.map((role) => [role, { count: instancesOf(role), isListed: role !== 'sandbox' }])),
  });
  opened.defer(processes.close);
  await Promise.all(processes.names.map((name) => processes.start(name)));
  const resources = opened.move();

  return {
    processes,
    postgres,
    redisProxy,
    redis,
    database,
    ownerUrl,
    primary: () => primary,
    async addStandby() {
      const standby = await openStandby(primary, join(disk, `standby-${standbys.length + 1}`));
      standbys.push(standby);
      return standby;
    },
    async failOver(standby) {
      await standby.promote();
      primary = standby;
      postgres.redirect(targetOf(standby.ownerUrl, 5432));
    },
    urls: (role) => processes.names.filter((name) => roleOf(name) === role).map((name) => processes.url(name)),
    async kill(name) {
      await processes.stop(name, 'SIGKILL');
      await sleep(restartAfterMs);
      await processes.start(name);
    },
    signal(name, signal) {
      const pid = processes.pids().get(name);
      if (pid !== undefined && pid > 0) process.kill(pid, signal);
    },
    close: () => resources.disposeAsync(),
  };
}
