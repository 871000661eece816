/** A PostgreSQL cluster of one test file, whose processes can be stopped like those of a machine that hangs. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { pino } from 'pino';
import { migrate } from '../platform/database/migrate.ts';
import { startEmbeddedPostgres } from '../platform/embedded-postgres/embedded-postgres.ts';
import { generateSecret, openSecrets } from '../platform/security/secrets.ts';
import { areas } from '../schema/areas.ts';
import { templateName, type TestCluster } from './database.ts';

export interface FreezableCluster extends TestCluster {
  /** Stops all processes (SIGSTOP): connections stay open, and nothing is answered. */
  freeze(): Promise<void>;
  /** Continues them. */
  thaw(): Promise<void>;
  close(): Promise<void>;
}

const root = join(import.meta.dirname, '..');
const log = pino({ level: 'warn' });

/** The directories of an area's migrations. */
const directoriesOf = (area: string): string[] =>
  ['platform/migrations', `subgraphs/${area}/migrations`].map((path) => join(root, path)).filter((path) => existsSync(path));

/** The process IDs of a server: the postmaster first, then its children. */
async function processesOf(postmaster: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=']);
  const children = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid, parent]) => (parent === postmaster && pid !== undefined ? [pid] : []));
  return [postmaster, ...children];
}

/** Starts a cluster with the migrated template. */
export async function openFreezableCluster(): Promise<FreezableCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'talent-frozen-'));
  // when root runs the tests, PostgreSQL runs as another account, which needs access to the folder
  await chmod(folder, 0o711);
  const dataDirectory = join(folder, 'postgres');
  const postgres = await startEmbeddedPostgres({ dataDirectory, log, durable: false });
  const secret = generateSecret();
  const owner = new pg.Client({ connectionString: postgres.url });
  await owner.connect();
  await owner.query(`create database ${templateName}`);
  await owner.end();
  const template = new URL(postgres.url);
  template.pathname = `/${templateName}`;
  const migrated = areas.map((schema) => ({ schema, directories: directoriesOf(schema) }));
  await migrate({ ownerUrl: template.href, areas: migrated, secrets: openSecrets(secret), log });
  const [pid = ''] = (await readFile(join(dataDirectory, 'cluster', 'data', 'postmaster.pid'), 'utf8')).split('\n');
  const send = async (signal: NodeJS.Signals): Promise<void> => {
    for (const each of await processesOf(Number(pid))) process.kill(each, signal);
  };
  return {
    maintenanceUrl: postgres.url,
    secret,
    freeze: () => send('SIGSTOP'),
    thaw: () => send('SIGCONT'),
    async close() {
      await send('SIGCONT');
      await postgres.stop();
      await rm(folder, { recursive: true });
    },
  };
}
