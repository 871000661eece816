/** The database of a sandbox: created on first use, and migrated like that of the platform. */
import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Logger } from 'pino';
import { readMigrations } from '../../platform/database/migration-files.ts';
import { migrate } from '../../platform/database/migrate.ts';
import type { Secrets } from '../../platform/security/secrets.ts';
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

/** The URL of the database of an account's sandbox, as the owner. Throws Error when the name of the platform's database is too long. */
export function sandboxUrl(ownerUrl: string, accountId: string): URL {
  const url = new URL(ownerUrl);
  const name = `${url.pathname.slice(1)}_test_${accountId.replaceAll('-', '')}`;
  if (name.length > nameMaxBytes)
    throw new Error(`The name of the database is too long for test mode: ${url.pathname.slice(1)} has more than 25 characters.`);
  url.pathname = `/${name}`;
  return url;
}

const nameOf = (url: URL): string => pg.escapeIdentifier(url.pathname.slice(1));

async function asOwner<Result>(ownerUrl: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'sandbox' });
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
 * What webhooks read of an account: that it is active, and how many endpoints it may have. The key is never admitted: routers read keys from the
 * database of the platform.
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
      `insert into api_key (public_id, name, account_id, plan_code, plan_version, hash, pepper_version, created_by)
       select 'sp_test_000000000000', 'sandbox', $1, code, version, sha256(uuid_send(gen_random_uuid())), 1, 'system'
       from plan where code = 'free' order by version desc limit 1 on conflict (public_id) do nothing`,
      [id],
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
  const version = createHash('sha256')
    .update(
      files
        .flat()
        .map(({ checksum }) => checksum)
        .join(),
    )
    .digest('hex')
    .slice(0, 12);
  const url = new URL(options.ownerUrl);
  const name = `${url.pathname.slice(1)}_test_${version}`;
  await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [name]);
  if (await exists(client, name)) return name;
  // renamed when it is complete
  const unfinished = `${name}_new`;
  url.pathname = `/${unfinished}`;
  await client.query(`drop database if exists ${pg.escapeIdentifier(unfinished)} with (force)`);
  await client.query(`create database ${pg.escapeIdentifier(unfinished)}`);
  await migrated(url, options);
  await client.query(`alter database ${pg.escapeIdentifier(unfinished)} rename to ${pg.escapeIdentifier(name)}`);
  await client.query(`comment on database ${pg.escapeIdentifier(name)} is '${new Date().toISOString()}'`);
  return name;
}

/** Creates the database if it does not exist, and brings it to the schema of this version. */
export async function prepareSandboxDatabase(account: SandboxAccount, options: SandboxDatabaseOptions): Promise<URL> {
  const url = sandboxUrl(options.ownerUrl, account.id);
  await locked(options.ownerUrl, url, async (client) => {
    if (await exists(client, url.pathname.slice(1))) await migrated(url, options);
    else
      await client.query(
        `create database ${nameOf(url)} template ${pg.escapeIdentifier(await template(client, options))} strategy file_copy`,
      );
    // when it was opened last; the statement accepts no parameters
    await client.query(`comment on database ${nameOf(url)} is '${new Date().toISOString()}'`);
  });
  await seed(url, account);
  return url;
}

/** Deletes the database of a sandbox. Its open connections are closed. */
export function dropSandboxDatabase(accountId: string, { ownerUrl }: Pick<SandboxDatabaseOptions, 'ownerUrl'>): Promise<void> {
  const url = sandboxUrl(ownerUrl, accountId);
  return locked(
    ownerUrl,
    url,
    async (client) => void (await client.query(`drop database if exists ${nameOf(url)} with (force)`)),
  );
}

/** Deletes the sandboxes and templates of a platform that were not opened for some days. Returns their names. */
export function dropUnusedSandboxes(ownerUrl: string, keptDays: number): Promise<string[]> {
  const prefix = `${new URL(ownerUrl).pathname.slice(1)}_test_`;
  return asOwner(ownerUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select d.datname as name from pg_database d
       where starts_with(d.datname, $1) and shobj_description(d.oid, 'pg_database')::timestamptz < now() - make_interval(days => $2)
         and not exists (select from pg_stat_activity a where a.datid = d.oid)`,
      [prefix, keptDays],
    );
    for (const { name } of rows) await client.query(`drop database if exists ${pg.escapeIdentifier(name)}`);
    return rows.map(({ name }) => name);
  });
}

/** Whether webhook deliveries of a sandbox wait for their next attempt. */
export const hasPendingDeliveries = (url: string): Promise<boolean> =>
  asOwner(url, async (client) => {
    const { rowCount } = await client.query('select from accounts.webhook_delivery where next_attempt_at is not null limit 1');
    return rowCount === 1;
  });
