/** Starts a disposable PostgreSQL for the run, with a migrated template database that test files clone, and builds a stale dashboard. */
import { execFile } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { chmod, mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { URL } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { pino } from 'pino';

const root = join(import.meta.dirname, '..');
const memoryMinBytes = 4e9;
const log = pino({ level: 'warn' });

/** Free bytes of a folder's file system; 0 without such a folder. */
const freeBytes = (folder) =>
  statfs(folder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  );

// jest does not transform this file and what it imports: Node.js strips the types of modules that are imported dynamically
export default async function setup({ testPathPatterns }) {
  // as in commands/production.ts: libraries read it when they load, and jest sets "test"
  process.env.NODE_ENV = 'production';
  // for the workers of jest and their planner threads; commands set it themselves
  process.env.NODE_COMPILE_CACHE = join(root, 'node_modules/.cache/compile');
  // a database is hundreds of files: creating them takes a tenth of the time in memory
  if ((await freeBytes('/dev/shm')) > memoryMinBytes) process.env.TMPDIR = '/dev/shm';
  findProgram('redis-server', 'TEST_REDIS');
  findProgram('haproxy', 'TEST_HAPROXY');
  const patterns = testPathPatterns.toExecutor({ rootDir: root });
  const needsBrowser = globSync('test/{dashboard,dashboard/portal,documentation}/*.test.ts', { cwd: root }).some((path) =>
    patterns.isMatch(join(root, path)),
  );
  const prepared = await Promise.allSettled([startPostgres(), planOperations(), ...(needsBrowser ? [prepareBrowser()] : [])]);
  const failed = prepared.find(({ status }) => status === 'rejected');
  if (failed === undefined) return;
  // jest runs no teardown after a failed setup
  await globalThis.testPostgres?.postgres.stop();
  throw failed.reason;
}

/** Reports to test files whether a program is installed (test/redis.ts, test/load-balancer.test.ts). Throws Error when it is missing in continuous integration. */
function findProgram(program, variable) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
  const isInstalled = folders.some((folder) => existsSync(join(folder, program)));
  if (!isInstalled && process.env.CI)
    throw new Error(`${program} is not installed. It is required when CI is set: install it, or unset CI to skip its tests.`);
  process.env[variable] = isInstalled ? 'installed' : 'missing';
}

async function startPostgres() {
  const { startEmbeddedPostgres } = await import('../platform/embedded-postgres/embedded-postgres.ts');
  const { migrate } = await import('../platform/database/migrate.ts');
  const { roleUrl, sandboxRole } = await import('../platform/database/roles.ts');
  const { generateSecret, openSecrets } = await import('../platform/security/secrets.ts');
  const { areas } = await import('../schema/areas.ts');
  const folder = await mkdtemp(join(tmpdir(), 'talent-test-'));
  // when root runs the tests, PostgreSQL runs as another account, which needs access to the folder
  await chmod(folder, 0o711);
  const postgres = await startEmbeddedPostgres({ dataDirectory: join(folder, 'postgres'), log, durable: false });
  globalThis.testPostgres = { folder, postgres };
  const secret = generateSecret();
  const template = new URL(postgres.url);
  template.pathname = '/talent_template';
  await createDatabase(postgres.url, 'talent_template');
  const migrated = areas
    .map((schema) => ({ schema, directories: ['platform/migrations', `subgraphs/${schema}/migrations`] }))
    .filter(({ directories }) => existsSync(join(root, directories[1])))
    .map(({ schema, directories }) => ({ schema, directories: directories.map((directory) => join(root, directory)) }));
  const secrets = openSecrets(secret);
  await migrate({ ownerUrl: template.href, areas: migrated, secrets, log });
  const sandboxTemplate = new URL(roleUrl(postgres.url, sandboxRole, secrets));
  await createDatabase(sandboxTemplate.href, 'talent_sandbox_template');
  sandboxTemplate.pathname = '/talent_sandbox_template';
  await migrate({ ownerUrl: sandboxTemplate.href, areas: migrated, secrets: null, log });
  process.env.TEST_DATABASE_URL = postgres.url;
  process.env.TEST_SECRET = secret;
}

async function createDatabase(url, name) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
}

/** Plans the operations of the REST API once for all platforms of the run. */
async function planOperations() {
  const { createGraph } = await import('../router/graph.ts');
  const { loadSupergraph } = await import('../router/supergraph.ts');
  const { documentsOf } = await import('../rest-bridge/operations/load-operations.ts');
  const { restApi } = await import('../wiring/rest-api.ts');
  const { planCacheFolder } = await import('../wiring/router.ts');
  const graph = createGraph({ ...loadSupergraph(), subgraphs: {}, log, planCacheFolder });
  graph.register(documentsOf(restApi().operations));
  await graph.planRegistered();
  await graph.close();
}

/** Builds a stale dashboard, in a separate process because the bundler keeps handles open, and unpacks the browser. */
async function prepareBrowser() {
  const { findBrowserBinary } = await import('./browser-binary.ts');
  await promisify(execFile)(process.execPath, [join(root, 'commands/dashboard.ts'), '--if-stale']);
  await findBrowserBinary();
}
