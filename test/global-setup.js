/** One disposable PostgreSQL for the whole run; each test file clones its migrated database `talent_template`. */
import { chmod, mkdtemp, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { URL } from 'node:url';
import pg from 'pg';
import { pino } from 'pino';

const memoryMinBytes = 4e9;

/** 0 where there is no such folder. */
const freeBytes = (folder) =>
  statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );

export default async function setup() {
  // as commands/production.ts says it for the platform: libraries read it when they load, and jest would say "test"
  process.env.NODE_ENV = 'production';
  // workers of jest and the planner's threads in them; commands say it themselves
  process.env.NODE_COMPILE_CACHE = join(import.meta.dirname, '../node_modules/.cache/compile');
  // a clone of the database is hundreds of files: in memory, where there is plenty, they cost a tenth
  if ((await freeBytes('/dev/shm')) > memoryMinBytes) process.env.TMPDIR = '/dev/shm';
  // imported here: jest loads this file untransformed, and Node strips the types of what it imports
  const { startEmbeddedPostgres } = await import('../platform/embedded-postgres/embedded-postgres.ts');
  const { migrate } = await import('../platform/database/migrate.ts');
  const { generateSecret, openSecrets } = await import('../platform/security/secrets.ts');
  const { areas } = await import('../schema/areas.ts');
  const { createGraph } = await import('../router/graph.ts');
  const { loadSupergraph } = await import('../router/supergraph.ts');
  const { documentsOf } = await import('../rest-bridge/operations/load-operations.ts');
  const { restApi } = await import('../wiring/rest-api.ts');
  const { planCacheFolder } = await import('../wiring/router.ts');
  const log = pino({ level: 'warn' });
  // planned once for all worlds, as one start of the platform does it for the next
  const graph = createGraph({ ...loadSupergraph(), subgraphs: {}, log, planCacheFolder });
  graph.register(documentsOf(restApi().operations));
  await graph.planRegistered();
  await graph.close();
  const folder = await mkdtemp(join(tmpdir(), 'talent-test-'));
  // PostgreSQL of root runs as another account, which must pass through
  await chmod(folder, 0o711);
  const postgres = await startEmbeddedPostgres({ dataDirectory: join(folder, 'postgres'), log, durable: false });
  globalThis.testPostgres = { folder, postgres };
  try {
    const secret = generateSecret();
    const template = new URL(postgres.url);
    template.pathname = '/talent_template';
    await createDatabase(postgres.url, 'talent_template');
    const rooms = join(import.meta.dirname, '..');
    const migrated = areas
      .map((schema) => ({
        schema,
        directories: [join(rooms, 'platform/migrations'), join(rooms, `subgraphs/${schema}/migrations`)],
      }))
      .map(async (area) => ((await exists(area.directories[1])) ? [area] : []));
    await migrate({ ownerUrl: template.href, areas: (await Promise.all(migrated)).flat(), secrets: openSecrets(secret), log });
    process.env.TEST_DATABASE_URL = postgres.url;
    process.env.TEST_SECRET = secret;
  } catch (fault) {
    // jest runs no teardown after a setup that failed
    await postgres.stop();
    throw fault;
  }
}

async function createDatabase(url, name) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
}

async function exists(path) {
  return (await stat(path).catch(() => null)) !== null;
}
