/** Who uses the embedded PostgreSQL: each process holds a shared lock over a connection, so that the last one out stops it. */
import pg from 'pg';
import { hasErrorCode } from '../error-code.ts';

export interface Lease {
  /** Ends the use; true when nobody else uses the server, which then admits no new user until it has stopped. */
  release(): Promise<boolean>;
}

const lockKey = 7_105_114_102;
/** Not there yet, starting up or going down: worth another attempt. */
const passing = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', '57P01', '57P02', '57P03', '53300'];

/**
 * Takes the lock (a kill of this process frees it), and makes the database when there is none.
 * @returns null while the server does not take connections.
 */
export async function openLease(url: string, database: string): Promise<Lease | null> {
  const connection = await connect(url);
  if (connection === null) return null;
  try {
    await connection.client.query('/* lease.take */ select pg_advisory_lock_shared($1)', [lockKey]);
    const { rowCount } = await connection.client.query('/* lease.database */ select from pg_database where datname = $1', [
      database,
    ]);
    if (rowCount === 0) await createDatabase(connection.client, database);
  } catch (fault) {
    await connection.client.end().catch(() => undefined);
    if (connection.isBroken() || hasErrorCode(fault, ...passing)) return null;
    throw fault;
  }
  return {
    async release() {
      // a connection that was ended took its lock with it: ask over a new one; none means that the server has gone
      const held = connection.isBroken() ? await connect(url) : connection;
      if (held === null) return true;
      if (held === connection) await held.client.query('/* lease.give */ select pg_advisory_unlock_shared($1)', [lockKey]);
      const { rows } = await held.client.query<{ last: boolean }>('/* lease.last */ select pg_try_advisory_lock($1) as last', [
        lockKey,
      ]);
      const last = rows[0]?.last ?? true;
      // the last one keeps the connection, and with it the lock, until the server has ended it
      if (!last) await held.client.end();
      return last;
    },
  };
}

async function connect(url: string): Promise<{ client: pg.Client; isBroken(): boolean } | null> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'lease',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });
  let broken = false;
  client.on('error', () => (broken = true));
  client.on('end', () => (broken = true));
  try {
    await client.connect();
    return { client, isBroken: () => broken };
  } catch (fault) {
    await client.end().catch(() => undefined);
    if (hasErrorCode(fault, ...passing) || (fault instanceof Error && /timeout|terminated/i.test(fault.message))) return null;
    throw fault;
  }
}

async function createDatabase(client: pg.Client, database: string): Promise<void> {
  try {
    await client.query(`create database ${pg.escapeIdentifier(database)}`);
  } catch (fault) {
    // a twin was faster
    if (!hasErrorCode(fault, '42P04', '23505')) throw fault;
  }
}
