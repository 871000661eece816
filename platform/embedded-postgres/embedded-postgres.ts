/** An embedded PostgreSQL 18, used without DATABASE_URL: started or adopted if it is already running, restarted after a crash, stopped by its last user. */
import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import { openBinaries } from './binaries.ts';
import { createCluster, type Home } from './cluster.ts';
import { openHome, serverAccount } from './home.ts';
import { openLease, type Lease } from './lease.ts';
import { findPostmaster, stopPostmaster } from './postmaster.ts';
import { database, openServer, ownerUrl } from './server.ts';
import { supervise, type Supervision } from './supervision.ts';

export interface EmbeddedPostgres {
  /** Connection URL of the owner, a superuser: for migrations only. It stays the same after a restart. */
  readonly url: string;
  /** True if the server was already running: left by a killed process, or shared with a running one. */
  readonly adopted: boolean;
  /** False when the server has not started again for a minute after the first failed restart. */
  isHealthy(): boolean;
  /** Stops the server (fast shutdown, data flushed) and waits for its end; does nothing while another process uses it. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  readonly dataDirectory: string;
  readonly log: Logger;
  /** False for tests: a crash of the machine may lose all data. */
  readonly durable?: boolean;
  /** Time of failed restarts after which the server is not healthy; default: a minute. */
  readonly unhealthyAfterMs?: number;
}

/**
 * Starts or adopts the PostgreSQL of a data folder; creates the folder, the cluster and the database if they do not exist.
 * Concurrent calls of several processes are safe: one starts the server, the others share it. Each of them restarts it if it ends.
 * @throws Error with instructions: unsupported platform, inaccessible folder, or a server that does not start
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log, durable = true, unhealthyAfterMs = 60_000 } = options;
  const account = await serverAccount();
  const [folder, binaries] = await Promise.all([openHome(options.dataDirectory, account), openBinaries(account)]);
  const home: Home = { folder, data: join(folder, 'cluster', 'data'), account, binaries };
  if (await createCluster(home, durable)) log.info({ folder }, 'embedded PostgreSQL initialized');
  const { lease, port, adopted } = await openServer(home, { durable });
  log.info({ folder, adopted }, 'embedded PostgreSQL ready');
  const restart = async (signal: AbortSignal) => (await openServer(home, { durable, port, signal })).lease;
  const supervision = supervise({ lease, restart, log });
  return {
    url: await ownerUrl(folder, database, port),
    adopted,
    isHealthy: () => supervision.failingMs() <= unhealthyAfterMs,
    stop: once(() => stop(home, supervision, log)),
  };
}

/** The owner's URL of the PostgreSQL that runs in a data folder; null if none is running. */
export async function findEmbeddedPostgres(dataDirectory: string): Promise<string | null> {
  const folder = await realpath(resolve(dataDirectory)).catch(() => null);
  if (folder === null) return null;
  const running = await findPostmaster(join(folder, 'cluster', 'data'));
  return running === null || running.port === null ? null : ownerUrl(folder, database, running.port);
}

async function stop(home: Home, supervision: Supervision, log: Logger): Promise<void> {
  const lease = (await supervision.stop()) ?? (await findLease(home));
  if (lease === null || (await lease.release())) {
    await stopPostmaster(home.data, home.binaries.pgCtl);
    log.info('embedded PostgreSQL stopped');
  } else {
    log.info('embedded PostgreSQL still in use by another process');
  }
}

/** A lease of the server that another process has restarted meanwhile; null if none accepts connections. */
async function findLease(home: Home): Promise<Lease | null> {
  const running = await findPostmaster(home.data);
  return running === null || running.port === null
    ? null
    : openLease(await ownerUrl(home.folder, 'postgres', running.port), database);
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null;
  return () => (done ??= work());
}
