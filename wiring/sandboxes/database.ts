/** The database of a sandbox: created on first use, and migrated like that of the platform. */
import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Logger } from 'pino';
import { readMigrations } from '../../platform/database/migration-files.ts';
import { migrate } from '../../platform/database/migrate.ts';
import { Problem } from '../../schema/errors.ts';
import { keyScopes } from '../../schema/scopes.ts';
import { migratedAreas } from '../../subgraphs/runtime/migrations.ts';

export interface SandboxDatabaseOptions {
  /** URL of the platform's database with the role that owns the sandboxes. */
  readonly ownerUrl: string;
  readonly log: Logger;
  /** A migrated database of which new sandboxes are copies; default: one per version of the schema, created on first use. */
  readonly template?: string | undefined;
  /** Maximum number of sandboxes; default: 1,000. An empty one has 24 MB. */
  readonly databasesMax?: number | undefined;
}

/** Webhook endpoints of an account in test mode, with every plan. */
const webhookEndpointsMax = 10;

/** Longest name of a database in PostgreSQL. */
const nameMaxBytes = 63;

const connectMs = 5_000;

const databasesMaxDefault = 1_000;

/** The URL of the database of an account's sandbox, as the owner. Throws Error when the name of the platform's database is too long. */
export function sandboxUrl(ownerUrl: string, accountId: string): URL {
  const name = prefixOf(ownerUrl) + accountId.replaceAll('-', '');
  if (Buffer.byteLength(name) > nameMaxBytes)
    throw new Error('The name of the database is too long for test mode: it has more than 25 bytes.');
  return urlOf(ownerUrl, name);
}

const databaseOf = (url: URL): string => decodeURIComponent(url.pathname.slice(1));

/** The beginning of the names of all sandboxes and templates of a platform. */
export const prefixOf = (ownerUrl: string): string => `${databaseOf(new URL(ownerUrl))}_test_`;

export function urlOf(ownerUrl: string, name: string): URL {
  const url = new URL(ownerUrl);
  url.pathname = `/${encodeURIComponent(name)}`;
  return url;
}

export const quoted = (url: URL): string => pg.escapeIdentifier(databaseOf(url));

export async function asOwner<Result>(ownerUrl: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'sandbox', connectionTimeoutMillis: connectMs });
  // a connection that is lost between statements would otherwise end the process; the next statement fails
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    // ends the session, which releases its locks
    await client.end();
  }
}

/** Several processes may open a sandbox at the same time. CREATE DATABASE and DROP DATABASE run outside of transactions. */
export const locked = (ownerUrl: string, url: URL, work: (client: pg.Client) => Promise<void>): Promise<void> =>
  asOwner(ownerUrl, async (client) => {
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [url.pathname]);
    await work(client);
  });

/**
 * What webhooks read of an account: that it is active, how many endpoints it may have, and the scopes of a valid key. The key is never admitted:
 * routers read keys from the database of the platform.
 */
const seed = (url: URL, accountId: string, unusedImages: readonly string[]): Promise<void> =>
  asOwner(url.href, async (client) => {
    await client.query('set search_path to accounts, platform');
    await client.query(`insert into account (id, name) values ($1, 'Test data') on conflict (id) do nothing`, [accountId]);
    await client.query(
      `update plan set webhooks = ${webhookEndpointsMax} where code = 'free' and webhooks <> ${webhookEndpointsMax}`,
    );
    await client.query(
      `insert into api_key (public_id, name, account_id, plan_code, plan_version, scopes, hash, pepper_version, created_by)
       select 'sp_live_000000000000', 'sandbox', $1, code, version, $2, sha256(uuid_send(gen_random_uuid())), 1, 'system'
       from plan where code = 'free' order by version desc limit 1
       on conflict (public_id) do update set scopes = excluded.scopes`,
      [accountId, keyScopes],
    );
    await client.query(
      `insert into athletes.unused_image (id, remove_at) select unnest($1::text[]), now() on conflict (id) do nothing`,
      [unusedImages],
    );
  });

const exists = async (client: pg.Client, name: string): Promise<boolean> =>
  (await client.query('select from pg_database where datname = $1', [name])).rowCount === 1;

/** Roles have no rights: all areas of a sandbox connect as its owner. */
const migrated = ({ href }: URL, { log }: SandboxDatabaseOptions) =>
  migrate({ ownerUrl: href, areas: migratedAreas, secrets: null, log });

/** The name of the template of this version. Creates it first if needed: a copy takes a tenth of the time of the migrations. */
async function template(client: pg.Client, options: SandboxDatabaseOptions): Promise<string> {
  if (options.template !== undefined) return options.template;
  const files = await Promise.all(migratedAreas.map(({ directories }) => readMigrations(directories)));
  const checksums = files.flat().map(({ checksum }) => checksum);
  const version = createHash('sha256').update(checksums.join()).digest('hex').slice(0, 12);
  const name = prefixOf(options.ownerUrl) + version;
  await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [name]);
  if (await exists(client, name)) return name;
  // renamed when it is complete
  const unfinished = urlOf(options.ownerUrl, `${name}_new`);
  await client.query(`drop database if exists ${quoted(unfinished)} with (force)`);
  await client.query(`create database ${quoted(unfinished)}`);
  await migrated(unfinished, options);
  await client.query(`alter database ${quoted(unfinished)} rename to ${pg.escapeIdentifier(name)}`);
  await client.query(`comment on database ${pg.escapeIdentifier(name)} is '${new Date().toISOString()}'`);
  return name;
}

/** Throws Problem overloaded when the platform has the maximum number of sandboxes. */
async function requireCapacity(client: pg.Client, options: SandboxDatabaseOptions): Promise<void> {
  const { ownerUrl, log, databasesMax = databasesMaxDefault } = options;
  const { rows } = await client.query(`select from pg_database where starts_with(datname, $1) and datname ~ '_[0-9a-f]{32}$'`, [
    prefixOf(ownerUrl),
  ]);
  if (rows.length < databasesMax) return;
  log.error({ databasesMax }, 'maximum number of sandboxes reached');
  throw new Problem('overloaded', 'Too many accounts have test data. Retry the request later.');
}

/** Throws Problem overloaded for an account without a sandbox when the platform has the maximum number of them. */
export const requireSandboxCapacity = (accountId: string, options: SandboxDatabaseOptions): Promise<void> =>
  asOwner(options.ownerUrl, async (client) => {
    if (!(await exists(client, databaseOf(sandboxUrl(options.ownerUrl, accountId))))) await requireCapacity(client, options);
  });

/** A copy has the objects of the template, but not the rights on the database itself. */
async function create(client: pg.Client, url: URL, copyOf: string): Promise<void> {
  await client.query(`create database ${quoted(url)} template ${pg.escapeIdentifier(copyOf)}`);
  await client.query(`revoke all on database ${quoted(url)} from public`);
  await client.query(`grant connect on database ${quoted(url)} to public`);
}

/**
 * Creates the database if it does not exist, and brings it to the schema of this version. Throws Problem overloaded when the platform has the
 * maximum number of sandboxes.
 * @param unusedImages images of deleted test data; the relay of the sandbox removes their files
 */
export async function prepareSandboxDatabase(
  accountId: string,
  options: SandboxDatabaseOptions,
  unusedImages: readonly string[] = [],
): Promise<URL> {
  const url = sandboxUrl(options.ownerUrl, accountId);
  await locked(options.ownerUrl, url, async (client) => {
    if (await exists(client, databaseOf(url))) await migrated(url, options);
    else {
      // holds a lock until the end: no concurrent creation exceeds the maximum
      const copyOf = await template(client, options);
      await requireCapacity(client, options);
      await create(client, url, copyOf);
    }
    // when it was opened last; the statement accepts no parameters
    await client.query(`comment on database ${quoted(url)} is '${new Date().toISOString()}'`);
    await seed(url, accountId, unusedImages);
  });
  return url;
}

/** The images of a sandbox whose files may be in the store. */
export const imagesOf = (url: URL): Promise<string[]> =>
  asOwner(url.href, async (client) => {
    const { rows: columns } = await client.query<{ text: string }>(
      `select format('select %I as id from %I.%I where %1$I is not null', a.attname, n.nspname, c.relname) as text
       from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
       where c.relkind = 'r' and not a.attisdropped and (a.attname = 'image_id' or (c.relname = 'unused_image' and a.attname = 'id'))`,
    );
    if (columns.length === 0) return [];
    const { rows } = await client.query<{ id: string }>(columns.map(({ text }) => text).join(' union '));
    return rows.map(({ id }) => id);
  });

/** Deletes the database of a sandbox, and closes its connections. Returns the images of its rows: their files are still in the store. */
export async function dropSandboxDatabase(
  accountId: string,
  { ownerUrl }: Pick<SandboxDatabaseOptions, 'ownerUrl'>,
): Promise<string[]> {
  const url = sandboxUrl(ownerUrl, accountId);
  let images: string[] = [];
  await locked(ownerUrl, url, async (client) => {
    if (!(await exists(client, databaseOf(url)))) return;
    images = await imagesOf(url);
    await client.query(`drop database ${quoted(url)} with (force)`);
  });
  return images;
}

/** Whether webhook deliveries of a sandbox wait for their next attempt. Those of a disabled endpoint wait until it is enabled. */
export const hasPendingDeliveries = (url: string): Promise<boolean> =>
  asOwner(url, async (client) => {
    const { rowCount } = await client.query(
      `select from accounts.webhook_endpoint w join accounts.webhook_delivery d on d.endpoint_id = w.id
       where w.status = 'ENABLED' and d.next_attempt_at is not null limit 1`,
    );
    return rowCount === 1;
  });
