/** `npm run migrate` as the documented owner: CREATEROLE and the ownership of the database, on a separate server. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { areaRole, roleUrl } from '../../platform/database/roles.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../platform/embedded-postgres/embedded-postgres.ts';
import { createLog } from '../../platform/log.ts';
import { generateSecret, openSecrets } from '../../platform/security/secrets.ts';
import { createServerFolder } from '../embedded-disk.ts';
import { freePort, waitForSuccess } from '../../commands/local-process.ts';

const root = join(import.meta.dirname, '../..');
const secret = generateSecret();
const owner = { username: 'platform_owner', password: 'platform_owner' };
let folder: string;
let postgres: EmbeddedPostgres;

const urlOf = (database: string, login = {}): string =>
  Object.assign(new URL(postgres.url), { ...owner, ...login, pathname: `/${database}` }).href;

/** Runs a statement as the superuser of the server. */
async function asSuperuser(text: string, database = 'talent'): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: Object.assign(new URL(postgres.url), { pathname: `/${database}` }).href });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

function migrate(environment: Record<string, string>, ...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const env = { PATH: process.env['PATH'], SECRET: secret, ...environment };
  return new Promise((resolve) => {
    execFile(process.execPath, ['commands/migrate.ts', ...args], { cwd: root, env }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
  });
}

const canLogIn = async (role: string, root = secret): Promise<boolean> => {
  const client = new pg.Client({ connectionString: roleUrl(urlOf('platform'), role, openSecrets(root)) });
  const connected = await client.connect().then(
    () => true,
    () => false,
  );
  await client.end();
  return connected;
};

beforeAll(async () => {
  folder = await createServerFolder();
  const log = createLog({ name: 'test', level: 'silent' });
  postgres = await startEmbeddedPostgres({ dataDirectory: join(folder, 'postgres'), log, durable: false });
  await asSuperuser(`create role ${owner.username} login createrole password '${owner.password}'`);
  for (const name of ['platform', 'athletes_only', 'restored'])
    await asSuperuser(`create database ${name} owner ${owner.username}`);
});
afterAll(async () => {
  await postgres.stop();
  await rm(folder, { recursive: true });
});

test('an owner without CREATEDB can migrate as often as it likes', async () => {
  const environment = { DATABASE_URL: urlOf('platform') };
  expect(await migrate(environment)).toMatchObject({ code: 0, out: expect.stringMatching(/\d+ migrations applied/), err: '' });
  expect(await migrate(environment)).toEqual({ code: 0, out: 'The database is up to date.\n', err: '' });
});

test('another SECRET is rejected and changes no password; --new-secret accepts it', async () => {
  const environment = { DATABASE_URL: urlOf('platform'), SECRET: generateSecret() };
  const { code, err } = await migrate(environment);
  expect({ code, err }).toEqual({
    code: 1,
    err: expect.stringMatching(/SECRET is not the secret of this database.*Nothing was changed/),
  });
  expect(await canLogIn(areaRole('athletes'))).toBe(true);
  const [{ comments } = { comments: '' }] = await asSuperuser(
    `select string_agg(coalesce(shobj_description(oid, 'pg_authid'), ''), '') as comments from pg_roles`,
  );
  expect(comments).not.toContain(secret);
  expect(await migrate(environment, '--new-secret')).toMatchObject({ code: 0 });
  expect(await canLogIn(areaRole('athletes'))).toBe(false);
  expect(await canLogIn(areaRole('athletes'), environment.SECRET)).toBe(true);
  expect(await migrate({ DATABASE_URL: urlOf('platform') }, '--new-secret')).toMatchObject({ code: 0 });
});

test('a process whose role has another password reports the cause', async () => {
  const port = String(await freePort());
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: urlOf('platform'),
    SECRET: generateSecret(),
    HOST: '127.0.0.1',
    PORT: port,
  };
  const child = execFile(process.execPath, ['main.ts', 'opportunities'], { cwd: root, env });
  let output = '';
  child.stdout?.on('data', (chunk: string) => (output += chunk));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  await waitForSuccess(`http://127.0.0.1:${port}/health`, child);
  expect((await fetch(`http://127.0.0.1:${port}/ready`)).status).toBe(503);
  child.kill();
  await ended;
  expect(output).toMatch(/rejected the password of the role: this process and the database have different secrets/);
});

test('--area migrates the separate database of an area, with its owner', async () => {
  const environment = { ATHLETES_DATABASE_URL: urlOf('athletes_only') };
  expect(await migrate(environment, '--area', 'athletes')).toMatchObject({ code: 0, err: '' });
  expect(
    await asSuperuser(
      `select nspname::text as name from pg_namespace where nspname in ('accounts', 'athletes')`,
      'athletes_only',
    ),
  ).toEqual([{ name: 'athletes' }]);
  expect((await migrate({}, '--area', 'athletes')).err).toContain('ATHLETES_DATABASE_URL is required');
  expect((await migrate({}, '--area', 'teams')).code).toBe(2);
});

test('extensions that a superuser restored are accepted, and tables of another owner are reported', async () => {
  await asSuperuser(
    `create schema platform authorization ${owner.username}; create extension pg_trgm schema platform; create extension unaccent schema platform`,
    'restored',
  );
  const environment = { DATABASE_URL: urlOf('restored') };
  expect(await migrate(environment)).toMatchObject({ code: 0, err: '' });
  await asSuperuser('alter table athletes.athlete owner to current_user', 'restored');
  expect(await migrate(environment)).toEqual({
    code: 1,
    out: '',
    err: expect.stringMatching(
      /such as athletes\.athlete, belong to talent_owner.* pg_restore --no-owner --no-acl --role=platform_owner/,
    ),
  });
});

const old = '/usr/lib/postgresql/15/bin';
(existsSync(join(old, 'postgres')) ? test : test.skip)('PostgreSQL 15 is rejected before anything is changed', async () => {
  const data = join(folder, 'old');
  const run = (program: string, ...args: string[]) =>
    promisify(execFile)('setpriv', ['--reuid=postgres', '--regid=postgres', '--clear-groups', join(old, program), ...args], {
      env: { PATH: process.env['PATH'], LC_ALL: 'C' },
    });
  await promisify(execFile)('install', ['-d', '-o', 'postgres', '-m', '0700', data]);
  const port = await freePort();
  await run('initdb', '--auth=trust', '--username=old', `--pgdata=${data}`);
  await run(
    'pg_ctl',
    'start',
    '--wait',
    `--pgdata=${data}`,
    `--log=${data}/log`,
    '--options',
    `-p ${port} -k ${data} -h 127.0.0.1`,
  );
  try {
    const { code, err } = await migrate({ DATABASE_URL: `postgresql://old@127.0.0.1:${port}/postgres` });
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(
        /PostgreSQL 18 or newer is required, but this server is PostgreSQL 15\.\d+.* Nothing was changed/,
      ),
    });
  } finally {
    await run('pg_ctl', 'stop', '--mode=fast', `--pgdata=${data}`);
  }
});
