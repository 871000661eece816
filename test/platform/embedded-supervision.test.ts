/** The supervision of the embedded PostgreSQL: it survives crashes, a full disk, and the stop of a process that shares it. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../platform/embedded-postgres/embedded-postgres.ts';
import { createService } from '../../platform/http/service.ts';
import { createServerFolder, hasSmallDisks, mountSmallDisk } from '../embedded-disk.ts';
import { eventually } from '../eventually.ts';

const log = pino({ level: 'silent' });
const recoveryMs = 60_000;
let folder: string;
const running = new Set<EmbeddedPostgres>();

async function start(dataDirectory = join(folder, 'postgres')): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDirectory, log, unhealthyAfterMs: 0 });
  running.add(postgres);
  return postgres;
}

async function runQuery(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

async function postmasterOf(dataDirectory: string): Promise<number> {
  const [pid = ''] = (await readFile(join(dataDirectory, 'cluster', 'data', 'postmaster.pid'), 'utf8')).split('\n');
  return Number(pid);
}

const kill = async (dataDirectory = join(folder, 'postgres')): Promise<void> =>
  void process.kill(await postmasterOf(dataDirectory), 'SIGKILL');

const answers = (url: string): Promise<void> =>
  eventually(async () => expect(await runQuery(url, 'select 1 as one')).toEqual([{ one: 1 }]), recoveryMs);

beforeEach(async () => {
  folder = await createServerFolder();
});
afterEach(async () => {
  for (const postgres of running) await postgres.stop();
  running.clear();
  await rm(folder, { recursive: true });
});

describe('supervision of the embedded PostgreSQL', () => {
  test('a killed server is restarted at the same address with its data, repeatedly', async () => {
    const { url } = await start();
    await runQuery(url, 'create table stored as select 1 as id');
    for (let round = 0; round < 2; round += 1) {
      await kill();
      await answers(url);
      expect(await runQuery(url, 'select id from stored')).toEqual([{ id: 1 }]);
    }
  });

  test('an ended session of the supervision ends nothing else', async () => {
    const { url } = await start();
    const pid = await postmasterOf(join(folder, 'postgres'));
    await runQuery(url, `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'lease'`);
    await eventually(async () =>
      expect(await runQuery(url, `select from pg_stat_activity where application_name = 'lease'`)).toHaveLength(1),
    );
    expect(await postmasterOf(join(folder, 'postgres'))).toBe(pid);
  });

  test('a process that adopted the server does not stop it for the first, also after a crash', async () => {
    const first = await start();
    const second = await start();
    expect(second.adopted).toBe(true);
    await kill();
    await answers(first.url);
    await eventually(async () =>
      expect(await runQuery(first.url, `select from pg_stat_activity where application_name = 'lease'`)).toHaveLength(2),
    );
    await second.stop();
    expect(await runQuery(first.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('the health check fails while the server cannot be restarted, and succeeds afterwards', async () => {
    const postgres = await start();
    const app = createService({ log, isHealthy: postgres.isHealthy });
    const health = async () => (await app.inject('/health')).statusCode;
    expect(await health()).toBe(200);
    const [configuration, moved] = ['postgresql.conf', 'moved.conf'].map((name) =>
      join(folder, 'postgres', 'cluster', 'data', name),
    ) as [string, string];
    await rename(configuration, moved);
    await kill();
    await eventually(async () => expect(await health()).toBe(503), recoveryMs);
    await rename(moved, configuration);
    await eventually(async () => expect(await health()).toBe(200), recoveryMs);
    await answers(postgres.url);
    await app.close();
  });

  (hasSmallDisks ? test : test.skip)(
    'a server that a full disk has ended starts again when the disk has space',
    async () => {
      const disk = await mountSmallDisk(300);
      try {
        const dataDirectory = join(disk.folder, 'postgres');
        const postgres = await start(dataDirectory);
        await runQuery(postgres.url, 'create table stored as select 1 as id');
        await disk.fill();
        await kill(dataDirectory);
        await eventually(() => Promise.resolve(expect(postgres.isHealthy()).toBe(false)), recoveryMs);
        await disk.free();
        await answers(postgres.url);
        expect(await runQuery(postgres.url, 'select id from stored')).toEqual([{ id: 1 }]);
        await postgres.stop();
      } finally {
        await disk.remove();
      }
    },
    180_000,
  );
});
