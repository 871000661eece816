/** Applies one migration file: in a transaction with a limit for locks, or statement by statement while the platform runs (`-- online`). */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { hasErrorCode } from '../error-code.ts';
import { onlineStatements, type MigrationFile } from './migration-files.ts';

/**
 * While a statement waits for a lock of a table, all later statements on the table wait too. So it gives up early, lets them pass, and tries
 * again.
 */
const lockTimeoutMs = 3_000;
const lockAttempts = 10;
/** SQLSTATE lock_not_available. */
const lockTimeout = '55P03';

/** @throws Error that names the file and the line; a file without `-- online` was rolled back */
export async function applyMigration(client: pg.Client, schema: string, file: MigrationFile, log: Logger): Promise<void> {
  const statements = onlineStatements(file);
  try {
    if (statements === null) await retryLocked(log, file.name, () => applyInTransaction(client, schema, file));
    else await applyOnline(client, schema, file, statements);
  } catch (error) {
    const outcome =
      statements === null ? 'was rolled back' : 'is incomplete: run the migrations again, and they continue with this file';
    throw new Error(`${file.path} failed on ${schema} and ${outcome}. ${errorText(error, file.text)}`, { cause: error });
  }
}

/** Repeats the work, which is rolled back, while a table is locked. @throws its error after ten attempts */
export async function retryLocked<Result>(log: Logger, step: string, work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === lockAttempts || !hasErrorCode(error, lockTimeout)) throw error;
      log.warn({ step, attempt }, 'migration waits for a lock');
      await sleep(500 + Math.random() * 500);
    }
  }
}

/** Runs the work in a transaction whose statements wait at most three seconds for a lock. */
export async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query(`begin; set local lock_timeout = ${lockTimeoutMs}`);
  try {
    await work();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

const applyInTransaction = (client: pg.Client, schema: string, file: MigrationFile): Promise<void> =>
  inTransaction(client, async () => {
    await client.query(`set local search_path = ${pg.escapeIdentifier(schema)}, platform`);
    await client.query(file.text);
    await rejectUnsafeDefiners(client, schema);
    await store(client, schema, file);
  });

/** The statements block no reads and writes, so they may wait. Those of an interrupted run are repeated, and change nothing. */
async function applyOnline(
  client: pg.Client,
  schema: string,
  file: MigrationFile,
  statements: readonly { readonly text: string; readonly index: string | null }[],
): Promise<void> {
  await client.query(`set search_path = ${pg.escapeIdentifier(schema)}, platform`);
  try {
    for (const { text, index } of statements) {
      if (index !== null) await dropInvalid(client, schema, index);
      await client.query(text);
    }
    await store(client, schema, file);
  } finally {
    await client.query('reset search_path').catch(() => undefined);
  }
}

/** An interrupted CREATE INDEX CONCURRENTLY leaves an index that is maintained but not used. */
async function dropInvalid(client: pg.Client, schema: string, index: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select indexrelid::regclass::text as name from pg_index join pg_class c on c.oid = indexrelid
     where c.relname = $1 and c.relnamespace = $2::regnamespace and not indisvalid`,
    [index, pg.escapeIdentifier(schema)],
  );
  for (const { name } of rows) await client.query(`drop index concurrently ${name}`);
}

async function store(client: pg.Client, schema: string, file: MigrationFile): Promise<void> {
  await client.query('insert into platform.migration (schema, name, checksum) values ($1, $2, $3)', [
    schema,
    file.name,
    file.checksum,
  ]);
}

/** A security definer function without its own search_path would run the caller's objects with its owner's rights. */
async function rejectUnsafeDefiners(client: pg.Client, schema: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select oid::regprocedure::text as name from pg_proc where pronamespace = $1::regnamespace and prosecdef
       and not exists (select from unnest(proconfig) setting where setting like 'search\\_path=%')`,
    [pg.escapeIdentifier(schema)],
  );
  if (rows.length > 0)
    throw new Error(
      `Security definer function without search_path: ${rows.map((row) => row.name).join(', ')}. Add: set search_path = ${schema}, pg_temp`,
    );
}

function errorText(error: unknown, text: string): string {
  const message = error instanceof Error ? error.message : String(error);
  if (hasErrorCode(error, lockTimeout))
    return `A table was locked ${lockAttempts} times for ${lockTimeoutMs / 1000} s. End the long transaction that uses it (pg_stat_activity), and run the migrations again.`;
  const position = typeof error === 'object' && error !== null && 'position' in error ? Number(error.position) : NaN;
  return Number.isNaN(position) ? message : `Line ${text.slice(0, position).split('\n').length}: ${message}`;
}
