/** The server process of an embedded PostgreSQL: starts it, or finds the running one, and waits until it accepts connections. */
import { spawn, type ChildProcess } from 'node:child_process';
import { open, readFile, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { owner, spawnOptions, type Home } from './cluster.ts';
import { openLease, type Lease } from './lease.ts';
import { findPostmaster, removeStalePidFile } from './postmaster.ts';

/** The database of the platform. */
export const database = 'talent';
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

export interface ServerOptions {
  readonly durable: boolean;
  /** The port of a restart: open pools connect to it. Default: the previous port if it is free, otherwise another one. */
  readonly port?: number;
  /** Ends the wait for the server, which keeps running. */
  readonly signal?: AbortSignal;
}

/** A running server that this process uses. */
export interface OpenedServer {
  readonly lease: Lease;
  readonly port: number;
  /** True if the server was already running. */
  readonly adopted: boolean;
}

/**
 * Starts the server of a data folder, or adopts the running one. Concurrent calls of several processes are safe.
 * @throws Error with the last lines of its log when the server does not start, and the reason of the signal
 */
export async function openServer(home: Home, options: ServerOptions): Promise<OpenedServer> {
  const deadline = performance.now() + startTimeoutMs;
  for (;;) {
    const adopted = (await findPostmaster(home.data)) !== null;
    const server = adopted ? null : await spawnServer(home, options);
    const opened = await waitForLease(home, server, deadline, options.signal);
    if (opened !== null) return { ...opened, adopted };
  }
}

/** The owner's URL of a database of the server. */
export async function ownerUrl(folder: string, name: string, port: number): Promise<string> {
  const password = (await readFile(join(folder, 'cluster', 'password'), 'utf8')).trim();
  return `postgresql://${owner}:${password}@127.0.0.1:${port}/${name}`;
}

async function spawnServer(home: Home, { durable, port: fixedPort }: ServerOptions): Promise<ChildProcess> {
  await removeStalePidFile(home.data);
  const logFile = join(home.folder, 'postgres.log');
  const log = await open(logFile, 'a', 0o600);
  if ((await log.stat()).size > logBytesMax) await truncate(logFile);
  const port = fixedPort ?? (await choosePort(join(home.folder, 'port')));
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

async function waitForLease(
  home: Home,
  server: ChildProcess | null,
  deadline: number,
  signal: AbortSignal | undefined,
): Promise<{ lease: Lease; port: number } | null> {
  let failure: unknown = null;
  server?.once('error', (error) => (failure = error));
  for (;;) {
    const running = await findPostmaster(home.data);
    if (running?.port != null) {
      const lease = await openLease(await ownerUrl(home.folder, 'postgres', running.port), database);
      if (lease !== null) return { lease, port: running.port };
    }
    const ended = failure !== null || server === null || server.exitCode !== null || server.signalCode !== null;
    if (running === null && ended) {
      // a concurrent process may have started (and stopped) the server in the meantime: check again before failing
      if (server === null || (await findPostmaster(home.data)) !== null) return null;
      throw await startError(home, failure);
    }
    if (performance.now() > deadline) throw await startError(home, failure);
    await sleep(20, undefined, { signal });
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
