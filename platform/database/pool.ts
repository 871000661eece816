/** The connection pool of a database: its session settings and limits. */
import pg from 'pg';
import { areas } from '../../schema/areas.ts';
import type { DatabaseOptions } from './database.ts';
import { allowPreparation } from './prepared-statements.ts';
import { areaRole, relayRole, roleSettings, routerRole, sessionSettings } from './roles.ts';
import { valueTypes } from './value-types.ts';

/** Time for the response after the statement timeout: PostgreSQL reports a slow statement itself, so silence means that it is unavailable. */
export const responseGraceMs = 500;
/** Longest wait for a connection. */
const connectionWaitMs = 5_000;

/** Roles whose settings are stored in the database; not those of owners. */
const migratedRoles: ReadonlySet<string> = new Set([...areas.map(areaRole), routerRole, relayRole]);

const normalized = (value: string): string => value.replaceAll(/[\s"]/g, '');

/** Settings that the session does not have yet. A pooler rejects them, so those of the platform's roles are stored with the role. */
function startOptions(url: string, wanted: Readonly<Record<string, string>>): string | undefined {
  const role = decodeURIComponent(new URL(url).username);
  const stored = migratedRoles.has(role) ? roleSettings(role) : {};
  const missing = Object.entries({ ...sessionSettings, ...wanted }).filter(
    ([name, value]) => normalized(stored[name] ?? '') !== normalized(value),
  );
  return missing.length === 0 ? undefined : missing.map(([name, value]) => `-c ${name}=${normalized(value)}`).join(' ');
}

/** Opens a pool; it connects on first use. */
export function openPool(
  { url, name, searchPath, poolSize = 10, serverTimeoutMs, onFailure }: DatabaseOptions,
  statementTimeoutMs: number,
): pg.Pool {
  const options = startOptions(url, {
    statement_timeout: String(serverTimeoutMs ?? statementTimeoutMs),
    ...(searchPath !== undefined && { search_path: searchPath }),
  });
  const pool = new pg.Pool({
    connectionString: url,
    application_name: name,
    max: poolSize,
    ...(options !== undefined && { options }),
    connectionTimeoutMillis: Math.min(connectionWaitMs, statementTimeoutMs + responseGraceMs),
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    // sends statements without waiting for earlier responses; PostgreSQL still runs them one after the other
    pipeline: true,
    types: valueTypes,
  });
  pool.on('error', (error) => onFailure?.(error, 'idle connection'));
  // the pool handles errors of idle connections only: a connection that closes while it is handed out would end the process
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    // a connection that cannot tell is used without prepared statements
    allowPreparation(client).catch(() => undefined);
  });
  return pool;
}
