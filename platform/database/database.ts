/** A PostgreSQL connection pool for named, parameterized statements; translates connection errors to problems. */
import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import type { Sql } from 'sql-template-tag';
import { Problem } from '../../schema/errors.ts';
import { errorCode } from '../error-code.ts';

export { default as sql, empty, join, raw, type Sql } from 'sql-template-tag';

/** Runs statements: the pool or one transaction. */
export interface Queryable {
  /** Runs one statement, which starts with its name in a comment, and returns its rows. */
  query<Row extends object>(statement: Sql): Promise<Row[]>;
}

/** Statements of the pool run outside of transactions. Inside one they throw, because they would need a second connection. */
export interface Database extends Queryable {
  /** Runs `work` in one transaction: commits when it resolves, rolls back when it throws. */
  transaction<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result>;
  /** Throws while the database is unavailable. */
  ping(): Promise<void>;
  /** The pool, for LISTEN and COPY. */
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly url: string;
  /** The application_name in pg_stat_activity. */
  readonly name: string;
  readonly poolSize?: number;
  readonly lockTimeoutMs?: number;
  /** Statement timeout; default: 30,000 ms. */
  readonly statementTimeoutMs?: number;
  /** Time to wait for a response before the connection is closed; default: the operating system's limit. */
  readonly queryTimeoutMs?: number;
  /** Called with every statement before it runs: tests count them. */
  readonly onStatement?: (text: string) => void;
  readonly onIdleError?: (error: Error) => void;
  /** Called when PostgreSQL rejects a value that no validation rejected: the validation is incomplete. */
  readonly onDataError?: (error: unknown, statement: string) => void;
}

/** PostgreSQL's `2026-11-21 10:00:00.5+00` as `2026-11-21T10:00:00.500Z` (sessions run in UTC). */
function timestampText(text: string): string {
  const dot = text.indexOf('.');
  const milliseconds =
    dot === -1
      ? '000'
      : text
          .slice(dot + 1, text.indexOf('+', dot))
          .slice(0, 3)
          .padEnd(3, '0');
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${milliseconds}Z`;
}

// Timestamps are returned as RFC 3339 text and dates as text: a Date object would lose microseconds and cost twice as much.
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, timestampText);
types.setTypeParser(pg.types.builtins.DATE, (text) => text);
types.setTypeParser(pg.types.builtins.INT8, (text) => Number(text));
types.setTypeParser(pg.types.builtins.NUMERIC, (text) => Number(text));

/** SQLSTATE classes of an unavailable server, in contrast to an invalid statement. */
const unavailable = /^(08|57P|53|25006)/;
const connectionErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** True if the error means that the database is unavailable, not that the statement is wrong. */
export function isUnavailable(error: unknown): boolean {
  // socket errors may come from another realm, so `instanceof` is not reliable
  if (typeof error !== 'object' || error === null) return false;
  const code = errorCode(error) ?? '';
  const message = 'message' in error ? String(error.message) : '';
  return (
    unavailable.test(code) ||
    connectionErrors.has(code) ||
    (code === '55000' && message.includes('not currently accepting connections')) ||
    (code === '' &&
      /terminat|timeout exceeded when trying to connect|Connection ended|not queryable|Query read timeout/i.test(message))
  );
}

/** SQLSTATE of a text that does not match its type: only IDs reach SQL unchecked. */
const invalidText = '22P02';

/** SQLSTATE class 22: a value that PostgreSQL cannot store or compute with, such as a date in the year 0. */
const isDataError = (error: unknown): boolean => /^22[0-9A-Z]{3}$/.test(errorCode(error) ?? '');

/** SQLSTATE of a canceled statement: by statement_timeout or by an administrator. */
const canceled = '57014';

function translate(error: unknown): unknown {
  if (errorCode(error) === invalidText) return new Problem('parameter_invalid', 'Invalid ID: IDs are UUIDs.');
  if (isDataError(error))
    return new Problem('validation_failed', 'A date, time, number or text is outside the range that can be stored.');
  if (errorCode(error) === canceled)
    return new Problem('upstream_timeout', 'The database query timed out. Request less data, or try again.');
  return isUnavailable(error) ? new Problem('upstream_unavailable', 'The database is unavailable. Try again shortly.') : error;
}

/**
 * List queries return short pages; their cost is the number of rows they inspect. With a large effective_cache_size PostgreSQL underestimates
 * the cost of an ordered index scan and searches millions of rows for 21 matches. Parallel workers take longer to start than a page takes.
 */
const planning = ['-c effective_cache_size=32MB', '-c max_parallel_workers_per_gather=0'];

/**
 * Opens a pool; it connects on first use.
 * Queries throw Problem upstream_unavailable while PostgreSQL is unavailable, and upstream_timeout after the statement timeout.
 */
export function openDatabase(options: DatabaseOptions): Database {
  const settings = ['-c timezone=UTC', '-c datestyle=ISO', ...planning];
  if (options.lockTimeoutMs !== undefined) settings.push(`-c lock_timeout=${options.lockTimeoutMs}`);
  settings.push(`-c statement_timeout=${options.statementTimeoutMs ?? 30_000}`);
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: options.name,
    max: options.poolSize ?? 10,
    options: settings.join(' '),
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 60_000,
    keepAlive: true,
    query_timeout: options.queryTimeoutMs,
    // sends statements without waiting for earlier responses; PostgreSQL still runs them one after the other
    pipeline: true,
    types,
  });
  pool.on('error', (error) => options.onIdleError?.(error));
  // the pool handles errors of idle connections only: a connection that closes while it is handed out would end the process
  pool.on('connect', (client) => client.on('error', () => undefined));

  const run = async <Row extends object>(client: pg.Pool | pg.PoolClient, statement: Sql): Promise<Row[]> => {
    options.onStatement?.(statement.text);
    try {
      const result = await client.query<Row>(statement.text, statement.values);
      return result.rows;
    } catch (error) {
      if (isDataError(error)) options.onDataError?.(error, statement.text);
      throw translate(error);
    }
  };

  // Requesting a second connection inside a transaction can exhaust the pool: each holder waits for another one.
  const held = new AsyncLocalStorage<true>();
  const rejectSecondConnection = (statement: string): void => {
    if (held.getStore())
      throw new Error(`${statement} runs on the pool of ${options.name} inside a transaction: use the transaction`);
  };

  return {
    pool,
    async query(statement) {
      rejectSecondConnection(statement.text);
      return run(pool, statement);
    },
    async transaction(work) {
      rejectSecondConnection('A transaction');
      let client: pg.PoolClient;
      try {
        client = await pool.connect();
      } catch (error) {
        throw translate(error);
      }
      let broken: Error | undefined;
      const onError = (error: Error): void => {
        broken = error;
      };
      client.on('error', onError);
      try {
        const begun = client.query('begin');
        // reported by the first statement of `work`
        begun.catch(() => undefined);
        const result = await held.run(true, () => work({ query: (statement) => run(client, statement) }));
        await begun;
        await client.query('commit');
        return result;
      } catch (error) {
        await client.query('rollback').catch((rollbackError: unknown) => {
          broken = rollbackError instanceof Error ? rollbackError : new Error(String(rollbackError));
        });
        throw translate(error);
      } finally {
        client.off('error', onError);
        client.release(broken);
      }
    },
    async ping() {
      await pool.query('/* ping */ select');
    },
    close: () => pool.end(),
  };
}
