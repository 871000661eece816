/** The data of each earlier release is restored with the schema of that release, migrated by this version, and served. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { globSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { endWithThisProcess, freePort, waitForSuccess } from '../../commands/local-process.ts';
import { migrate } from '../../platform/database/migrate.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../platform/embedded-postgres/embedded-postgres.ts';
import { createLog } from '../../platform/log.ts';
import { openSecrets } from '../../platform/security/secrets.ts';
import { migratedAreas } from '../../subgraphs/runtime/migrations.ts';
import { createClient, type Client } from '../client.ts';
import { decompress, restoreReleaseData, type ReleaseData } from './release-data.ts';

const root = join(import.meta.dirname, '../..');
const log = createLog({ name: 'test', level: 'error' });
const releases = globSync('*.json.br', { cwd: import.meta.dirname }).sort();

/** The values of some columns of a table, row by row. */
function valuesOf({ tables }: ReleaseData, table: string, names: readonly string[]): string[][] {
  const found = tables.find((each) => each.table === table);
  if (found === undefined) throw new Error(`The release has no rows of ${table}.`);
  const indexes = names.map((name) => found.columns.indexOf(name));
  return found.rows
    .trimEnd()
    .split('\n')
    .map((row) => indexes.map((index) => row.split('\t')[index] ?? ''));
}

test('there is the data of a release', () => expect(releases).not.toEqual([]));

describe.each(releases)('%s', (file) => {
  let folder: string;
  let data: ReleaseData;
  let postgres: EmbeddedPostgres;
  let platform: ChildProcess;
  let client: Client;
  let applied: readonly string[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'upgrade-'));
    // root's PostgreSQL runs under another account, which needs access to the folder
    await chmod(folder, 0o711);
    data = decompress(await readFile(join(import.meta.dirname, file)));
    postgres = await startEmbeddedPostgres({ dataDirectory: join(folder, 'postgres'), log, durable: false });
    await restoreReleaseData(postgres.url, data);
    ({ applied } = await migrate({ ownerUrl: postgres.url, areas: migratedAreas, secrets: openSecrets(data.secret), log }));
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const env = { PATH: process.env['PATH'], DATABASE_URL: postgres.url, SECRET: data.secret, LOG_LEVEL: 'error' };
    platform = endWithThisProcess(
      spawn(process.execPath, ['main.ts', 'all'], {
        cwd: root,
        env: { ...env, PORT: String(port), IMAGE_DIRECTORY: join(folder, 'images') },
        stdio: ['ignore', 'ignore', 'inherit'],
      }),
      'SIGTERM',
    );
    await waitForSuccess(`${url}/ready`, platform);
    client = createClient({ restUrl: url, graphqlUrl: url, key: data.key });
  });
  afterAll(async () => {
    const ended = once(platform, 'exit');
    platform.kill('SIGTERM');
    await ended;
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  });

  test('the migrations after the release are applied', () => {
    expect(applied.filter((name) => data.migrations.includes(name))).toEqual([]);
    expect(basename(file)).toMatch(/^\d+\.\d+\.\d+\.json\.br$/);
  });

  test('keys of the release are valid', async () => {
    expect(await client.get('/me')).toMatchObject({ status: 200, body: { account: { name: 'Bench' } } });
  });

  test('resources of the release are served unchanged', async () => {
    const active = valuesOf(data, 'organizations.organization', ['id', 'name', 'status', 'version']);
    const some = active.filter(([, , status]) => status === 'ACTIVE').slice(0, 20);
    expect(some.length).toBeGreaterThan(3);
    for (const [id = '', name, , version] of some) {
      const { body } = await client.get(`/organizations/${id}`);
      expect({ name: body.name, version: String(body.version) }).toEqual({ name, version });
    }
    const { body } = await client.get('/competitions?limit=5');
    expect(body.data.length).toBeGreaterThan(1);
  });

  test('new resources can be written and read', async () => {
    const club = { name: 'After the upgrade', type: 'CLUB', country: 'DE', sports: ['FOOTBALL'], status: 'ACTIVE' };
    const { status, body } = await client.post('/organizations', club);
    expect(status).toBe(201);
    expect((await client.get(`/organizations/${body.id}`)).body.name).toBe(club.name);
  });
});
