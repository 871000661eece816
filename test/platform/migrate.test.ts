/** Migrations and database roles, on a separate database. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { migrate } from '../../platform/database/migrate.ts';
import { roleUrl } from '../../platform/database/roles.ts';
import { openSecrets } from '../../platform/security/secrets.ts';

const log = pino({ level: 'silent' });
const server = process.env.TEST_DATABASE_URL ?? '';
// roles belong to the server, and other tests log in with its secret
const secrets = openSecrets(process.env.TEST_SECRET ?? '');
const url = new URL(server);
url.pathname = '/migrate_test';
const ownerUrl = url.href;
let folder: string;
let directory: string;

async function runQuery(connection: string, text: string): Promise<pg.QueryResult<Record<string, unknown>>> {
  const client = new pg.Client({ connectionString: connection });
  await client.connect();
  try {
    return await client.query(text);
  } finally {
    await client.end();
  }
}

const write = (file: string, text: string): Promise<void> => writeFile(join(directory, file), text);
const run = (): Promise<{ applied: string[] }> =>
  migrate({ ownerUrl, areas: [{ schema: 'athletes', directories: [directory] }], secrets, log });
const as = (role: string, text: string): Promise<unknown> => runQuery(roleUrl(ownerUrl, role, secrets), text);

afterEach(() => rm(folder, { recursive: true }));
beforeAll(() => runQuery(server, 'create database migrate_test'));
afterAll(() => runQuery(server, 'drop database migrate_test with (force)'));
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'migrate-'));
  directory = join(folder, 'athletes', 'migrations');
  await mkdir(directory, { recursive: true });
  await runQuery(ownerUrl, 'drop schema if exists athletes, platform cascade');
  await write('0001-first.sql', 'create table athlete (id int primary key); create table outbox (id int, position bigint);');
});

describe('migrations', () => {
  test('each file is applied once, even if four processes start together', async () => {
    const runs = await Promise.all([run(), run(), run(), run()]);
    expect(runs.flatMap(({ applied }) => applied)).toEqual(['athletes athletes/0001-first.sql']);
    await write('0002-second.sql', 'create table team (id int)');
    expect((await run()).applied).toEqual(['athletes athletes/0002-second.sql']);
  });

  test('two platforms on one server can start at the same time although they share the roles', async () => {
    const other = new URL(ownerUrl);
    other.pathname = '/migrate_other';
    await runQuery(server, 'create database migrate_other');
    try {
      const areas = [{ schema: 'athletes', directories: [directory] }];
      for (let round = 0; round < 10; round += 1) {
        await Promise.all([ownerUrl, other.href].map((each) => migrate({ ownerUrl: each, areas, secrets, log })));
      }
    } finally {
      await runQuery(server, 'drop database migrate_other with (force)');
    }
  });

  test('an applied file that was edited is rejected', async () => {
    await run();
    await write('0001-first.sql', 'create table athlete (id bigint primary key)');
    await expect(run()).rejects.toThrow(/0001-first\.sql was edited after it was applied to athletes/);
  });

  test('different line endings do not count as an edit', async () => {
    await write('0001-first.sql', 'create table a ();\ncreate table b ();\n');
    await run();
    await write('0001-first.sql', 'create table a ();\r\ncreate table b ();\r\n');
    expect((await run()).applied).toEqual([]);
  });

  test('a file that precedes an applied one, a duplicate number and an invalid name are rejected', async () => {
    await write('0003-third.sql', 'select 1');
    await run();
    await write('0002-late.sql', 'select 1');
    await expect(run()).rejects.toThrow('precedes athletes/0003-third.sql');
    await write('0003-duplicate.sql', 'select 1');
    await expect(run()).rejects.toThrow('has the same number as');
    await rm(join(directory, '0003-duplicate.sql'));
    await write('four.sql', 'select 1');
    await expect(run()).rejects.toThrow('NNNN-name.sql');
  });

  test('a failing file is rolled back, the error names the line, and the file can be fixed', async () => {
    await write('0002-second.sql', 'create table half ();\n\nselect nonsense;');
    await expect(run()).rejects.toThrow(/0002-second\.sql failed on athletes.* Line 3: column "nonsense" does not exist/);
    expect((await runQuery(ownerUrl, "select to_regclass('athletes.half') as half")).rows).toEqual([{ half: null }]);
    await write('0002-second.sql', 'create table half ();');
    expect((await run()).applied).toEqual(['athletes athletes/0002-second.sql']);
  });

  test('a security definer function without a search_path is rejected', async () => {
    await write('0002-open.sql', 'create function open() returns int language sql security definer return 1');
    await expect(run()).rejects.toThrow('Security definer function without search_path: open()');
  });

  test('fold ignores case and accents', async () => {
    await run();
    const texts = ['MÜNCHEN', 'Mu\u0308nchen', 'Łódź', 'İstanbul', 'Straße'];
    const { rows } = await runQuery(
      ownerUrl,
      `select platform.fold(t) as fold from unnest(array[${texts.map((t) => `'${t}'`).join()}]) t`,
    );
    expect(rows.map((row) => row.fold)).toEqual(['munchen', 'munchen', 'lodz', 'istanbul', 'strasse']);
  });
});

describe('roles', () => {
  test('a role of an area can change rows in the schema of the area and nothing else', async () => {
    await run();
    await as(
      'talent_athletes',
      'insert into athlete values (1); update athlete set id = 2; select fold($$É$$); delete from athlete',
    );
    for (const text of [
      'create table t ()',
      'create table public.t ()',
      'create temp table t ()',
      'truncate athlete',
      'select from platform.migration',
    ]) {
      await expect(as('talent_athletes', text)).rejects.toThrow(/permission denied|no schema/);
    }
  });

  test('the relay can update the outbox and nothing else; the router can read no area', async () => {
    await run();
    await as('talent_relay', 'update athletes.outbox set position = 1');
    await expect(as('talent_relay', 'select from athletes.athlete')).rejects.toThrow('permission denied');
    await expect(as('talent_relay', 'delete from athletes.outbox')).rejects.toThrow('permission denied');
    await expect(as('talent_router', 'select from athletes.outbox')).rejects.toThrow('permission denied');
  });

  test('a password derived from another secret is rejected', async () => {
    await run();
    const foreign = roleUrl(ownerUrl, 'talent_athletes', openSecrets('another secret, of more than 32 characters'));
    await expect(runQuery(foreign, 'select 1')).rejects.toThrow('password authentication failed');
  });
});
