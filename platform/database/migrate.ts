/** Migrates a database to the schema of this version: forward-only SQL files, each applied once in one transaction. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { readMigrations, type MigrationFile } from './migration-files.ts';
import { grantRoles } from './roles.ts';
import type { Secrets } from '../security/secrets.ts';

/** A schema and the absolute paths of its migration folders, in order. */
export interface MigratedArea {
  readonly schema: string;
  readonly directories: readonly string[];
}

export interface MigrateOptions {
  /** The owner: a superuser, or a role with CREATEROLE that owns the database. Without roles it needs no CREATEROLE. */
  readonly ownerUrl: string;
  readonly areas: readonly MigratedArea[];
  /** For the passwords of the roles. Null: no roles are created, and only the owner has rights. */
  readonly secrets: Secrets | null;
  readonly log: Logger;
}

const lockKey = 7_105_114_100;
const grantAttempts = 20;

/**
 * Applies pending migrations and grants the roles their rights. Concurrent calls are safe: one runs, the others wait.
 * Migrations of a newer version are ignored.
 * @returns the names of the applied migrations, as `<schema> <folder>/<file>`
 * @throws Error when an applied file was edited, a new file precedes an applied one, or a file fails (it is rolled back)
 */
export async function migrate(options: MigrateOptions): Promise<{ applied: string[] }> {
  const client = new pg.Client({ connectionString: options.ownerUrl, application_name: 'migrate' });
  // a connection that is lost between statements would otherwise end the process; the next statement fails
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey]);
    await inTransaction(client, () => prepare(client));
    const applied: string[] = [];
    for (const area of options.areas) {
      const files = await pending(client, area);
      for (const file of files) {
        await apply(client, area.schema, file);
        options.log.debug({ schema: area.schema, migration: file.name }, 'migration applied');
        applied.push(`${area.schema} ${file.name}`);
      }
      if (files.length > 0) options.log.info({ schema: area.schema, migrations: files.length }, 'migrations applied');
    }
    const { secrets } = options;
    const schemas = options.areas.map((area) => area.schema);
    if (secrets !== null) await retryConcurrentGrants(() => inTransaction(client, () => grantRoles(client, schemas, secrets)));
    return { applied };
  } finally {
    // ends the session, which releases the lock
    await client.end();
  }
}

/** Prerequisites of all areas: extensions, `platform.fold`, the migration table, and no rights for public. */
async function prepare(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>('select quote_ident(current_database()) as name');
  const database = rows[0]?.name ?? '';
  await client.query(`
    create schema if not exists platform;
    revoke all on schema public from public;
    revoke all on database ${database} from public;
    grant connect on database ${database} to public;
    alter default privileges revoke execute on functions from public;
    create table if not exists platform.migration (
      schema text not null,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default now(),
      primary key (schema, name)
    )`);
  for (const extension of ['pg_trgm', 'unaccent', 'btree_gist', 'cube']) {
    await client.query(
      `create extension if not exists ${extension} schema platform; alter extension ${extension} set schema platform`,
    );
  }
  // immutable, as indexes require: the dictionary is explicit and the collation does not depend on the database
  await client.query(`
    create or replace function platform.fold(text) returns text language sql immutable strict parallel safe
    return lower(platform.unaccent('platform.unaccent'::regdictionary, normalize($1, nfc)) collate "und-x-icu")`);
}

async function pending(client: pg.Client, area: MigratedArea): Promise<MigrationFile[]> {
  await client.query(`create schema if not exists ${pg.escapeIdentifier(area.schema)}`);
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from platform.migration where schema = $1',
    [area.schema],
  );
  const ran = new Map(rows.map((row) => [row.name, row.checksum]));
  const files = await readMigrations(area.directories);
  for (const file of files) {
    const checksum = ran.get(file.name);
    if (checksum !== undefined && checksum !== file.checksum) {
      throw new Error(
        `${file.path} was edited after it was applied to ${area.schema}. Restore it and add the change as a new file with the next number.`,
      );
    }
    const later = checksum === undefined ? laterOf(file, ran) : undefined;
    if (later !== undefined)
      throw new Error(`${file.path} precedes ${later}, which is already applied. Give it the next free number.`);
  }
  return files.filter((file) => !ran.has(file.name));
}

function laterOf(file: MigrationFile, ran: ReadonlyMap<string, string>): string | undefined {
  const folder = file.name.slice(0, file.name.indexOf('/') + 1);
  return [...ran.keys()].find((name) => name.startsWith(folder) && name > file.name);
}

async function apply(client: pg.Client, schema: string, file: MigrationFile): Promise<void> {
  try {
    await inTransaction(client, async () => {
      await client.query(`set local search_path = ${pg.escapeIdentifier(schema)}, platform`);
      await client.query(file.text);
      await rejectUnsafeDefiners(client, schema);
      await client.query('insert into platform.migration (schema, name, checksum) values ($1, $2, $3)', [
        schema,
        file.name,
        file.checksum,
      ]);
    });
  } catch (error) {
    throw new Error(`${file.path} failed on ${schema} and was rolled back. ${errorText(error, file.text)}`, { cause: error });
  }
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

/** Roles belong to the server, but the lock belongs to the database: retries while a migration of another database changes the same roles. */
async function retryConcurrentGrants(grant: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await grant();
    } catch (error) {
      if (attempt === grantAttempts || !isConcurrentChange(error)) throw error;
      await sleep(Math.random() * 20 * attempt);
    }
  }
}

/** A catalog row that another transaction changed (PostgreSQL has no code for it), or a role that another transaction just created. */
function isConcurrentChange(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  return (
    error.message.startsWith('tuple concurrently') || error.code === '42710' || error.constraint === 'pg_authid_rolname_index'
  );
}

async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin');
  try {
    await work();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

function errorText(error: unknown, text: string): string {
  const message = error instanceof Error ? error.message : String(error);
  const position = typeof error === 'object' && error !== null && 'position' in error ? Number(error.position) : NaN;
  return Number.isNaN(position) ? message : `Line ${text.slice(0, position).split('\n').length}: ${message}`;
}
