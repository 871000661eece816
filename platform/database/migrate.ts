/** Migrates a database to the schema of this version: forward-only SQL files, each applied once. */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import type { Secrets } from '../security/secrets.ts';
import { applyMigration, inTransaction, retryLocked } from './apply-migration.ts';
import { readMigrations, type MigrationFile } from './migration-files.ts';
import { prepare, requireOwnership, requireVersion } from './migration-prerequisites.ts';
import { grantRoles } from './roles.ts';
import { requireSameSecret, storeSecretFacts } from './secret-fingerprint.ts';

/** A schema and the absolute paths of its migration folders, in order. */
export interface MigratedArea {
  readonly schema: string;
  readonly directories: readonly string[];
}

export interface MigrateOptions {
  /** A direct connection, not through a pooler, as the owner: a superuser, or a role with CREATEROLE that owns the database. Without roles it needs no CREATEROLE. */
  readonly ownerUrl: string;
  readonly areas: readonly MigratedArea[];
  /** For the passwords of the roles. Null: no roles are created, and only the owner has rights. */
  readonly secrets: Secrets | null;
  /** Whether `secrets` may differ from those of the last migration, whose keys become invalid. Default: false. */
  readonly acceptsNewSecret?: boolean;
  readonly log: Logger;
}

const lockKey = 7_105_114_100;
const lockPollMs = 200;
const grantAttempts = 20;

/**
 * Applies pending migrations and grants the roles their rights. Concurrent calls are safe: one runs, the others wait.
 * Migrations of a newer version are ignored. Nothing is changed when the server is too old, the secret is another one, or another role owns
 * the objects.
 * @returns the names of the applied migrations, as `<schema> <folder>/<file>`
 * @throws Error when an applied file was edited, a new file precedes an applied one, or a file fails (it is rolled back)
 */
export async function migrate(options: MigrateOptions): Promise<{ applied: string[] }> {
  const client = new pg.Client({ connectionString: options.ownerUrl, application_name: 'migrate' });
  // a connection that is lost between statements would otherwise end the process; the next statement fails
  client.on('error', () => undefined);
  await client.connect();
  try {
    const schemas = options.areas.map((area) => area.schema);
    const { secrets, log } = options;
    await requireVersion(client);
    await acquireLock(client);
    if (secrets !== null && options.acceptsNewSecret !== true) await requireSameSecret(client, secrets);
    await requireOwnership(client, schemas);
    await retryLocked(log, 'prepare', () => inTransaction(client, () => prepare(client)));
    const applied: string[] = [];
    for (const area of options.areas) {
      const files = await pending(client, area);
      for (const file of files) {
        await applyMigration(client, area.schema, file, log);
        log.debug({ schema: area.schema, migration: file.name }, 'migration applied');
        applied.push(`${area.schema} ${file.name}`);
      }
      if (files.length > 0) log.info({ schema: area.schema, migrations: files.length }, 'migrations applied');
    }
    if (secrets !== null) {
      const grant = async (): Promise<void> => {
        await grantRoles(client, schemas, secrets);
        await storeSecretFacts(client, secrets);
      };
      await retryLocked(log, 'roles', () => retryConcurrentGrants(() => inTransaction(client, grant)));
    }
    return { applied };
  } finally {
    // ends the session, which releases the lock
    await client.end();
  }
}

/** Polls: a statement that waits holds a snapshot, for which CREATE INDEX CONCURRENTLY of the process with the lock would wait forever. */
async function acquireLock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ acquired: boolean }>('select pg_try_advisory_lock($1) as acquired', [lockKey]);
    if (rows[0]?.acquired === true) return;
    await sleep(lockPollMs);
  }
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
