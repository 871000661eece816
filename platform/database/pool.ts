/** The connection pool of a database: its session settings and limits. */
import pg from 'pg';
import type { DatabaseOptions } from './database.ts';
import { valueTypes } from './value-types.ts';

/** Time for the response after the statement timeout: PostgreSQL reports a slow statement itself, so silence means that it is unavailable. */
export const responseGraceMs = 500;
/** Longest wait for a connection. */
const connectionWaitMs = 5_000;

/**
 * List queries return short pages; their cost is the number of rows they inspect. With a large effective_cache_size PostgreSQL underestimates
 * the cost of an ordered index scan and searches millions of rows for 21 matches. Parallel workers take longer to start than a page takes.
 */
const planning = ['-c effective_cache_size=32MB', '-c max_parallel_workers_per_gather=0'];

/** Opens a pool; it connects on first use. */
export function openPool(
  { url, name, searchPath, poolSize = 10, lockTimeoutMs, onFailure }: DatabaseOptions,
  statementTimeoutMs: number,
): pg.Pool {
  const settings = ['-c timezone=UTC', '-c datestyle=ISO', ...planning, `-c statement_timeout=${statementTimeoutMs}`];
  if (searchPath !== undefined) settings.push(`-c search_path=${searchPath}`);
  if (lockTimeoutMs !== undefined) settings.push(`-c lock_timeout=${lockTimeoutMs}`);
  const pool = new pg.Pool({
    connectionString: url,
    application_name: name,
    max: poolSize,
    options: settings.join(' '),
    connectionTimeoutMillis: Math.min(connectionWaitMs, statementTimeoutMs + responseGraceMs),
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    // sends statements without waiting for earlier responses; PostgreSQL still runs them one after the other
    pipeline: true,
    types: valueTypes,
  });
  pool.on('error', (error) => onFailure?.(error, 'idle connection'));
  // the pool handles errors of idle connections only: a connection that closes while it is handed out would end the process
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
