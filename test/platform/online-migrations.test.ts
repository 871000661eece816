/** Migrations of a platform that runs: short waits for locks, and indexes that are created without blocking writes. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { migrate } from '../../platform/database/migrate.ts';
import { eventually } from '../eventually.ts';

const server = process.env.TEST_DATABASE_URL ?? '';
const ownerUrl = Object.assign(new URL(server), { pathname: '/online_test' }).href;
let folder: string;
let directory: string;
let logged: string;
let holder: pg.Client;

async function runQuery(connection: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: connection });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

const log = pino({ level: 'warn' }, { write: (line: string) => void (logged += line) });
const write = (file: string, text: string): Promise<void> => writeFile(join(directory, file), text);
const run = () => migrate({ ownerUrl, areas: [{ schema: 'athletes', directories: [directory] }], secrets: null, log });
const indexes = () =>
  runQuery(
    ownerUrl,
    `select c.relname::text as name, indisvalid as valid from pg_index join pg_class c on c.oid = indexrelid
     where c.relnamespace = 'athletes'::regnamespace and not indisprimary`,
  );

beforeAll(() => runQuery(server, 'create database online_test'));
afterAll(() => runQuery(server, 'drop database online_test with (force)'));
beforeEach(async () => {
  logged = '';
  folder = await mkdtemp(join(tmpdir(), 'online-'));
  directory = join(folder, 'athletes', 'migrations');
  await mkdir(directory, { recursive: true });
  await runQuery(ownerUrl, 'drop schema if exists athletes, platform cascade');
  await write(
    '0001-first.sql',
    'create table athlete (id int primary key, age int); insert into athlete values (1, 20), (2, 20);',
  );
  await run();
  holder = new pg.Client({ connectionString: ownerUrl });
  await holder.connect();
});
afterEach(async () => {
  await holder.end();
  await rm(folder, { recursive: true });
});

test('a migration gives up the wait for a lock, lets other statements pass, and tries again', async () => {
  await holder.query('begin; select from athletes.athlete');
  await write('0002-second.sql', 'alter table athlete add column name text');
  const migrating = run();
  await eventually(() => Promise.resolve(expect(logged).toContain('migration waits for a lock')));
  await holder.query('commit');
  expect((await migrating).applied).toEqual(['athletes athletes/0002-second.sql']);
});

test('an index of an online migration is created while another migration waits for its turn', async () => {
  await write('0002-second.sql', '-- online\ncreate index concurrently if not exists athlete_age on athlete (age);\n');
  const runs = await Promise.all([run(), run(), run()]);
  expect(runs.flatMap(({ applied }) => applied)).toEqual(['athletes athletes/0002-second.sql']);
  expect(await indexes()).toEqual([{ name: 'athlete_age', valid: true }]);
});

test('a failed online migration continues with the next run: its invalid index is replaced', async () => {
  await write(
    '0002-second.sql',
    '-- online\ncreate index concurrently if not exists athlete_age on athlete (age);\n' +
      'create unique index concurrently if not exists athlete_unique_age on athlete (age);\n',
  );
  await expect(run()).rejects.toThrow(/0002-second\.sql failed on athletes and is incomplete.*run the migrations again/);
  expect(await indexes()).toContainEqual({ name: 'athlete_unique_age', valid: false });
  await holder.query('update athletes.athlete set age = id');
  expect((await run()).applied).toEqual(['athletes athletes/0002-second.sql']);
  expect(await indexes()).toEqual(
    expect.arrayContaining([
      { name: 'athlete_age', valid: true },
      { name: 'athlete_unique_age', valid: true },
    ]),
  );
});

test('an online migration with a statement that cannot be repeated is rejected', async () => {
  await write('0002-second.sql', '-- online\ncreate index concurrently athlete_age on athlete (age);\n');
  await expect(run()).rejects.toThrow('contains only CREATE INDEX CONCURRENTLY IF NOT EXISTS');
  expect(await indexes()).toEqual([]);
});
