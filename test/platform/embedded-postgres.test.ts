/** The embedded PostgreSQL: one server per data folder, and no orphaned servers. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { execFile, spawn } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import pg from 'pg';
import { pino } from 'pino';
import {
  findEmbeddedPostgres,
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../platform/embedded-postgres/embedded-postgres.ts';
import { generateSecret } from '../../platform/security/secrets.ts';

const log = pino({ level: 'silent' });
let folder: string;
let dataDirectory: string;
const running = new Set<EmbeddedPostgres>();

async function start(): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDirectory, log, durable: false });
  running.add(postgres);
  return postgres;
}

async function runQuery(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Arguments of a process that starts the server, runs `then` and stops the server. */
function program(then: string): string[] {
  const module = new URL('../../platform/embedded-postgres/embedded-postgres.ts', import.meta.url).href;
  const quiet = '{ info() {} }';
  const text = `const { startEmbeddedPostgres } = await import(${JSON.stringify(module)});
    const postgres = await startEmbeddedPostgres({ dataDirectory: ${JSON.stringify(dataDirectory)}, log: ${quiet}, durable: false });
    console.log(postgres.url); ${then}; await postgres.stop();`;
  return ['--input-type=module', '--no-warnings', '--eval', text];
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'embedded-'));
  await chmod(folder, 0o711);
  dataDirectory = join(folder, '.data', 'postgres');
});

afterEach(async () => {
  for (const postgres of running) await postgres.stop();
  running.clear();
  await rm(folder, { recursive: true });
});

describe('embedded PostgreSQL', () => {
  test('an empty folder gets a private UTF-8 PostgreSQL 18 with scram only, whose data survives a stop', async () => {
    const first = await start();
    expect(first.adopted).toBe(false);
    await runQuery(first.url, 'create table stored (); ');
    const [row] = await runQuery(
      first.url,
      `select current_setting('server_version_num')::int / 10000 as version, current_setting('server_encoding') as encoding,
         (select array_agg(distinct auth_method) from pg_hba_file_rules) as methods, current_setting('listen_addresses') as addresses`,
    );
    expect(row).toEqual({ version: 18, encoding: 'UTF8', methods: ['scram-sha-256'], addresses: '127.0.0.1' });
    expect((await stat(dataDirectory)).mode & 0o777).toBe(0o700);
    expect((await stat(join(dataDirectory, 'cluster', 'password'))).mode & 0o777).toBe(0o600);
    await first.stop();
    expect(await findEmbeddedPostgres(dataDirectory)).toBeNull();
    const second = await start();
    expect(second.url).toBe(first.url);
    expect(await runQuery(second.url, 'select from stored')).toEqual([]);
  });

  test('the server of a killed process is found, adopted and stopped', async () => {
    const killed = spawn(process.execPath, program("process.kill(process.pid, 'SIGKILL')"), {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(killed, 'exit');
    expect(killed.signalCode).toBe('SIGKILL');
    const url = await findEmbeddedPostgres(dataDirectory);
    const postgres = await start();
    expect(postgres).toMatchObject({ adopted: true, url });
    await postgres.stop();
    expect(await findEmbeddedPostgres(dataDirectory)).toBeNull();
  });

  test('processes that start together share one server, which the last one stops', async () => {
    const servers = await Promise.all([start(), start(), start()]);
    expect(new Set(servers.map(({ url }) => url)).size).toBe(1);
    expect(servers.filter(({ adopted }) => !adopted)).toHaveLength(1);
    const [first, second, third] = servers;
    await first.stop();
    await second.stop();
    expect(await runQuery(third.url, 'select 1 as alive')).toEqual([{ alive: 1 }]);
    await third.stop();
    expect(await findEmbeddedPostgres(dataDirectory)).toBeNull();
  });

  test('a postmaster.pid whose process ID belongs to another program does not prevent a start', async () => {
    await (await start()).stop();
    const lines = [process.pid, join(dataDirectory, 'cluster', 'data'), 1, 5432, '', '127.0.0.1', '1 1', 'ready'];
    await writeFile(join(dataDirectory, 'cluster', 'data', 'postmaster.pid'), `${lines.join('\n')}\n`);
    expect(await findEmbeddedPostgres(dataDirectory)).toBeNull();
    expect((await start()).adopted).toBe(false);
  });

  test('the server does not inherit the environment', async () => {
    await start();
    const [pid] = (await readFile(join(dataDirectory, 'cluster', 'data', 'postmaster.pid'), 'utf8')).split('\n');
    const environment = await readFile(`/proc/${pid ?? ''}/environ`, 'utf8').catch(() => '');
    expect(environment).not.toContain('TEST_SECRET');
    await expect(
      new Promise((done) => execFile(process.execPath, program(''), (_, output) => done(output.trim()))),
    ).resolves.toBe(await findEmbeddedPostgres(dataDirectory));
  });

  test('a platform that fails to start stops its server', async () => {
    const server = await start();
    await runQuery(
      server.url,
      `create schema platform; create table platform.migration (schema text, name text, checksum text);
       insert into platform.migration select 'accounts', 'platform/0001-write.sql', 'of an edited file'`,
    );
    await server.stop();
    const { PATH } = process.env;
    const SECRET = generateSecret();
    const env = { PATH, SECRET, DATA_DIRECTORY: join(folder, '.data'), HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'info' };
    const child = spawn(process.execPath, ['main.ts'], { cwd: join(import.meta.dirname, '../..'), env, stdio: 'pipe' });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    expect(await once(child, 'exit')).toEqual([1, null]);
    expect(output).toContain('was edited after it was applied to accounts');
    expect(await findEmbeddedPostgres(dataDirectory)).toBeNull();
  });
});
