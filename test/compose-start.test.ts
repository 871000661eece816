/** Starts docker-compose.yml on an empty database: .env from `npm run secrets`, the migrations, then every service. */
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { pino } from 'pino';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres.ts';
import { createClient } from './client.ts';
import { environmentOf, serviceOf } from '../commands/compose-file.ts';
import { startServices } from './processes.ts';

const root = join(import.meta.dirname, '..');
const run = promisify(execFile);
let folder: string;
let postgres: EmbeddedPostgres;
let envFile: string;

const readEnv = async (): Promise<NodeJS.Dict<string>> => parseEnv(await readFile(envFile, 'utf8'));

/** The owner and database that the postgres image creates from its environment. */
async function createOwner(): Promise<URL> {
  const { POSTGRES_USER = '', POSTGRES_PASSWORD = '', POSTGRES_DB = '' } = environmentOf('postgres', await readEnv());
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(`create role ${POSTGRES_USER} superuser login password '${POSTGRES_PASSWORD}'`);
  // the test server already has a database of this name
  await client.query(`alter database ${POSTGRES_DB} owner to ${POSTGRES_USER}`);
  await client.end();
  return new URL(postgres.url);
}

const secrets = () => run(process.execPath, ['commands/secrets.ts', '--file', envFile], { cwd: root });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'compose-'));
  await chmod(folder, 0o711);
  envFile = join(folder, '.env');
  postgres = await startEmbeddedPostgres({
    dataDirectory: join(folder, 'postgres'),
    log: pino({ level: 'warn' }),
    durable: false,
  });
});
afterAll(async () => {
  await postgres.stop();
  await rm(folder, { recursive: true });
});

test('npm run secrets creates a private .env from the example, and keeps existing values', async () => {
  expect((await secrets()).stdout).toContain('SECRET, DATABASE_PASSWORD, REDIS_PASSWORD new');
  expect((await stat(envFile)).mode & 0o777).toBe(0o600);
  const first = await readFile(envFile, 'utf8');
  expect(first.split('\n').length).toBe((await readFile(join(root, '.env.example'), 'utf8')).split('\n').length);
  expect((await secrets()).stdout).not.toContain('new');
  expect(await readFile(envFile, 'utf8')).toBe(first);
});

test('with the variables of the file, the migrations and every service start, and REST and GraphQL respond', async () => {
  const variables = await readEnv();
  const owner = await createOwner();
  const migrate = environmentOf('migrate', variables);
  const databaseUrl = new URL(migrate['DATABASE_URL'] ?? '');
  databaseUrl.host = owner.host;
  const [program = '', ...args] = serviceOf('migrate').entrypoint ?? [];
  const asMigrate = { cwd: root, env: { PATH: process.env['PATH'], ...migrate, DATABASE_URL: databaseUrl.href } };
  expect((await run(program, args, asMigrate)).stdout).toMatch(/\d+ migrations applied/);
  const issue = ['commands/keys.ts', 'issue', '--account', 'Club', '--plan', 'pro', '--scopes', 'organizations:write', '--quiet'];
  const key = (await run(program, issue, asMigrate)).stdout.trim();

  const platform = await startServices({
    databaseUrl: owner.href,
    variables: { ...variables, LOG_LEVEL: 'error' },
    imageFolder: join(folder, 'images'),
  });
  try {
    const club = createClient({ ...platform, key });
    const created = await club.post('/organizations', {
      name: 'Acme FC',
      type: 'CLUB',
      country: 'DE',
      sports: ['FOOTBALL'],
      status: 'ACTIVE',
    });
    expect(created).toMatchObject({ status: 201 });
    const { id } = created.body;
    expect((await club.get(`/organizations/${id}`)).body.name).toBe('Acme FC');
    const response = await club.graphql('query ($id: ID!) { organization(id: $id) { name } }', { id });
    expect(response.body).toEqual({ data: { organization: { name: 'Acme FC' } } });
  } finally {
    await platform.close();
  }
});
