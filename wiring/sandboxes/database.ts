/** The database of a sandbox: created on first use, and migrated like that of the platform. */
import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Logger } from 'pino';
import { readMigrations } from '../../platform/database/migration-files.ts';
import { migrate } from '../../platform/database/migrate.ts';
import type { Secrets } from '../../platform/security/secrets.ts';
import { keyScopes } from '../../schema/scopes.ts';
import { migratedAreas } from '../../subgraphs/runtime/migrations.ts';

export interface SandboxDatabaseOptions {
  /** URL of the platform's database with a role that may create databases. */
  readonly ownerUrl: string;
  readonly secrets: Secrets;
  readonly log: Logger;
  /** A migrated database of which new sandboxes are copies; default: one per version of the schema, created on first use. */
  readonly template?: string | undefined;
}

export interface SandboxAccount {
  readonly id: string;
  readonly name: string;
}

/** Webhook endpoints of an account in test mode, with every plan. */
const webhookEndpointsMax = 10;

/** Longest name of a database in PostgreSQL. */
const nameMaxBytes = 63;

const connectMs = 5_000;

/** The URL of the database of an account's sandbox, as the owner. Throws Error when the name of the platform's database is too long. */
export function sandboxUrl(ownerUrl: string, accountId: string): URL {
  const name = prefixOf(ownerUrl) + accountId.replaceAll('-', '');
  if (Buffer.byteLength(name) > nameMaxBytes)
    throw new Error('The name of the database is too long for test mode: it has more than 25 bytes.');
  return urlOf(ownerUrl, name);
}

const databaseOf = (url: URL): string => decodeURIComponent(url.pathname.slice(1));

/** The beginning of the names of all sandboxes and templates of a platform. */
const prefixOf = (ownerUrl: string): string => `${databaseOf(new URL(ownerUrl))}_test_`;

function urlOf(ownerUrl: string, name: string): URL {
  const url = new URL(ownerUrl);
  url.pathname = `/${encodeURIComponent(name)}`;
  return url;
}

const quoted = (url: URL): string => pg.escapeIdentifier(databaseOf(url));

async function asOwner<Result>(ownerUrl: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
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
const locked = (ownerUrl: string, url: URL, work: (client: pg.Client) => Promise<void>): Promise<void> =>
  asOwner(ownerUrl, async (client) => {
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [url.pathname]);
    await work(client);
  });

/**
 * What webhooks read of an account: that it is active, how many endpoints it may have, and the scopes of a valid key. The key is never admitted:
 * routers read keys from the database of the platform.
 */
const seed = (url: URL, { id, name }: SandboxAccount): Promise<void> =>
  asOwner(url.href, async (client) => {
    await client.query('set search_path to accounts, platform');
    await client.query('insert into account (id, name) values ($1, $2) on conflict (id) do update set name = excluded.name', [
      id,
      name,
    ]);
    await client.query(
      `update plan set webhooks = ${webhookEndpointsMax} where code = 'free' and webhooks <> ${webhookEndpointsMax}`,
    );
    await client.query(
      `insert into api_key (public_id, name, account_id, plan_code, plan_version, scopes, hash, pepper_version, created_by)
       select 'sp_live_000000000000', 'sandbox', $1, code, version, $2, sha256(uuid_send(gen_random_uuid())), 1, 'system'
       from plan where code = 'free' order by version desc limit 1
       on conflict (public_id) do update set scopes = excluded.scopes`,
      [id, keyScopes],
    );
  });

const exists = async (client: pg.Client, name: string): Promise<boolean> =>
  (await client.query('select from pg_database where datname = $1', [name])).rowCount === 1;

const migrated = ({ href }: URL, { secrets, log }: SandboxDatabaseOptions) =>
  migrate({ ownerUrl: href, areas: migratedAreas, secrets, log });

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

/** A copy has the objects of the template, but not the rights on the database itself. */
async function create(client: pg.Client, url: URL, copyOf: string): Promise<void> {
  await client.query(`create database ${quoted(url)} template ${pg.escapeIdentifier(copyOf)}`);
  await client.query(`revoke all on database ${quoted(url)} from public`);
  await client.query(`grant connect on database ${quoted(url)} to public`);
}

/** Creates the database if it does not exist, and brings it to the schema of this version. */
export async function prepareSandboxDatabase(account: SandboxAccount, options: SandboxDatabaseOptions): Promise<URL> {
  const url = sandboxUrl(options.ownerUrl, account.id);
  await locked(options.ownerUrl, url, async (client) => {
    if (await exists(client, databaseOf(url))) await migrated(url, options);
    else await create(client, url, await template(client, options));
    // when it was opened last; the statement accepts no parameters
    await client.query(`comment on database ${quoted(url)} is '${new Date().toISOString()}'`);
    await seed(url, account);
  });
  return url;
}

/** Deletes the database of a sandbox. Its open connections are closed. */
export function dropSandboxDatabase(accountId: string, { ownerUrl }: Pick<SandboxDatabaseOptions, 'ownerUrl'>): Promise<void> {
  const url = sandboxUrl(ownerUrl, accountId);
  return locked(
    ownerUrl,
    url,
    async (client) => void (await client.query(`drop database if exists ${quoted(url)} with (force)`)),
  );
}

/** Deletes the sandboxes and templates of a platform that were not opened for some days. Returns their names. */
export function dropUnusedSandboxes(ownerUrl: string, keptDays: number): Promise<string[]> {
  return asOwner(ownerUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select d.datname as name from pg_database d
       where starts_with(d.datname, $1) and case when shobj_description(d.oid, 'pg_database') ~ '^\\d{4}-\\d\\d-\\d\\dT'
         then shobj_description(d.oid, 'pg_database')::timestamptz < now() - make_interval(days => $2) else false end
         and not exists (select from pg_stat_activity a where a.datid = d.oid)`,
      [prefixOf(ownerUrl), keptDays],
    );
    for (const { name } of rows) await client.query(`drop database if exists ${pg.escapeIdentifier(name)}`);
    return rows.map(({ name }) => name);
  });
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
