/** Brings a database to the schema of this version: forward-only SQL, each file once, in one transaction. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { readMigrations, type MigrationFile } from './migration-files.ts';
import { grantRoles } from './roles.ts';
import type { Secrets } from '../security/secrets.ts';

/** A schema and the absolute paths of the folders whose files make it, in order. */
export interface MigratedArea {
  readonly schema: string;
  readonly directories: readonly string[];
}

export interface MigrateOptions {
  /** The owner: a superuser, or a role with CREATEROLE that owns the database. */
  readonly ownerUrl: string;
  readonly areas: readonly MigratedArea[];
  readonly secrets: Secrets;
  readonly log: Logger;
}

const lockKey = 7_105_114_100;
const grantAttempts = 20;

/**
 * Applies what is missing and gives every role its rights. Any number of processes may call it at once: one works, the others wait.
 * Files that this version does not know (a newer version ran) are left alone.
 * @returns the names of the files that were applied, as `<schema> <room>/<file>`.
 * @throws Error when a file that ran was edited, comes before one that ran, or fails (nothing of it stays).
 */
export async function migrate(options: MigrateOptions): Promise<{ applied: string[] }> {
  const client = new pg.Client({ connectionString: options.ownerUrl, application_name: 'migrate' });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey]);
    await inTransaction(client, () => prepare(client));
    const applied: string[] = [];
    for (const area of options.areas) {
      for (const file of await pending(client, area)) {
        await apply(client, area.schema, file);
        options.log.info({ schema: area.schema, migration: file.name }, 'migrated');
        applied.push(`${area.schema} ${file.name}`);
      }
    }
    const schemas = options.areas.map((area) => area.schema);
    await whileOthersGrant(() => inTransaction(client, () => grantRoles(client, schemas, options.secrets)));
    return { applied };
  } finally {
    // ends the session, and with it the lock
    await client.end();
  }
}

/** What every area relies on: the extensions, `platform.fold`, the record of migrations, and a public that may do nothing. */
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
  for (const extension of ['pg_trgm', 'unaccent', 'btree_gist']) {
    await client.query(
      `create extension if not exists ${extension} schema platform; alter extension ${extension} set schema platform`,
    );
  }
  // immutable, as indexes need it: the dictionary is named, and the collation is not the database's
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
        `${file.path} was edited after it ran on ${area.schema}. Restore it, and put the change into a new file with the next number.`,
      );
    }
    const later = checksum === undefined ? laterOf(file, ran) : undefined;
    if (later !== undefined)
      throw new Error(`${file.path} comes before ${later}, which ran already: give it the next free number.`);
  }
  return files.filter((file) => !ran.has(file.name));
}

function laterOf(file: MigrationFile, ran: ReadonlyMap<string, string>): string | undefined {
  const room = file.name.slice(0, file.name.indexOf('/') + 1);
  return [...ran.keys()].find((name) => name.startsWith(room) && name > file.name);
}

async function apply(client: pg.Client, schema: string, file: MigrationFile): Promise<void> {
  try {
    await inTransaction(client, async () => {
      await client.query(`set local search_path = ${pg.escapeIdentifier(schema)}, platform`);
      await client.query(file.text);
      await refuseOpenDefiners(client, schema);
      await client.query('insert into platform.migration (schema, name, checksum) values ($1, $2, $3)', [
        schema,
        file.name,
        file.checksum,
      ]);
    });
  } catch (fault) {
    throw new Error(`${file.path} failed on ${schema}; nothing of it stays. ${errorText(fault, file.text)}`, { cause: fault });
  }
}

/** A security definer function without a search_path of its own runs its caller's objects with its owner's rights. */
async function refuseOpenDefiners(client: pg.Client, schema: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select oid::regprocedure::text as name from pg_proc where pronamespace = $1::regnamespace and prosecdef
       and not exists (select from unnest(proconfig) setting where setting like 'search\\_path=%')`,
    [pg.escapeIdentifier(schema)],
  );
  if (rows.length > 0)
    throw new Error(
      `Security definer without search_path: ${rows.map((row) => row.name).join(', ')}. Add: set search_path = ${schema}, pg_temp`,
    );
}

/** Roles are the server's and our lock is the database's: who starts on another database writes the same rows, and one of us is refused. */
async function whileOthersGrant(grant: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await grant();
    } catch (fault) {
      if (attempt === grantAttempts || !isByAnother(fault)) throw fault;
      await sleep(Math.random() * 20 * attempt);
    }
  }
}

/** A row of the catalog that another transaction changed (it has no code of its own), or a role that another has just created. */
function isByAnother(fault: unknown): boolean {
  if (!(fault instanceof pg.DatabaseError)) return false;
  return (
    fault.message.startsWith('tuple concurrently') || fault.code === '42710' || fault.constraint === 'pg_authid_rolname_index'
  );
}

async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin');
  try {
    await work();
    await client.query('commit');
  } catch (fault) {
    await client.query('rollback').catch(() => undefined);
    throw fault;
  }
}

function errorText(fault: unknown, text: string): string {
  const message = fault instanceof Error ? fault.message : String(fault);
  const position = typeof fault === 'object' && fault !== null && 'position' in fault ? Number(fault.position) : NaN;
  return Number.isNaN(position) ? message : `Line ${text.slice(0, position).split('\n').length}: ${message}`;
}
