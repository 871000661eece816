/** Restores as docs/deploy.md describes them: to a point in time from archived WAL, and from a dump. */
import { execFile } from 'node:child_process';
import { appendFile, chown, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import pg from 'pg';
import { findEmbeddedPostgres, startEmbeddedPostgres } from '../../platform/embedded-postgres/embedded-postgres.ts';
import { createLog } from '../../platform/log.ts';
import type { Client } from '../client.ts';
import { createServerFolder } from '../embedded-disk.ts';
import { eventually } from '../eventually.ts';
import { createInstallation, type Installation } from '../installation.ts';
import { withPostgresTools } from '../postgres-tools.ts';

jest.setTimeout(400_000);
const execute = promisify(execFile);

let installation: Installation;
let key: string;
let client: Client;
let archive: string;
let data: string;

beforeAll(async () => {
  installation = await createInstallation();
  data = join(server(), 'cluster', 'data');
  archive = join(installation.folder, 'archive');
  await installation.start();
  key = await installation.issueKey('Restored', 'organizations:write');
  client = installation.client(key);
});
afterAll(() => installation.remove());

/** The folder of its PostgreSQL. */
const server = (): string => join(installation.dataDirectory, 'postgres');

const ownerUrl = async (): Promise<string> => (await findEmbeddedPostgres(server())) ?? '';

async function connectOwner(url?: string): Promise<pg.Client> {
  const owner = new pg.Client({ connectionString: url ?? (await ownerUrl()) });
  await owner.connect();
  return owner;
}

/** Runs statements as the owner of the database, in one session. */
async function asOwner<Row extends object>(...statements: string[]): Promise<Row[]> {
  const owner = await connectOwner();
  try {
    let rows: Row[] = [];
    for (const statement of statements) ({ rows } = await owner.query<Row>(statement));
    return rows;
  } finally {
    await owner.end();
  }
}

async function createClub(name: string): Promise<string> {
  const { status, body } = await client.post('/organizations', {
    type: 'CLUB',
    name,
    country: 'DE',
    sports: ['FOOTBALL'],
    status: 'ACTIVE',
  });
  expect(status).toBe(201);
  return body.id;
}

/** Gives a file or folder to the account of PostgreSQL. */
async function give(path: string): Promise<void> {
  const { uid, gid } = await stat(data);
  await chown(path, uid, gid);
}

async function writeServerFile(path: string, text: string): Promise<void> {
  await writeFile(path, text);
  await give(path);
}

/** A base backup with the functions of PostgreSQL: pg_basebackup is not part of the embedded PostgreSQL. */
async function backUp(to: string): Promise<void> {
  const owner = await connectOwner();
  await owner.query(`select pg_backup_start('test', fast => true)`);
  // files may vanish or change while they are copied: WAL contains their changes
  await execute('cp', ['-a', data, to]).catch(() => undefined);
  const { rows } = await owner.query<{ labelfile: string }>('select labelfile from pg_backup_stop()');
  await owner.end();
  for (const file of ['postmaster.pid', 'postmaster.opts']) await rm(join(to, file), { force: true });
  await writeServerFile(join(to, 'backup_label'), rows[0]?.labelfile ?? '');
}

test('a restore to a point in time has the writes before it, and none after it', async () => {
  await mkdir(archive, { mode: 0o700 });
  await give(archive);
  await asOwner(
    `alter system set archive_mode = 'on'`,
    `alter system set archive_command = 'test ! -f ${archive}/%f && cp %p ${archive}/%f'`,
  );
  await installation.stop();
  await installation.start();
  const base = join(installation.folder, 'base');
  await backUp(base);

  const kept = await createClub('Kept');
  const [moment] = await asOwner<{ at: string }>('select clock_timestamp()::text as at');
  const lost = await createClub('Lost');
  await asOwner('delete from organizations.organization');
  const [wal] = await asOwner<{ file: string }>('select pg_walfile_name(pg_switch_wal()) as file');
  await eventually(async () => void (await stat(join(archive, wal?.file ?? ''))));
  await installation.stop();

  await rename(data, `${data}-damaged`);
  await execute('cp', ['-a', base, data]);
  const settings = {
    restore_command: `cp ${archive}/%f %p`,
    recovery_target_time: moment?.at,
    recovery_target_action: 'promote',
    hot_standby: 'off',
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
  await appendFile(join(data, 'postgresql.auto.conf'), lines.join(''));
  await writeServerFile(join(data, 'recovery.signal'), '');
  await installation.start();
  const names = async (id: string) => (await client.get(`/organizations/${id}`)).body.name;
  expect(await names(kept)).toBe('Kept');
  expect((await client.get(`/organizations/${lost}`)).status).toBe(404);
  await createClub('Written after the restore');
});

withPostgresTools(test)('a dump is restored by a superuser for another owner, and serves the same keys and data', async () => {
  const id = await createClub('Dumped');
  const dump = join(installation.folder, 'talent.dump');
  await execute('pg_dump', ['--format=custom', `--file=${dump}`, await ownerUrl()]);
  const { secret } = JSON.parse(await readFile(join(installation.dataDirectory, 'secrets.json'), 'utf8'));

  // a server without the roles of the platform
  const folder = await createServerFolder();
  const other = await startEmbeddedPostgres({ dataDirectory: folder, log: createLog({ name: 'test', level: 'silent' }) });
  const owner = await connectOwner(other.url);
  await owner.query(`create role operator login createrole password 'operator'`);
  await owner.query('create database restored owner operator');
  await owner.end();
  const restored = new URL(other.url);
  restored.pathname = '/restored';
  await execute('pg_restore', ['--no-owner', '--no-acl', '--role=operator', `--dbname=${restored.href}`, dump]);
  [restored.username, restored.password] = ['operator', 'operator'];
  const target = await createInstallation({ DATABASE_URL: restored.href, SECRET: secret });
  await target.run('migrate');
  await target.start();
  expect((await target.client(key).get(`/organizations/${id}`)).body.name).toBe('Dumped');
  await target.remove();
  await other.stop();
  await rm(folder, { recursive: true });
});
