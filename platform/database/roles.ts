/** The database roles of the platform: their rights and their passwords. */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Secrets } from '../security/secrets.ts';
import { auditGrants } from './audit-grants.ts';

/** The router: reads the views `router_*` and executes the functions `quota_*` and `usage_*` of accounts. */
export const routerRole = 'talent_router';
/** The relay: reads and stamps the outbox of every area. */
export const relayRole = 'talent_relay';
/** The sandboxes of test mode: creates and owns their databases, and has no rights in that of the platform. */
export const sandboxRole = 'talent_sandbox';

/** The role of an area: reads and writes its own schema and nothing else. */
export function areaRole(area: string): string {
  return `talent_${area}`;
}

/** Statement timeout of areas and the router: shorter than the router's timeout for an area, so that the area itself reports a slow statement. */
export const statementTimeoutMs = 4_000;

/**
 * List queries return short pages; their cost is the number of rows they inspect. With a large effective_cache_size PostgreSQL underestimates
 * the cost of an ordered index scan and searches millions of rows for 21 matches. Parallel workers take longer to start than a page takes.
 */
const commonSettings = {
  timezone: 'UTC',
  datestyle: 'ISO',
  effective_cache_size: '32MB',
  max_parallel_workers_per_gather: '0',
  statement_timeout: '30000',
} as const;

/** The settings of new sessions of a role of an area, the router or the relay. Migrations store them, because poolers reject them at the start of a session. */
export function roleSettings(role: string): Readonly<Record<string, string>> {
  if (role === relayRole) return { ...commonSettings, search_path: 'platform' };
  const schema = role === routerRole ? 'accounts' : role.slice(areaRole('').length);
  return { ...commonSettings, statement_timeout: String(statementTimeoutMs), search_path: `${name(schema)}, platform` };
}

/** Settings of sessions of other roles. */
export const sessionSettings: Readonly<Record<string, string>> = commonSettings;

/** The connection URL of a role: the owner's URL with the role's name and derived password. */
export function roleUrl(ownerUrl: string, role: string, secrets: Secrets): string {
  const url = new URL(ownerUrl);
  url.username = role;
  url.password = rolePassword(role, secrets);
  return url.toString();
}

/** The purpose of the key that serves as the role's password. */
export const passwordPurpose = (role: string): string => `database/${role}`;

function rolePassword(role: string, secrets: Secrets): string {
  return secrets.derive(passwordPurpose(role)).toString('base64url');
}

/**
 * Creates the roles or updates their passwords, and grants their rights on the current schemas.
 * Roles belong to the server: two installations on one server need the same secret.
 */
export async function grantRoles(client: pg.Client, areas: readonly string[], secrets: Secrets): Promise<void> {
  const roles = [...areas.map(areaRole), routerRole, relayRole];
  for (const role of roles) {
    await createRole(client, role, secrets);
    await client.query(`grant usage on schema platform to ${role}; grant execute on all functions in schema platform to ${role}`);
  }
  for (const area of areas) {
    await client.query(areaGrants(area));
    await client.query(auditGrants(name(area), name(areaRole(area))));
    await grantFunctions(client, area, 'prune', relayRole);
    await grantFunctions(client, area, 'audit', relayRole);
  }
  if (areas.includes('accounts')) await grantRouter(client);
  if (await mayCreateDatabases(client)) await setRole(client, sandboxRole, 'createdb', secrets);
}

/** Whether the owner has a right that it can pass on to the role of sandboxes; without it there is no test mode. */
async function mayCreateDatabases(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query('select from pg_roles where rolname = current_user and (rolsuper or rolcreatedb)');
  return rowCount === 1;
}

async function createRole(client: pg.Client, role: string, secrets: Secrets): Promise<void> {
  await setRole(client, role, '', secrets);
  const settings = Object.entries(roleSettings(role)).map(([setting, value]) => {
    // a search path is a list of identifiers
    return `alter role ${name(role)} set ${setting} = ${setting === 'search_path' ? value : pg.escapeLiteral(value)}`;
  });
  await client.query(settings.join(';'));
}

/** Creates the role, or updates its password. Not `nocreatedb`, the default: only an owner with CREATEDB may name that right. */
async function setRole(client: pg.Client, role: string, rights: string, secrets: Secrets): Promise<void> {
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role]);
  const password = pg.escapeLiteral(scramVerifier(rolePassword(role, secrets)));
  await client.query(
    `${rowCount === 0 ? 'create' : 'alter'} role ${name(role)} with login noinherit ${rights} password ${password}`,
  );
}

function areaGrants(area: string): string {
  const schema = name(area);
  const role = name(areaRole(area));
  return `
    revoke all on schema ${schema} from public;
    revoke execute on all functions in schema ${schema} from public;
    grant usage on schema ${schema} to ${role}, ${relayRole};
    grant select, insert, update, delete on all tables in schema ${schema} to ${role};
    grant usage, select on all sequences in schema ${schema} to ${role};
    grant execute on all functions in schema ${schema} to ${role};
    alter default privileges in schema ${schema} grant select, insert, update, delete on tables to ${role};
    alter default privileges in schema ${schema} grant usage, select on sequences to ${role};
    alter default privileges in schema ${schema} grant execute on functions to ${role};
    do $$ begin
      if to_regclass('${schema}.outbox') is not null then grant select, update on ${schema}.outbox to ${relayRole}; end if;
      if to_regclass('${schema}.relay_lease') is not null then grant select, insert, update, delete on ${schema}.relay_lease to ${relayRole}; end if;
    end $$`;
}

async function grantRouter(client: pg.Client): Promise<void> {
  await client.query(`grant usage on schema accounts to ${routerRole}`);
  await client.query(`
    do $$ declare thing text; begin
      for thing in select c.oid::regclass from pg_class c
        where c.relnamespace = 'accounts'::regnamespace and c.relkind in ('v', 'm') and c.relname like 'router\\_%'
      loop execute format('grant select on %s to ${routerRole}', thing); end loop;
    end $$`);
  await grantFunctions(client, 'accounts', 'quota', routerRole);
  await grantFunctions(client, 'accounts', 'usage', routerRole);
  await grantFunctions(client, 'accounts', 'router', routerRole);
}

/** Grants a role execution of a schema's functions with a name prefix, such as `quota_` or `prune_`. */
async function grantFunctions(client: pg.Client, schema: string, prefix: string, role: string): Promise<void> {
  await client.query(`
    do $$ declare thing text; begin
      for thing in select p.oid::regprocedure from pg_proc p
        where p.pronamespace = ${pg.escapeLiteral(name(schema))}::regnamespace and p.proname like '${prefix}\\_%'
      loop execute format('grant execute on function %s to ${role}', thing); end loop;
    end $$`);
}

function name(identifier: string): string {
  return pg.escapeIdentifier(identifier);
}

/** The SCRAM verifier that PostgreSQL stores (RFC 5803), so that no password appears in a statement or a log. */
function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const iterations = 4096;
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const clientKey = createHmac('sha256', salted).update('Client Key').digest();
  const storedKey = createHash('sha256').update(clientKey).digest('base64');
  const serverKey = createHmac('sha256', salted).update('Server Key').digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${storedKey}:${serverKey}`;
}
