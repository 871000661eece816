/** An embedded PostgreSQL 18, used without DATABASE_URL: started or adopted if it is already running, stopped by its last user. */
import { spawn, type ChildProcess } from 'node:child_process';
import { open, readFile, realpath, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { openBinaries } from './binaries.ts';
import { createCluster, owner, spawnOptions, type Home } from './cluster.ts';
import { openHome, serverAccount } from './home.ts';
import { openLease, type Lease } from './lease.ts';
import { findPostmaster, removeStalePidFile, stopPostmaster } from './postmaster.ts';

export interface EmbeddedPostgres {
  /** Connection URL of the owner, a superuser: for migrations only. */
  readonly url: string;
  /** True if the server was already running: left by a killed process, or shared with a running one. */
  readonly adopted: boolean;
  /** Stops the server (fast shutdown, data flushed) and waits for its end; does nothing while another process uses it. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  readonly dataDirectory: string;
  readonly log: Logger;
  /** False for tests: a crash of the machine may lose all data. */
  readonly durable?: boolean;
}

const database = 'talent';
/** Crash recovery may replay gigabytes; a first start takes a few seconds. */
const startTimeoutMs = 120_000;
const logBytesMax = 10_000_000;

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '256MB',
  password_encryption: 'scram-sha-256',
  timezone: 'UTC',
  log_timezone: 'UTC',
  jit: 'off',
  // a failed statement may contain personal data, so its text is not logged
  log_min_error_statement: 'panic',
};
const durableSettings = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };
const disposableSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  // several platforms share the server of the tests
  max_connections: '500',
};

/**
 * Starts or adopts the PostgreSQL of a data folder; creates the folder, the cluster and the database if they do not exist.
 * Concurrent calls of several processes are safe: one starts the server, the others share it.
 * @throws Error with instructions: unsupported platform, inaccessible folder, or a server that does not start
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const account = await serverAccount();
  const [folder, binaries] = await Promise.all([openHome(options.dataDirectory, account), openBinaries(account)]);
  const home: Home = { folder, data: join(folder, 'cluster', 'data'), account, binaries };
  if (await createCluster(home, options.durable ?? true)) options.log.info({ folder }, 'embedded PostgreSQL initialized');
  const deadline = performance.now() + startTimeoutMs;
  for (;;) {
    const adopted = (await findPostmaster(home.data)) !== null;
    const server = adopted ? null : await spawnServer(home, options.durable ?? true);
    const lease = await waitForLease(home, server, deadline);
    if (lease !== null) {
      options.log.info({ folder, adopted }, 'embedded PostgreSQL ready');
      return { url: await ownerUrl(home, database), adopted, stop: once(() => stop(home, lease, options.log)) };
    }
  }
}

/** The owner's URL of the PostgreSQL that runs in a data folder; null if none is running. */
export async function findEmbeddedPostgres(dataDirectory: string): Promise<string | null> {
  const folder = await realpath(resolve(dataDirectory)).catch(() => null);
  if (folder === null) return null;
  const home = { data: join(folder, 'cluster', 'data'), folder };
  const running = await findPostmaster(home.data);
  return running === null || running.port === null ? null : ownerUrl(home, database, running.port);
}

async function stop(home: Home, lease: Lease, log: Logger): Promise<void> {
  if (await lease.release()) {
    await stopPostmaster(home.data, home.binaries.pgCtl);
    log.info('embedded PostgreSQL stopped');
  } else {
    log.info('embedded PostgreSQL still in use by another process');
  }
}

async function ownerUrl(home: { data: string; folder: string }, name: string, port?: number): Promise<string> {
  const password = (await readFile(join(home.folder, 'cluster', 'password'), 'utf8')).trim();
  const known = port ?? (await findPostmaster(home.data))?.port ?? 0;
  return `postgresql://${owner}:${password}@127.0.0.1:${known}/${name}`;
}

async function spawnServer(home: Home, durable: boolean): Promise<ChildProcess> {
  await removeStalePidFile(home.data);
  const logFile = join(home.folder, 'postgres.log');
  const log = await open(logFile, 'a', 0o600);
  if ((await log.stat()).size > logBytesMax) await truncate(logFile);
  const port = await choosePort(join(home.folder, 'port'));
  const flags = Object.entries({ ...settings, ...(durable ? durableSettings : disposableSettings), port: String(port) });
  const server = spawn(
    home.binaries.postgres,
    ['-D', home.data, ...flags.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    {
      ...spawnOptions(home),
      // a separate process group, so that Ctrl-C reaches this process only and the server is stopped last; a disposable server may end with the terminal
      detached: durable,
      stdio: ['ignore', log.fd, log.fd],
    },
  );
  server.unref();
  await log.close();
  return server;
}

async function waitForLease(home: Home, server: ChildProcess | null, deadline: number): Promise<Lease | null> {
  let failure: unknown = null;
  server?.once('error', (error) => (failure = error));
  for (;;) {
    const running = await findPostmaster(home.data);
    if (running?.port != null) {
      const lease = await openLease(await ownerUrl(home, 'postgres', running.port), database);
      if (lease !== null) return lease;
    }
    const ended = failure !== null || server === null || server.exitCode !== null || server.signalCode !== null;
    if (running === null && ended) {
      // a concurrent process may have started (and stopped) the server in the meantime: check again before failing
      if (server === null || (await findPostmaster(home.data)) !== null) return null;
      throw await startError(home, failure);
    }
    if (performance.now() > deadline) throw await startError(home, failure);
    await sleep(20);
  }
}

async function startError(home: Home, cause: unknown): Promise<Error> {
  const text = await readFile(join(home.folder, 'postgres.log'), 'utf8').catch(() => '');
  const tail = text.trimEnd().split('\n').slice(-5).join('\n');
  return new Error(`The embedded PostgreSQL in ${home.folder} did not start. Last lines of its log:\n${tail}`, { cause });
}

/** The previous port if it is free, otherwise another one: a stable port keeps psql and dashboards connected. */
async function choosePort(file: string): Promise<number> {
  const known = Number(await readFile(file, 'utf8').catch(() => '0'));
  const port = (Number.isInteger(known) && known > 0 ? await freePort(known) : null) ?? (await freePort(0));
  if (port === null) throw new Error('No port of 127.0.0.1 is free.');
  await writeFile(file, `${port}\n`);
  return port;
}

function freePort(wanted: number): Promise<number | null> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', () => done(null));
    server.listen(wanted, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => done(typeof address === 'object' && address !== null ? address.port : null));
    });
  });
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null;
  return () => (done ??= work());
}
