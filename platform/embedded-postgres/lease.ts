/** Usage lease of the embedded PostgreSQL: each process holds a shared lock over a connection, so that the last user stops the server. */
import pg from 'pg';
import { hasErrorCode } from '../error-code.ts';

export interface Lease {
  /** Resolves when the connection ended without `release`: the server ended, or it ended its sessions. */
  readonly lost: Promise<void>;
  /** Ends the lease. Returns true for the last user; the server then accepts no new users until it has stopped. */
  release(): Promise<boolean>;
}

const lockKey = 7_105_114_102;
/** The server is not running, starting up or shutting down: retry. */
const transientCodes = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', '57P01', '57P02', '57P03', '53300'];

/**
 * Takes the lock, which PostgreSQL releases if this process is killed, and creates the database if it does not exist.
 * @returns null while the server does not accept connections
 */
export async function openLease(url: string, database: string): Promise<Lease | null> {
  const connection = await connect(url);
  if (connection === null) return null;
  try {
    await connection.client.query('/* lease.acquire */ select pg_advisory_lock_shared($1)', [lockKey]);
    const { rowCount } = await connection.client.query('/* lease.database */ select from pg_database where datname = $1', [
      database,
    ]);
    if (rowCount === 0) await createDatabase(connection.client, database);
  } catch (error) {
    await connection.client.end().catch(() => undefined);
    if (connection.isBroken() || hasErrorCode(error, ...transientCodes)) return null;
    throw error;
  }
  return {
    lost: connection.ended,
    async release() {
      // a closed connection has lost its lock: use a new one; without a new one the server has stopped
      const held = connection.isBroken() ? await connect(url) : connection;
      if (held === null) return true;
      if (held === connection) await held.client.query('/* lease.release */ select pg_advisory_unlock_shared($1)', [lockKey]);
      const { rows } = await held.client.query<{ last: boolean }>('/* lease.last */ select pg_try_advisory_lock($1) as last', [
        lockKey,
      ]);
      const last = rows[0]?.last ?? true;
      // the last user keeps the connection and its lock until the server has stopped
      if (!last) await held.client.end();
      return last;
    },
  };
}

async function connect(url: string): Promise<{ client: pg.Client; ended: Promise<void>; isBroken(): boolean } | null> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'lease',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });
  let broken = false;
  const ended = new Promise<void>((resolve) => {
    for (const event of ['error', 'end'] as const) {
      client.on(event, () => {
        broken = true;
        resolve();
      });
    }
  });
  try {
    await client.connect();
    return { client, ended, isBroken: () => broken };
  } catch (error) {
    await client.end().catch(() => undefined);
    if (hasErrorCode(error, ...transientCodes) || (error instanceof Error && /timeout|terminated/i.test(error.message)))
      return null;
    throw error;
  }
}

async function createDatabase(client: pg.Client, database: string): Promise<void> {
  try {
    await client.query(`create database ${pg.escapeIdentifier(database)}`);
  } catch (error) {
    // a concurrent process has already created it
    if (!hasErrorCode(error, '42P04', '23505')) throw error;
  }
}
