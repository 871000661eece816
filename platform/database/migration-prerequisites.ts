/** What migrations require of a database: the version of PostgreSQL and the owner of the objects; and what all areas use. */
import type pg from 'pg';

const requiredVersion = 18;

/** @throws Error for a version before 18, whose server would fail in the middle of the migrations */
export async function requireVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ number: number; version: string }>(
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as version`,
  );
  const [{ number, version } = { number: 0, version: 'unknown' }] = rows;
  if (Math.floor(number / 10_000) >= requiredVersion) return;
  throw new Error(
    `PostgreSQL ${requiredVersion} or newer is required, but this server is PostgreSQL ${version}. Nothing was changed. ` +
      'Upgrade the server, or set DATABASE_URL to another one.',
  );
}

/**
 * A dump that a superuser restored without the owner's role leaves objects that migrations may not change.
 * @throws Error that names such an object and how to restore the dump
 */
export async function requireOwnership(client: pg.Client, schemas: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ name: string; owner: string; me: string; count: number }>(
    `with object as (
       select nspname::text as name, nspowner as owner from pg_namespace where nspname = any($1)
       union all select c.oid::regclass::text, c.relowner from pg_class c
         join pg_namespace n on n.oid = c.relnamespace where n.nspname = any($1) and c.relkind in ('r', 'p', 'v', 'm', 'S')
       union all select p.oid::regprocedure::text, p.proowner from pg_proc p
         join pg_namespace n on n.oid = p.pronamespace where n.nspname = any($1)
           and not exists (select from pg_depend d where d.objid = p.oid and d.classid = 'pg_proc'::regclass and d.deptype = 'e'))
     select name, pg_get_userbyid(owner)::text as owner, current_user::text as me, (count(*) over ())::int as count
     from object where not pg_has_role(owner, 'USAGE') order by name limit 1`,
    [['platform', ...schemas]],
  );
  const [foreign] = rows;
  if (foreign === undefined) return;
  throw new Error(
    `${foreign.count} objects of this database, such as ${foreign.name}, belong to ${foreign.owner}, so ${foreign.me} cannot migrate them. ` +
      `Nothing was changed. Restore the dump into an empty database with: pg_restore --no-owner --no-acl --role=${foreign.me}`,
  );
}

/** Prerequisites of all areas: extensions, `platform.fold`, the tables of migrations and of the version of the secret, and no rights for public. */
export async function prepare(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>('select quote_ident(current_database()) as name');
  const database = rows[0]?.name ?? '';
  await client.query(`
    create schema if not exists platform;
    revoke all on schema public from public;
    revoke all on database ${database} from public;
    grant connect on database ${database} to public;
    alter default privileges revoke execute on functions from public;
    create table if not exists platform.secret_version (
      id boolean primary key default true check (id),
      current int not null,
      previous int
    );
    create table if not exists platform.migration (
      schema text not null,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default now(),
      primary key (schema, name)
    )`);
  for (const extension of ['pg_trgm', 'unaccent', 'btree_gist', 'cube']) await createExtension(client, extension);
  // immutable, as indexes require: the dictionary is explicit and the collation does not depend on the database
  await client.query(`
    create or replace function platform.fold(text) returns text language sql immutable strict parallel safe
    return lower(platform.unaccent('platform.unaccent'::regdictionary, normalize($1, nfc)) collate "und-x-icu")`);
}

/** An extension in the schema `platform` is left alone: after a restore it may belong to a superuser. */
async function createExtension(client: pg.Client, extension: string): Promise<void> {
  await client.query(`create extension if not exists ${extension} schema platform`);
  const { rowCount } = await client.query(
    `select from pg_extension where extname = $1 and extnamespace <> 'platform'::regnamespace`,
    [extension],
  );
  if (rowCount !== 0) await client.query(`alter extension ${extension} set schema platform`);
}
