/** Checks of PostgreSQL: version, clock, connections, migrations, and the roles of the processes. */
import pg from 'pg';
import { areaRole, relayRole, roleUrl, routerRole, sandboxRole } from '../../platform/database/roles.ts';
import { readMigrations } from '../../platform/database/migration-files.ts';
import { hasErrorCode } from '../../platform/error-code.ts';
import type { Secrets } from '../../platform/security/secrets.ts';
import { areas } from '../../schema/areas.ts';
import { migratedAreas } from '../../subgraphs/runtime/migrations.ts';
import { failed, messageOf, ok, rated, skipped, warning, type Check, type Finding } from './finding.ts';
import { checkSecret } from './secret-check.ts';

const timeoutMs = 5_000;

async function connected<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'doctor',
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}

async function checkServer(client: pg.Client): Promise<Finding[]> {
  const startedMs = Date.now();
  const { rows } = await client.query<{
    version: string;
    number: number;
    now: number;
    used: number;
    most: number;
  }>(`/* doctor.server */ select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
    (extract(epoch from clock_timestamp()) * 1000)::float8 as now, current_setting('max_connections')::int as most,
    (select count(*) from pg_stat_activity where backend_type = 'client backend')::int as used`);
  const [row] = rows;
  if (row === undefined) return [];
  const differenceMs = Math.round(Math.abs(row.now - (startedMs + Date.now()) / 2));
  const share = row.used / row.most;
  const fix = 'Raise max_connections, or run fewer instances (docs/deploy.md#database).';
  return [
    row.number >= 180_000
      ? ok('PostgreSQL', `version ${row.version}`)
      : failed('PostgreSQL', `version ${row.version}`, 'Upgrade to PostgreSQL 18.'),
    rated(
      'clock of PostgreSQL',
      { value: differenceMs, detail: `${differenceMs} ms from this machine`, fix: 'Synchronize the clocks of both machines.' },
      [2_000, 60_000],
    ),
    rated('connections', { value: share, detail: `${row.used} of ${row.most} are used`, fix }, [0.8, 0.95]),
  ];
}

async function checkMigrations(client: pg.Client): Promise<Finding> {
  const { rows } = await client
    .query<{ schema: string; name: string; checksum: string }>(
      '/* doctor.migrations */ select schema, name, checksum from platform.migration',
    )
    .catch((error: unknown) => {
      if (hasErrorCode(error, '42P01', '3F000')) return { rows: [] };
      throw error;
    });
  const ran = new Map(rows.map(({ schema, name, checksum }) => [`${schema} ${name}`, checksum]));
  const files = await Promise.all(
    migratedAreas.map(async ({ schema, directories }) =>
      (await readMigrations(directories)).map((file) => ({ name: `${schema} ${file.name}`, checksum: file.checksum })),
    ),
  );
  const edited = files.flat().filter(({ name, checksum }) => ran.has(name) && ran.get(name) !== checksum);
  const pending = files.flat().filter(({ name }) => !ran.has(name));
  if (edited.length > 0)
    return failed('migrations', `${edited[0]?.name} was edited after it was applied`, 'Restore the files of the release.');
  return pending.length === 0
    ? ok('migrations', `${ran.size} applied, none pending`)
    : failed('migrations', `${pending.length} pending, the first is ${pending[0]?.name}`, 'Run npm run migrate.');
}

/** The rights of a role beyond its own schema, which the platform never grants. */
async function foreignSchemas(client: pg.Client, own: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `/* doctor.rights */ select nspname as name from pg_namespace
     where nspname = any($1) and nspname <> $2 and has_schema_privilege(nspname, 'create')`,
    [[...areas], own],
  );
  return rows.map(({ name }) => name);
}

async function checkRole(ownerUrl: string, role: string, schema: string, secrets: Secrets): Promise<Finding> {
  const check = `role ${role}`;
  try {
    const foreign = await connected(roleUrl(ownerUrl, role, secrets), (client) => foreignSchemas(client, schema));
    return foreign.length === 0
      ? ok(check, 'logs in with its own rights')
      : failed(check, `may create tables in ${foreign.join(', ')}`, 'Run npm run migrate, which grants the rights again.');
  } catch (error) {
    if (!hasErrorCode(error, '28P01', '28000')) throw error;
    const fix = 'Use the SECRET with which the database was migrated.';
    return failed(check, `login failed: ${messageOf(error)}`, fix);
  }
}

async function checkOwner(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ name: string; roles: boolean; databases: boolean }>(
    `/* doctor.owner */ select rolname as name, rolsuper or rolcreaterole as roles, rolsuper or rolcreatedb as databases
     from pg_roles where rolname = current_user`,
  );
  const [owner] = rows;
  const check = 'owner';
  if (owner?.roles !== true) return failed(check, 'cannot create roles', `Run: alter role ${owner?.name ?? 'owner'} createrole`);
  return owner.databases
    ? ok(check, `${owner.name} can create roles and databases`)
    : warning(check, `${owner.name} cannot create databases, so there is no test mode`, `Run: alter role ${owner.name} createdb`);
}

export interface DatabaseTarget {
  /** The database; null if none is set and the embedded one does not run. */
  readonly url: string | null;
  /** Null: the logins of the roles are not checked. */
  readonly secrets: Secrets | null;
}

/** The roles of the processes, with the schema that belongs to each. */
const roles: readonly (readonly [role: string, schema: string])[] = [
  ...areas.map((area) => [areaRole(area), area] as const),
  [routerRole, ''],
  [relayRole, ''],
  [sandboxRole, ''],
];

export function databaseChecks({ url, secrets }: DatabaseTarget): Check[] {
  const name = 'PostgreSQL';
  if (url === null)
    return [{ name, run: () => Promise.resolve([skipped(name, 'DATABASE_URL is not set and no embedded database is running')]) }];
  const asOwner = (run: (client: pg.Client) => Promise<readonly Finding[]>) => () => connected(url, run);
  const checks: Check[] = [
    { name, run: asOwner(checkServer) },
    { name: 'migrations', run: asOwner(async (client) => [await checkMigrations(client)]) },
    { name: 'owner', run: asOwner(async (client) => [await checkOwner(client)]) },
  ];
  if (secrets === null)
    return [...checks, { name: 'roles', run: () => Promise.resolve([skipped('roles', 'SECRET is not set')]) }];
  return [
    ...checks,
    { name: 'SECRET', run: asOwner(async (client) => [await checkSecret(client, secrets)]) },
    ...roles.map(([role, schema]) => ({ name: `role ${role}`, run: async () => [await checkRole(url, role, schema, secrets)] })),
  ];
}
