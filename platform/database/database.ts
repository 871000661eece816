/** A pool of PostgreSQL connections that speaks in named, parameterized statements, and translates connection faults. */
import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import type { Sql } from 'sql-template-tag';
import { Problem } from '../../schema/errors.ts';

export { default as sql, empty, join, raw, type Sql } from 'sql-template-tag';

/** Anything that runs statements: the pool itself or one transaction. */
export interface Queryable {
  /** Runs one statement, which begins with its name in a comment, and returns its rows. */
  query<Row extends object>(statement: Sql): Promise<Row[]>;
}

/** Its statements run outside of transactions: inside one they throw, because they would need a second connection while the first is held. */
export interface Database extends Queryable {
  /** Runs work in one transaction: commits when it resolves, rolls back when it throws. */
  transaction<Result>(work: (transaction: Queryable) => Promise<Result>): Promise<Result>;
  /** Throws while the database is away. */
  ping(): Promise<void>;
  /** The pool, for LISTEN and COPY. */
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly url: string;
  /** Shown in pg_stat_activity. */
  readonly name: string;
  readonly poolSize?: number;
  readonly lockTimeoutMs?: number;
  /** Time a statement may take; default 30,000 ms. */
  readonly statementTimeoutMs?: number;
  /** A connection that answers nothing for so long is given up; absent: as long as the operating system has patience. */
  readonly queryTimeoutMs?: number;
  /** Told of every statement before it runs: tests count them. */
  readonly onStatement?: (text: string) => void;
  readonly onIdleError?: (error: Error) => void;
  /** Told of every value that no check refused and PostgreSQL did: a check is missing where it came from. */
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

// Timestamps leave PostgreSQL as RFC 3339 text and dates as text: a Date object would lose microseconds and cost twice.
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, timestampText);
types.setTypeParser(pg.types.builtins.DATE, (text) => text);
types.setTypeParser(pg.types.builtins.INT8, (text) => Number(text));
types.setTypeParser(pg.types.builtins.NUMERIC, (text) => Number(text));

/** SQLSTATE classes that mean "PostgreSQL is not there or going away", not "this statement is wrong". */
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

const sqlState = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : '';

/** True when the fault is the database's absence, not the statement's. */
export function isUnavailable(error: unknown): boolean {
  // errors of sockets may be of another realm than ours, so their class says nothing
  if (typeof error !== 'object' || error === null) return false;
  const code = sqlState(error);
  const message = 'message' in error ? String(error.message) : '';
  return (
    unavailable.test(code) ||
    connectionErrors.has(code) ||
    (code === '55000' && message.includes('not currently accepting connections')) ||
    (code === '' &&
      /terminat|timeout exceeded when trying to connect|Connection ended|not queryable|Query read timeout/i.test(message))
  );
}

/** SQLSTATE of a text that is none of its type: the only texts that reach SQL unchecked are ids. */
const invalidText = '22P02';

/** True for class 22 of SQLSTATE: a value that PostgreSQL cannot hold or compute with, such as a day of the year 0. */
const isDataError = (error: unknown): boolean => /^22[0-9A-Z]{3}$/.test(sqlState(error));

/** SQLSTATE of a statement that was ended: by statement_timeout, or by whoever runs the database. */
const canceled = '57014';

function translate(error: unknown): unknown {
  if (sqlState(error) === invalidText) return new Problem('parameter_invalid', 'An id is not one of ours: ids are UUIDs.');
  if (isDataError(error))
    return new Problem('validation_failed', 'A value is outside of what can be stored: look at days, times, numbers and texts.');
  if (sqlState(error) === canceled)
    return new Problem('upstream_timeout', 'The database took too long. Ask for less, or try again.');
  return isUnavailable(error) ? new Problem('upstream_unavailable', 'The database is not available. Try again shortly.') : error;
}

/**
 * Pages of lists are short, and what they cost is how many rows are looked at, cached or not. Told of a large cache, PostgreSQL takes a walk
 * along an order for cheap, and looks for 21 rows that few pass through a million; workers take longer to start than a page takes.
 */
const planning = ['-c effective_cache_size=32MB', '-c max_parallel_workers_per_gather=0'];

/** Opens a pool; connecting happens at first use. Throws Problem upstream_unavailable from queries while PostgreSQL is away, upstream_timeout from those that take too long. */
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
    // statements that do not wait for one another's answers travel together; PostgreSQL runs them one after the other all the same
    pipeline: true,
    types,
  });
  pool.on('error', (error) => options.onIdleError?.(error));
  // the pool listens to idle connections only: one that ends just when it is handed out would end the process
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

  // Work that holds a connection and waits for another starves the pool as soon as there are as many of it as connections.
  const held = new AsyncLocalStorage<true>();
  const refuseSecond = (what: string): void => {
    if (held.getStore())
      throw new Error(`${what} on the pool of ${options.name} inside a transaction of it: pass the transaction`);
  };

  return {
    pool,
    async query(statement) {
      refuseSecond(statement.text);
      return run(pool, statement);
    },
    async transaction(work) {
      refuseSecond('A transaction');
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
        // told by the first statement of the work
        begun.catch(() => undefined);
        const result = await held.run(true, () => work({ query: (statement) => run(client, statement) }));
        await begun;
        await client.query('commit');
        return result;
      } catch (error) {
        await client.query('rollback').catch((fault: unknown) => {
          broken = fault instanceof Error ? fault : new Error(String(fault));
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
