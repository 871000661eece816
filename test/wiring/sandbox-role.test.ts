/** The database role of sandboxes, where the owner of the platform's database is not a superuser. */
import { randomUUID } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { migrate } from '../../platform/database/migrate.ts';
import { roleUrl, sandboxRole } from '../../platform/database/roles.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../platform/embedded-postgres/embedded-postgres.ts';
import { createLog } from '../../platform/log.ts';
import { generateSecret, openSecrets } from '../../platform/security/secrets.ts';
import { migratedAreas } from '../../subgraphs/runtime/migrations.ts';
import { prepareSandboxDatabase } from '../../wiring/sandboxes/database.ts';

const log = createLog({ name: 'test', level: 'silent' });
const secrets = openSecrets(generateSecret());
let folder: string;
let postgres: EmbeddedPostgres;
let server: pg.Client;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'owner-'));
  await chmod(folder, 0o711);
  postgres = await startEmbeddedPostgres({ dataDirectory: join(folder, 'postgres'), log, durable: false });
  server = new pg.Client({ connectionString: postgres.url });
  await server.connect();
});
afterAll(async () => {
  await server.end();
  await postgres.stop();
  await rm(folder, { recursive: true });
});

test('migrations create it if the owner may create databases, and work without that right', async () => {
  await server.query(`create role limited login createrole password 'limited'`);
  await server.query('create database limited owner limited');
  const owner = new URL(postgres.url);
  Object.assign(owner, { username: 'limited', password: 'limited', pathname: '/limited' });
  const migrated = () => migrate({ ownerUrl: owner.href, areas: migratedAreas, secrets, log });
  const roleExists = async (): Promise<boolean> =>
    (await server.query('select from pg_roles where rolname = $1 and rolcreatedb', [sandboxRole])).rowCount === 1;

  await migrated();
  expect(await roleExists()).toBe(false);
  await server.query('alter role limited createdb');
  await migrated();
  expect(await roleExists()).toBe(true);
  // as the role itself, which is neither a superuser nor the owner of the platform's database
  const accountId = randomUUID();
  const { href } = await prepareSandboxDatabase(accountId, { ownerUrl: roleUrl(owner.href, sandboxRole, secrets), log });
  const sandbox = new pg.Client({ connectionString: href });
  await sandbox.connect();
  expect((await sandbox.query('select id from accounts.account')).rows).toEqual([{ id: accountId }]);
  await sandbox.end();
});
