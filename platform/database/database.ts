/** A PostgreSQL connection pool for named, parameterized statements, each with a deadline; translates connection errors to problems. */
import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import sql, { type Sql } from 'sql-template-tag';
import { withinDeadline } from '../deadline.ts';
import { recordConnectionWait } from '../telemetry/metrics.ts';
import { sendCancelRequest } from './cancel-request.ts';
import {
  isDataError,
  isReadTimeout,
  isUnavailable,
  readTimeout,
  requestEnded,
  translate,
  translateCommit,
} from './database-error.ts';
import { createJsonRows } from './json-rows.ts';
import { noteDatabaseError, observeStatement } from './observed-statement.ts';
import { openPool, responseGraceMs } from './pool.ts';
import { observePool } from './pool-metrics.ts';
import { createPreparedStatements, isFull } from './prepared-statements.ts';
import { statementScope } from './statement-scope.ts';

export { default as sql, empty, join, raw, type Sql } from 'sql-template-tag';

/** ROWS are decoded one by one, a PAGE at once (json-rows.ts). */
export type ResultSize = 'ROWS' | 'PAGE';

/** Runs statements: the pool or one transaction. */
export interface Queryable {
  /**
   * Runs one statement, which starts with its name in a comment, and returns its rows. PAGE is for a select of several rows with many
   * columns: PostgreSQL returns them as one JSON text. The rows are the same.
   */
  query<Row extends object>(statement: Sql, size?: ResultSize): Promise<Row[]>;
}

export interface TransactionOptions {
  /** Limit of each statement, instead of the pool's `transactionStatementTimeoutMs`. */
  readonly statementTimeoutMs?: number;
}

/** Statements of the pool run outside of transactions. Inside one they throw, because they would need a second connection. */
export interface Database extends Queryable {
  /**
   * Runs `work` in one transaction: commits when it resolves, rolls back when it throws. Throws Problem upstream_timeout when PostgreSQL does
   * not confirm the commit: the transaction may have been committed.
   */
  transaction<Result>(work: (transaction: Queryable) => Promise<Result>, options?: TransactionOptions): Promise<Result>;
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
  /** Schemas of names without one; default: those of the role. */
  readonly searchPath?: string;
  readonly poolSize?: number;
  /**
   * Time after which PostgreSQL cancels a statement; default: 30,000 ms. Without a response 500 ms later, its connection is closed. Outside of
   * transactions, both times include the wait for a connection.
   */
  readonly statementTimeoutMs?: number;
  /** The same for each statement of a transaction; default: statementTimeoutMs. */
  readonly transactionStatementTimeoutMs?: number;
  /** The later time at which PostgreSQL cancels a statement without a request, such as that of the role; default: statementTimeoutMs. */
  readonly serverTimeoutMs?: number;
  /** Called with every statement before it runs: tests count them. */
  readonly onStatement?: (text: string) => void;
  /** Called with the cause of each Problem that hides it from the caller; see failure-log.ts. */
  readonly onFailure?: (error: unknown, statement: string) => void;
}

/** Least time for a statement that waited long for its connection. */
const leastStatementMs = 500;
/** A connection in use. A discarded one is closed instead of returned to the pool. */
interface Session {
  readonly client: pg.PoolClient;
  /** Time that the caller waited for the connection. */
  readonly waitedMs: number;
  isDiscarded: boolean;
}

/** The time in which a statement must be answered. Short waits do not count, so that most statements share one timer list. */
function limitOf({ waitedMs }: Session, statementTimeoutMs: number): number {
  const limitMs = statementTimeoutMs + responseGraceMs;
  return waitedMs < 100 ? limitMs : Math.max(leastStatementMs, Math.round(limitMs - waitedMs));
}

/** Throws Problem upstream_timeout when the request of the current statements has ended. */
function rejectAfterEnd(): void {
  if (statementScope()?.signal.aborted === true) throw requestEnded();
}

/**
 * Opens a pool; it connects on first use. Queries throw Problem upstream_unavailable while PostgreSQL is unavailable, and upstream_timeout after
 * the statement timeout or when the request of the statement ends (statement-scope.ts).
 */
export function openDatabase(options: DatabaseOptions): Database {
  const statementTimeoutMs = options.statementTimeoutMs ?? 30_000;
  const transactionTimeoutMs = options.transactionStatementTimeoutMs ?? statementTimeoutMs;
  const pool = openPool(options, statementTimeoutMs);
  const unobserve = observePool(options.name, pool);
  const server = new pg.Client({ connectionString: options.url });

  async function openSession(): Promise<Session> {
    const startMs = performance.now();
    try {
      const client = await pool.connect();
      const waitedMs = performance.now() - startMs;
      recordConnectionWait({ db_client_connection_pool_name: options.name }, waitedMs);
      return { client, waitedMs, isDiscarded: false };
    } catch (error) {
      options.onFailure?.(error, 'connect');
      noteDatabaseError(error, error, 'connect');
      throw translate(error);
    }
  }

  const release = ({ client, isDiscarded }: Session): void => client.release(isDiscarded || isFull(client));

  /** Sends a statement. A connection without a response in time is closed, and its statement canceled. */
  async function send<Row extends object>(
    session: Session,
    query: pg.QueryConfig | string,
    limitMs: number,
  ): Promise<pg.QueryResult<Row>> {
    try {
      return await withinDeadline(session.client.query<Row>(query), limitMs, readTimeout);
    } catch (error) {
      if (isUnavailable(error)) session.isDiscarded = true;
      if (isReadTimeout(error)) sendCancelRequest(server, session.client);
      throw error;
    }
  }

  const prepare = createPreparedStatements();
  const readJsonRows = createJsonRows();

  async function run<Row extends object>(
    session: Session,
    { text, values }: Sql,
    size: ResultSize | undefined,
    limitMs: number,
  ): Promise<Row[]> {
    const scope = statementScope();
    rejectAfterEnd();
    options.onStatement?.(text);
    const cancel = (): void => {
      // the request may arrive after the end of the statement, and would cancel the next one
      session.isDiscarded = true;
      sendCancelRequest(server, session.client);
    };
    scope?.running.add(cancel);
    try {
      return await observeStatement(options.name, text, async () => {
        const execute = (sent: string): Promise<pg.QueryResult<Row>> =>
          send(session, prepare(session.client, sent, values), limitMs);
        if (size !== 'PAGE') return (await execute(text)).rows;
        // Cast: the caller states the type of the rows that its statement selects.
        return (await readJsonRows(text, execute)) as Row[];
      });
    } catch (error) {
      rejectAfterEnd();
      if (isDataError(error) || isUnavailable(error)) options.onFailure?.(error, text);
      const translated = translate(error);
      noteDatabaseError(error, translated, text);
      throw translated;
    } finally {
      scope?.running.delete(cancel);
    }
  }

  // Requesting a second connection inside a transaction can exhaust the pool: each holder waits for another one.
  const held = new AsyncLocalStorage<true>();
  const rejectSecondConnection = (statement: string): void => {
    if (held.getStore())
      throw new Error(`${statement} runs on the pool of ${options.name} inside a transaction: use the transaction`);
  };

  async function query<Row extends object>(statement: Sql, size?: ResultSize): Promise<Row[]> {
    rejectSecondConnection(statement.text);
    const session = await openSession();
    try {
      return await run<Row>(session, statement, size, limitOf(session, statementTimeoutMs));
    } finally {
      release(session);
    }
  }

  /** Rolls back after a failure; a connection that does not answer is closed, which rolls back as well. */
  async function rollBack(session: Session, limitMs: number): Promise<void> {
    if (session.isDiscarded) return;
    await send(session, 'rollback', limitMs).catch(() => {
      session.isDiscarded = true;
    });
  }

  async function commit(session: Session, limitMs: number): Promise<void> {
    rejectAfterEnd();
    const { command } = await send(session, 'commit', limitMs).catch((error: unknown) => {
      throw translateCommit(error);
    });
    // PostgreSQL answers a commit after a failed statement with ROLLBACK, not with an error
    if (command !== 'COMMIT') throw new Error('The transaction was rolled back: the error of a statement was not propagated.');
  }

  return {
    pool,
    query,
    async transaction(work, { statementTimeoutMs: timeoutMs = transactionTimeoutMs } = {}) {
      rejectSecondConnection('A transaction');
      const session = await openSession();
      const limitMs = timeoutMs + responseGraceMs;
      const begin = timeoutMs === statementTimeoutMs ? 'begin' : `begin; set local statement_timeout = ${timeoutMs}`;
      try {
        const begun = send(session, begin, limitOf(session, timeoutMs));
        // reported by the first statement of `work`
        begun.catch(() => undefined);
        const result = await held.run(true, () => work({ query: (statement, size) => run(session, statement, size, limitMs) }));
        await begun;
        await commit(session, limitMs);
        return result;
      } catch (error) {
        await rollBack(session, limitMs);
        throw translate(error);
      } finally {
        release(session);
      }
    },
    async ping() {
      await query(sql`/* ping */ select`);
    },
    close() {
      unobserve();
      return pool.end();
    },
  };
}
